import type { Context } from '../../context.ts';
import type { CardType, ProjectTemplate } from '../../database/tables/projects.ts';
import type { Fields } from '../../http/bodies/fields.ts';
import { HttpError } from '../../http/errors.ts';
import { createProject, editProject, MAX_DESCRIPTION, MAX_TITLE } from '../../projects/projects.ts';
import { COMPOSER_SCRIPT, composer } from '../components/composer.ts';
import { fault } from '../components/fault.ts';
import { field, postForm, select, textArea } from '../components/form.ts';
import { prose } from '../components/prose.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type Reply, seeOther } from '../page.ts';
import { described } from '../people/described.ts';
import { type ProjectsVisit, projectOf, projectsDocument, projectsPath } from './owner.ts';

const TEMPLATES: readonly ProjectTemplate[] = ['none', 'basic_kanban', 'bug_triage'];
const CARD_TYPES: readonly CardType[] = ['text', 'images'];

interface Typed {
  readonly fields: Fields;
  readonly isOld: boolean;
  readonly problem?: string;
  readonly preview?: Html;
}

/** The form of a new board. */
export function newProjectPage(visit: ProjectsVisit, context: Context): Promise<Document> {
  return formPage(visit, context, { fields: visit.fields, isOld: false });
}

/** The form of a board that there is. */
export async function editProjectPage(visit: ProjectsVisit, context: Context): Promise<Document> {
  const { title, description, card_type: cardType } = await projectOf(visit, context);
  const fields = new Map([
    ['title', title],
    ['content', description],
    ['card_type', cardType],
  ]);
  return formPage(visit, context, { fields, isOld: true });
}

async function formPage(visit: ProjectsVisit, context: Context, { fields, isOld, problem, preview }: Typed): Promise<Document> {
  const { view, owner } = visit;
  const { projects: text, common } = view.text;
  const heading = isOld ? text.editProject : text.newProject;
  const description = { name: 'content', label: text.description, value: fields.get('content') ?? '' };
  const options = <Name extends string>(names: readonly Name[], labels: Readonly<Record<Name, string>>) =>
    names.map((name) => [name, labels[name]] as const);
  const back = isOld ? projectsPath(view, owner, visit.params.id ?? '') : projectsPath(view, owner);
  return projectsDocument(visit, context, {
    title: heading,
    scripts: [COMPOSER_SCRIPT],
    ...(problem !== undefined && { status: 422 }),
    body: html`<h2>${heading}</h2>${problem !== undefined && fault(view, problem)}
<div class="narrow">${postForm(
      view,
      html`${field({ name: 'title', label: text.title, value: fields.get('title') ?? '', isRequired: true, isFirst: true, maxLength: MAX_TITLE })}
${'repository' in owner ? composer(view, { ...description, repository: owner.repository, preview }) : textArea({ ...description, maxLength: MAX_DESCRIPTION })}
${!isOld && select({ name: 'template_type', label: text.template, value: fields.get('template_type') ?? 'basic_kanban', options: options(TEMPLATES, text.templates) })}
${select({ name: 'card_type', label: text.cardType, value: fields.get('card_type') ?? 'text', options: options(CARD_TYPES, text.cardTypes) })}
<div class="buttons"><button class="primary">${isOld ? common.save : text.createProject}</button> <a class="button" href="${back}">${common.cancel}</a></div>`,
    )}</div>`,
  });
}

/** Creates a board from the input. */
export async function sendNewProject(visit: ProjectsVisit, context: Context): Promise<Reply> {
  const { fields, owner } = visit;
  const template = TEMPLATES.find((name) => name === fields.get('template_type')) ?? 'none';
  return send(visit, context, false, async () => (await createProject(context, owner, { ...readForm(fields), template })).id);
}

/** Changes a board according to the input. */
export async function sendProject(visit: ProjectsVisit, context: Context): Promise<Reply> {
  const project = await projectOf(visit, context);
  return send(visit, context, true, async () => {
    await editProject(context, project, readForm(visit.fields));
    return project.id;
  });
}

function readForm(fields: Fields) {
  const cardType = CARD_TYPES.find((name) => name === fields.get('card_type')) ?? 'text';
  return { title: fields.get('title') ?? '', description: fields.get('content') ?? '', cardType };
}

async function send(visit: ProjectsVisit, context: Context, isOld: boolean, write: () => Promise<number>): Promise<Reply> {
  const { fields, view, owner } = visit;
  try {
    if (fields.has('preview')) return await formPage(visit, context, { fields, isOld, preview: await rendered(visit, context) });
    return seeOther(context, projectsPath(view, owner, await write()).slice(view.root.length));
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    return formPage(visit, context, { fields, isOld, problem: error.message });
  }
}

async function rendered({ fields, view }: ProjectsVisit, context: Context): Promise<Html> {
  return prose(view, await described(context, fields.get('content') ?? ''));
}
