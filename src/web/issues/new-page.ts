import { canRead, notArchived, signedIn } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../context.ts';
import type { LabelRow } from '../../database/tables/issues.ts';
import type { FormFields } from '../../http/bodies/fields.ts';
import { HttpError, unprocessable } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { findAssignable } from '../../issues/assignees/assignees.ts';
import { claimNamed } from '../../issues/attachments/pending.ts';
import { createIssue } from '../../issues/create.ts';
import { usableLabels, usableLabelsByName } from '../../issues/issue-labels/issue-labels.ts';
import { names } from '../../issues/list-query.ts';
import { issuesOrPulls } from '../../issues/requirements.ts';
import { setProject } from '../../projects/cards.ts';
import type { Template } from '../../repositories/issue-templates/read-template.ts';
import { issueTemplates } from '../../repositories/issue-templates/templates.ts';
import { COMPOSER_SCRIPT, composer, composerBytes, mayUpload } from '../components/composer.ts';
import { fault } from '../components/fault.ts';
import { field, postForm, select } from '../components/form.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type Reply, seeOther } from '../page.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { type Choices, choicesOf } from './choices.ts';
import { choosePages } from './choose-page.ts';
import { bodyOf, formField, isVisible, problemOf } from './form-fields.ts';
import { chosenNames, labelsOfForm } from './named-others.ts';
import { milestoneField, sideBoxes } from './new-side.ts';
import { issuePath } from './paths.ts';
import { chosenProject, nameOf } from './project-part.ts';
import { commentRenderer, renderComment } from './render.ts';

/** Opening issues. */
export const newIssuePages: readonly AnyRoute[] = [
  ...choosePages,
  ...repositoryPage({
    path: '/:owner/:repo/issues/new',
    needs: [issuesOrPulls, signedIn, notArchived, canRead('issues')],
    semaphore: 'renders',
    maxBytes: composerBytes,
    get: async (visit, context) => newPage(visit, context, { template: await templateOf(visit, context) }),
    post: async (visit, context) => open(visit, context, await templateOf(visit, context)),
  }),
];

/** The template that the URL names by its file. */
async function templateOf({ request, repository }: RepositoryVisit, context: Context): Promise<Template | undefined> {
  const name = new URL(request.url).searchParams.get('template');
  if (!name) return undefined;
  return (await issueTemplates(context, repository)).templates.find(({ file_name: file }) => file === name);
}

interface Shown {
  readonly template: Template | undefined;
  /** The sent values, to be shown again. */
  readonly sent?: FormFields;
  readonly problem?: string;
  readonly preview?: Html;
}

async function newPage(visit: RepositoryVisit, context: Context, shown: Shown): Promise<Document> {
  const { view, access, fields } = visit;
  const { template, sent, problem } = shown;
  const { issues: text } = view.text;
  const choices = access.canWrite('issues') ? await choicesOf(context, visit) : undefined;
  const labels = await chosenLabels(context, visit, template, sent ?? fields);
  return repositoryDocument(visit, context, {
    tab: 'issues',
    title: text.newIssue,
    scripts: [COMPOSER_SCRIPT],
    ...(problem !== undefined && { status: 422 }),
    body: html`<h2>${template && template.name !== '' ? template.name : text.newIssue}</h2>
${template?.about && html`<p class="muted">${template.about}</p>`}
${problem !== undefined && fault(view, problem)}
${postForm(
  view,
  html`<div class="columns conversation"><div>
${field({ name: 'title', label: text.title, value: (sent ?? fields).get('title') ?? template?.title ?? '', isRequired: true, isFirst: true, maxLength: 255 })}
${await textFields(visit, context, shown)}
<div class="buttons end"><button class="primary">${text.createIssue}</button></div></div>
<aside class="side-bar">${choices && sideFields(visit, choices, labels, template, sent)}</aside></div>`,
)}`,
  });
}

/** The text field, or the fields of the issue form. */
async function textFields(visit: RepositoryVisit, context: Context, { template, sent, preview }: Shown): Promise<Html> {
  const { view, repository, fields } = visit;
  if (template?.body) {
    const render = await commentRenderer(context, visit);
    const shown = template.body.filter((field) => isVisible(field, 'form'));
    const parts: Html[] = [];
    for (const field of shown) {
      const explanation = field.type === 'markdown' ? field.attributes?.value : field.attributes?.description;
      const rendered = typeof explanation === 'string' && explanation !== '' ? await render(explanation, field.id) : undefined;
      parts.push(formField(view, field, sent, rendered));
    }
    return html`${parts}`;
  }
  return composer(view, {
    name: 'body',
    label: view.text.issues.description,
    value: (sent ?? fields).get('body') ?? fields.get('content') ?? template?.content ?? '',
    rows: 14,
    repository,
    draft: `${repositoryPath(view, repository)}/issues/new ${template?.file_name ?? ''}`,
    files: mayUpload(context.settings, view),
    preview,
  });
}

/** The labels that are chosen: in the form, else in the URL, else in the template. */
async function chosenLabels(
  context: Context,
  { repository }: RepositoryVisit,
  template: Template | undefined,
  fields: FormFields,
): Promise<LabelRow[]> {
  const given = fields.has('label') ? fields.all('label') : names(fields.get('labels'));
  const ids = given.filter((id) => /^\d{1,15}$/.test(id)).map(Number);
  const byName = given.length > 0 ? given : (template?.labels ?? []);
  const found = [...(await usableLabels(context, { repository }, ids)), ...(await usableLabelsByName(context, { repository }, byName))];
  return [...new Map(found.map((label) => [label.id, label])).values()];
}

function sideFields(
  { view, fields }: RepositoryVisit,
  choices: Choices,
  labels: readonly LabelRow[],
  template: Template | undefined,
  sent?: FormFields,
): Html {
  const { projects } = view.text;
  const assignees = sent
    ? sent.all('assignee')
    : [...names(fields.get('assignees')), ...(fields.has('assignees') ? [] : (template?.assignees ?? []))];
  return html`${sideBoxes(view, choices, { labels: labels.map(({ id }) => id), assignees }, sent)}
${choices.projects.length > 0 && select({ name: 'project', label: projects.project, value: (sent ?? fields).get('project') ?? '0', options: [['0', projects.noProject], ...choices.projects.filter((project) => !project.is_closed).map((project) => [String(project.id), nameOf(project)] as const)] })}
${milestoneField(view, choices, (sent ?? fields).get('milestone') ?? '0')}`;
}

async function open(visit: RepositoryVisit, context: Context, template: Template | undefined): Promise<Reply> {
  const { fields, view } = visit;
  try {
    if (fields.has('preview')) {
      return await newPage(visit, context, {
        template,
        sent: fields,
        preview: await renderComment(context, visit, fields.get('body') ?? ''),
      });
    }
    const issue = await create(visit, context, template);
    return seeOther(context, issuePath(view, issue).slice(view.root.length));
  } catch (error) {
    if (!(error instanceof HttpError) || ![403, 422].includes(error.status)) throw error;
    return newPage(visit, context, { template, sent: fields, problem: error.message });
  }
}

/** As in the API: users with write access choose labels, milestone and assignees; for others the template sets the labels. */
async function create(visit: RepositoryVisit, context: Context, template: Template | undefined) {
  const { fields, view, repository, access } = visit;
  const title = (fields.get('title') ?? '').trim();
  if (title === '') throw unprocessable(view.text.issues.titleMissing);
  const problem = template?.body && (await problemOf(context, view, template.body, fields));
  if (problem) throw unprocessable(problem);
  const body = template?.body ? bodyOf(view, template.body, fields) : (fields.get('body') ?? '');
  const mayWrite = access.canWrite('issues');
  const milestone = Number(fields.get('milestone')) || 0;
  const labels = mayWrite
    ? await labelsOfForm(context, view, repository, fields)
    : await usableLabelsByName(context, { repository }, template?.labels ?? []);
  const assignees = mayWrite ? await findAssignable(context, repository, chosenNames(fields, 'assignee')) : [];
  const project = mayWrite ? await chosenProject(visit, context) : null;
  const ref = template && template.ref !== 'refs/heads/' ? template.ref : '';
  return inTransaction(context, async (context) => {
    const issue = await createIssue(context, repository, {
      title,
      body,
      ref,
      assignees,
      deadline: null,
      milestoneId: mayWrite && milestone > 0 ? milestone : null,
      labelIds: labels.map(({ id }) => id),
      isClosed: false,
    });
    await claimNamed(context, { issue }, body);
    if (project) await setProject(context, issue, project);
    return issue;
  });
}
