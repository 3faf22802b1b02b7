import type { Context } from '../../context.ts';
import { pageOf } from '../../http/paging.ts';
import type { AnyRoute } from '../../http/route.ts';
import type { IssueFilter } from '../../issues/issue-filter.ts';
import { readState, readWords } from '../../issues/list-query.ts';
import { presentIssues } from '../../issues/present.ts';
import { searchIssues } from '../../issues/search/search.ts';
import { pageLinks } from '../components/pages.ts';
import { tabs } from '../components/tabs.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type SignedInVisit, userPage } from '../page.ts';
import { pullFacts } from '../pulls/row-facts.ts';
import { icon, path, type View } from '../view.ts';
import { issueRows } from './rows.ts';
import { savedMenu } from './saved-queries.ts';

/** What the reader has to do with the issues and pull requests that are shown; the words of the parameter `type`. */
const SCOPES = ['created_by', 'assigned', 'mentioned', 'review_requested', 'reviewed_by'] as const;
type Scope = (typeof SCOPES)[number];

/** The issues, and the pull requests, of the signed-in user in all repositories. */
export const dashboardPages: readonly AnyRoute[] = [
  ...userPage({ path: '/issues', semaphore: 'searches', get: (visit, context) => dashboard(visit, context, false) }),
  ...userPage({ path: '/pulls', semaphore: 'searches', get: (visit, context) => dashboard(visit, context, true) }),
];

async function dashboard({ view, fields, user }: SignedInVisit, context: Context, isPull: boolean): Promise<Document> {
  const { issues: text } = view.text;
  const scopes = isPull ? SCOPES : SCOPES.slice(0, 3);
  const scope = scopes.find((name) => name === fields.get('type')) ?? 'created_by';
  const state = fields.get('state') === 'closed' ? 'closed' : 'open';
  const q = (fields.get('q') ?? '').slice(0, 1000);
  const page = pageOf(context, { page: Number(fields.get('page')) || 1 });
  const filter = { isPull, words: readWords(q), ...filterOf(scope, user.id) };
  const count = async (isClosed: boolean) => (await searchIssues(context, { ...filter, isClosed }, {}, { ...page, offset: 1e12 })).total;
  const { issues, total } = await searchIssues(context, { ...filter, isClosed: readState(state) }, {}, page);
  const other = await count(state === 'open');
  const [open, closed] = state === 'open' ? [total, other] : [other, total];
  const base = path(view, isPull ? 'pulls' : 'issues');
  const to = (change: { type?: Scope; state?: string }) => base + queryOf({ type: scope, state, q, ...change });
  const title = isPull ? text.yourPulls : text.yourIssues;
  return {
    title,
    layout: 'page',
    body: html`<h1>${title}</h1>
<div class="row list-bar">${tabs(
      view,
      text.scopes,
      scopes.map((type) => ({ href: to({ type }), label: scopeLabel(view, type), isCurrent: type === scope })),
    )}</div>
<div class="row list-bar">${searchForm(view, base, { type: scope, state, q })}<a class="button push" href="${path(view, 'milestones')}">${icon(view, 'milestone')} ${text.milestones}</a></div>
<section class="box" aria-label="${title}"><header class="list-head">${tabs(view, text.states, [
      { href: to({ state: 'open' }), label: text.open(open), isCurrent: state === 'open' },
      { href: to({ state: 'closed' }), label: text.closed(closed), isCurrent: state === 'closed' },
    ])}<div class="push row">${await savedMenu(view, context, { isPull, query: queryOf({ type: scope, state, q }) })}</div></header>
${issues.length > 0 ? issueRows(view, await presentIssues(context, issues), { withRepository: true, more: await pullFacts(view, context, issues) }) : html`<div class="empty plain-empty">${q === '' ? text.nothingHere : text.noneMatch}</div>`}</section>
${pageLinks(view, { ...page, total })}`,
  };
}

function filterOf(scope: Scope, id: number): IssueFilter {
  if (scope === 'assigned') return { assigneeId: id };
  if (scope === 'mentioned') return { mentionedId: id };
  if (scope === 'review_requested') return { reviewRequestedId: id };
  return scope === 'reviewed_by' ? { reviewedById: id } : { authorId: id };
}

function scopeLabel({ text: { issues } }: View, scope: Scope): string {
  const labels: Record<Scope, string> = {
    created_by: issues.createdByYou,
    assigned: issues.assignedToYou,
    mentioned: issues.mentioningYou,
    review_requested: issues.reviewRequested,
    reviewed_by: issues.reviewedByYou,
  };
  return labels[scope];
}

function queryOf({ type, state, q }: { type: Scope; state: string; q: string }): string {
  const query = new URLSearchParams({ ...(type !== 'created_by' && { type }), ...(state !== 'open' && { state }), ...(q !== '' && { q }) });
  return query.size === 0 ? '' : `?${query}`;
}

function searchForm(view: View, base: string, { type, state, q }: { type: Scope; state: string; q: string }): Html {
  const { issues: text } = view.text;
  return html`<form class="list-search" role="search" action="${base}" aria-label="${text.everywhere}">
<input type="hidden" name="type" value="${type}"><input type="hidden" name="state" value="${state}">
<input type="search" name="q" value="${q}" maxlength="1000" aria-label="${text.everywhere}" placeholder="${text.everywhere}"></form>`;
}
