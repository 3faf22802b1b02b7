import { canWrite, notArchived, signedIn } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import type { FormFields } from '../../http/bodies/fields.ts';
import { HttpError, unprocessable } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { endOfDay } from '../../issues/deadline.ts';
import { createMilestone, deleteMilestone, editMilestone } from '../../issues/milestones/milestones.ts';
import { MAX_DESCRIPTION } from '../../issues/milestones/schema.ts';
import { COMPOSER_SCRIPT, composer, composerBytes } from '../components/composer.ts';
import { fault } from '../components/fault.ts';
import { actionButton, field, postForm } from '../components/form.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type Reply, seeOther } from '../page.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { milestoneOf } from './milestone-of.ts';
import { renderComment } from './render.ts';
import type { ShownMilestone } from './shown.ts';

const needs = [signedIn, canWrite('issues', 'pulls'), notArchived];
/** As the API has it. */
const MAX_TITLE = 600;

/** Making, changing and deleting milestones. */
export const milestoneFormPages: readonly AnyRoute[] = [
  ...repositoryPage({
    path: '/:owner/:repo/milestones/new',
    needs,
    maxBytes: composerBytes,
    get: async (visit, context) => formPage(visit, context, { fields: visit.fields }),
    post: async (visit, context) => send(visit, context, async (given) => (await createMilestone(context, visit.repository, given)).id),
  }),
  ...repositoryPage({
    path: '/:owner/:repo/milestones/:id(^[0-9]+$)/edit',
    needs,
    maxBytes: composerBytes,
    get: async (visit, context) => {
      const { title, description, deadline_at: deadline } = await milestoneOf(visit, context);
      const date = deadline === null ? '' : new Date(deadline * 1000).toISOString().slice(0, 10);
      return formPage(visit, context, {
        fields: new Map([
          ['title', title],
          ['description', description],
          ['date', date],
        ]),
        isOld: true,
      });
    },
    post: async (visit, context) =>
      send(visit, context, async (given) => (await editMilestone(context, await milestoneOf(visit, context), given)).id, true),
  }),
  ...repositoryPage({
    path: '/:owner/:repo/milestones/:id(^[0-9]+$)/change',
    needs,
    post: async (visit, context) => {
      const milestone = await milestoneOf(visit, context);
      const { view, repository, fields } = visit;
      const action = fields.get('do');
      if (action === 'delete') await deleteMilestone(context, milestone);
      else await editMilestone(context, milestone, { isClosed: action === 'close' });
      const rest = action === 'delete' ? 'milestones' : `milestone/${milestone.id}`;
      return seeOther(context, repositoryPath(view, repository, rest).slice(view.root.length));
    },
  }),
];

interface Typed {
  readonly fields: ReadonlyMap<string, string>;
  readonly isOld?: boolean;
  readonly problem?: string;
  readonly preview?: Html;
}

async function formPage(visit: RepositoryVisit, context: Context, { fields, isOld, problem, preview }: Typed): Promise<Document> {
  const { view, repository } = visit;
  const { issues: text, common } = view.text;
  const heading = isOld ? text.editMilestone : text.newMilestone;
  return repositoryDocument(visit, context, {
    tab: 'issues',
    title: heading,
    scripts: [COMPOSER_SCRIPT],
    ...(problem !== undefined && { status: 422 }),
    body: html`<h2>${heading}</h2>${problem !== undefined && fault(view, problem)}
<div class="narrow">${postForm(
      view,
      html`${field({ name: 'title', label: text.title, value: fields.get('title') ?? '', isRequired: true, isFirst: true, maxLength: MAX_TITLE })}
${field({ name: 'date', label: text.dueDate, type: 'date', value: fields.get('date') ?? '' })}
${composer(view, { name: 'description', label: text.description, value: fields.get('description') ?? '', repository, preview })}
<div class="buttons"><button class="primary">${isOld ? common.save : text.createMilestone}</button> <a class="button" href="${repositoryPath(view, repository, 'milestones')}">${common.cancel}</a></div>`,
    )}</div>`,
  });
}

type Given = ReturnType<typeof readForm>;

function readForm(fields: FormFields) {
  const title = (fields.get('title') ?? '').trim();
  if (title === '') throw unprocessable('[Title]: Required');
  if (title.length > MAX_TITLE) throw unprocessable('[Title]: MaxSize');
  const date = fields.get('date') ?? '';
  const deadline = date === '' ? null : /^\d{4}-\d\d-\d\d$/.test(date) ? endOfDay(`${date}T00:00:00Z`, 'utc') : Number.NaN;
  if (Number.isNaN(deadline)) throw unprocessable('[Date]: YYYY-MM-DD');
  const description = fields.get('description') ?? '';
  if (description.length > MAX_DESCRIPTION) throw unprocessable('[Description]: MaxSize');
  return { title, description, deadline };
}

async function send(visit: RepositoryVisit, context: Context, write: (given: Given) => Promise<number>, isOld = false): Promise<Reply> {
  const { fields, view, repository } = visit;
  try {
    if (fields.has('preview')) {
      return await formPage(visit, context, {
        fields,
        isOld,
        preview: await renderComment(context, visit, fields.get('description') ?? ''),
      });
    }
    const id = await write(readForm(fields));
    return seeOther(context, repositoryPath(view, repository, `milestone/${id}`).slice(view.root.length));
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    return formPage(visit, context, { fields, isOld, problem: error.message });
  }
}

/** The actions of a milestone for users with write access. */
export function administration({ view, repository }: RepositoryVisit, { id, state }: ShownMilestone): Html {
  const { issues: text, common } = view.text;
  const own = repositoryPath(view, repository, `milestones/${id}`);
  const isOpen = state === 'open';
  return html`<span class="push row"><a class="button" href="${own}/edit">${common.edit}</a>
${actionButton(view, { action: `${own}/change`, label: isOpen ? text.closeMilestone : text.reopenMilestone, fields: { do: isOpen ? 'close' : 'open' } })}
<details class="menu"><summary>${common.delete}</summary><ul><li class="menu-text">${text.deleteMilestoneHint}
${actionButton(view, { action: `${own}/change`, label: text.deleteMilestone, fields: { do: 'delete' }, className: 'danger' })}</li></ul></details></span>`;
}
