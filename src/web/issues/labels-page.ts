import { anyRead, canWrite, notArchived, signedIn } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import type { LabelRow } from '../../database/tables/issues.ts';
import { HttpError } from '../../http/errors.ts';
import { pageOf } from '../../http/paging.ts';
import type { AnyRoute } from '../../http/route.ts';
import { LABEL_SORTS, type LabelSort, listLabels } from '../../issues/labels/labels.ts';
import { presentLabel } from '../../issues/labels/present.ts';
import { fault } from '../components/fault.ts';
import { menu } from '../components/menu.ts';
import { pageLinks, withParameter } from '../components/pages.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type Reply, seeOther } from '../page.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import type { View } from '../view.ts';
import { labelChip } from './label.ts';
import { changeLabels, labelEdit, labelTemplates, newLabel } from './label-changes.ts';

/** Labels of an organization that are listed. */
const MAX_INHERITED = 100;

/** The labels of a repository. */
export const labelPages: readonly AnyRoute[] = repositoryPage({
  path: '/:owner/:repo/labels',
  needs: [anyRead],
  get: async (visit, context) => labelList(visit, context),
  postNeeds: [signedIn, canWrite('issues', 'pulls'), notArchived],
  post: change,
});

async function change(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const { fields, repository, view } = visit;
  try {
    await changeLabels(visit, context, { repository });
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    return labelList(visit, context, error.message);
  }
  const at = fields.get('do') === 'edit' ? `#label-${Number(fields.get('id')) || 0}` : '';
  return seeOther(context, repositoryPath(view, repository, 'labels').slice(view.root.length) + at);
}

async function labelList(visit: RepositoryVisit, context: Context, problem?: string): Promise<Document> {
  const { view, repository, access } = visit;
  const { issues: text } = view.text;
  const page = pageOf(context, { page: Number(visit.fields.get('page')) || 1, limit: 50 });
  const sort = LABEL_SORTS.find((name) => name === visit.fields.get('sort')) ?? 'alphabetically';
  const { labels, total } = await listLabels(context, { repository }, page, sort);
  const mayWrite = (access.canWrite('issues') || access.canWrite('pulls')) && !repository.is_archived;
  return repositoryDocument(visit, context, {
    tab: 'issues',
    title: text.labels,
    ...(problem !== undefined && { status: 422 }),
    body: html`<h2>${text.labels}</h2>
${problem !== undefined && fault(view, problem)}
${mayWrite && newLabel(view, visit.fields, problem !== undefined && visit.fields.get('do') === 'create')}
${total > 0 ? html`<section class="box" aria-label="${text.labels}"><header class="list-head"><span>${text.labelsInAll(total)}</span><span class="push">${sortMenu(view, sort)}</span></header><ul class="rows">${labels.map((label) => row(visit, context, label, mayWrite))}</ul></section>` : html`<div class="empty">${text.noLabels}</div>`}
${pageLinks(view, { ...page, total })}
${total === 0 && mayWrite && labelTemplates(view)}
${await inherited(visit, context)}`,
  });
}

function sortMenu(view: View, current: LabelSort): Html {
  const { issues: text } = view.text;
  return menu(
    text.sort,
    LABEL_SORTS.map(
      (sort) =>
        html`<a href="${withParameter(view, 'sort', sort)}"${sort === current && html` aria-current="true"`}>${text.labelOrders[sort]}</a>`,
    ),
  );
}

function row({ view, repository }: RepositoryVisit, context: Context, label: LabelRow, mayWrite: boolean): Html {
  const { issues: text } = view.text;
  const shown = presentLabel(context, label, repository);
  const open = label.issues_count - label.closed_issues_count;
  return html`<li id="label-${label.id}" class="label-row">${labelChip(view, shown, `${repositoryPath(view, repository, 'issues')}?labels=${label.id}`)}
<span class="muted grow">${label.description}</span>
<span class="muted nowrap">${text.openIssues(open)}</span>
${mayWrite && labelEdit(view, label)}</li>`;
}

/** The labels of the organization, which all its repositories have. */
async function inherited({ view, repository }: RepositoryVisit, context: Context): Promise<Html | false> {
  if (repository.owner.type !== 'organization') return false;
  const organization = repository.owner;
  const { labels } = await listLabels(context, { organization }, { page: 1, limit: MAX_INHERITED, offset: 0 });
  if (labels.length === 0) return false;
  const { issues: text } = view.text;
  const list = repositoryPath(view, repository, 'issues');
  return html`<h3>${text.organizationLabels}</h3><section class="box" aria-label="${text.organizationLabels}"><ul class="rows">${labels.map(
    (label) =>
      html`<li>${labelChip(view, presentLabel(context, label, { owner: organization, name: '' }), `${list}?labels=${label.id}`)} <span class="muted grow">${label.description}</span></li>`,
  )}</ul></section>`;
}
