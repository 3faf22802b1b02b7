import { orgVisible, signedIn } from '../../access/requirements.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { pageOf } from '../../http/paging.ts';
import type { AnyRoute } from '../../http/route.ts';
import { ISSUE_ORDERS } from '../../issues/issue-filter.ts';
import { readState } from '../../issues/list-query.ts';
import { presentIssues } from '../../issues/present.ts';
import { searchIssues } from '../../issues/search/search.ts';
import { menu } from '../components/menu.ts';
import { pageLinks } from '../components/pages.ts';
import { tabs } from '../components/tabs.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { userPage, type Visit } from '../page.ts';
import { pullFacts } from '../pulls/row-facts.ts';
import { organizationPage } from '../resource-pages.ts';
import { icon, path, type View } from '../view.ts';
import {
  type DashboardChoice,
  dashboardFields,
  dashboardFilter,
  dashboardMenus,
  readDashboardChoice,
  SCOPES,
  type Scope,
} from './dashboard-filter.ts';
import { isFiltered } from './list-choice.ts';
import { issueRows } from './rows.ts';
import { savedMenu } from './saved-queries.ts';

/** The filters that issues have too. */
const ISSUE_SCOPES = SCOPES.slice(0, 4);

/** The issues, and the pull requests, that the reader has to do with in all repositories, or that there are in those of an organization. */
export const dashboardPages: readonly AnyRoute[] = [
  ...userPage({ path: '/issues', semaphore: 'searches', get: (visit, context) => dashboard(visit, context, false) }),
  ...userPage({ path: '/pulls', semaphore: 'searches', get: (visit, context) => dashboard(visit, context, true) }),
  ...(['issues', 'pulls'] as const).flatMap((page) =>
    organizationPage({
      path: `/org/:org/${page}`,
      needs: [signedIn, orgVisible()],
      semaphore: 'searches',
      get: ({ organization, ...visit }, context) => dashboard(visit, context, page === 'pulls', organization),
    }),
  ),
];

async function dashboard(visit: Visit, context: Context, isPull: boolean, organization?: User): Promise<Document> {
  const { view, fields } = visit;
  const { issues: text } = view.text;
  const { id } = signedInActor(context);
  const first = organization ? 'your_repositories' : 'created_by';
  const scopes = [first, ...(isPull ? SCOPES : ISSUE_SCOPES).filter((name) => name !== first)] as const;
  const scope = scopes.find((name) => name === fields.get('type')) ?? first;
  const choice = readDashboardChoice(fields, scope);
  const { state, q, sort } = choice;
  const page = pageOf(context, { page: Number(fields.get('page')) || 1 });
  const filter = { isPull, ...(await dashboardFilter(context, choice, id)) };
  const within = organization ? { ownerId: organization.id } : scope === 'your_repositories' ? { ownerId: id } : {};
  const count = async (isClosed: boolean) =>
    (await searchIssues(context, { ...filter, isClosed }, within, { ...page, offset: 1e12 })).total;
  const { issues, total } = await searchIssues(context, { ...filter, isClosed: readState(state) }, within, page, sort);
  const other = await count(state === 'open');
  const [open, closed] = state === 'open' ? [total, other] : [other, total];
  const above = organization ? `org/${encodeURIComponent(organization.name)}/` : '';
  const base = path(view, `${above}${isPull ? 'pulls' : 'issues'}`);
  const fieldsOf = (change: Partial<DashboardChoice>) => dashboardFields({ ...choice, ...change }, first);
  const queryOf = (change: Partial<DashboardChoice>) => {
    const query = new URLSearchParams(fieldsOf(change).map(([name, value]) => [name, value]));
    return query.size === 0 ? '' : `?${query}`;
  };
  const to = (change: Partial<DashboardChoice>) => base + queryOf(change);
  const filters = await dashboardMenus(view, context, choice, { organization, to });
  const orders = menu(
    text.sort,
    ISSUE_ORDERS.map(
      (order) => html`<a href="${to({ sort: order })}"${order === sort && html` aria-current="true"`}>${text.orders[order]}</a>`,
    ),
  );
  const title = titleOf(view, isPull, organization);
  return {
    title,
    layout: 'page',
    body: html`<h1>${title}</h1>
<div class="row list-bar">${tabs(
      view,
      text.scopes,
      scopes.map((name) => ({ href: to({ scope: name }), label: scopeLabel(view, name, organization), isCurrent: name === scope })),
    )}</div>
<div class="row list-bar">${searchForm(view, base, fieldsOf({ q: '' }), q)}${filters.menus}<a class="button push" href="${path(view, `${above}milestones`)}">${icon(view, 'milestone')} ${text.milestones}</a></div>
${filters.chosen}
<section class="box" aria-label="${title}"><header class="list-head">${tabs(view, text.states, [
      { href: to({ state: 'open' }), label: text.open(open), isCurrent: state === 'open' },
      { href: to({ state: 'closed' }), label: text.closed(closed), isCurrent: state === 'closed' },
    ])}<div class="push row">${orders}${!organization && (await savedMenu(view, context, { isPull, query: queryOf({}) }))}</div></header>
${issues.length > 0 ? issueRows(view, await presentIssues(context, issues), { withRepository: true, more: await pullFacts(view, context, issues) }) : html`<div class="empty plain-empty">${isFiltered(choice) ? text.noneMatch : text.nothingHere}</div>`}</section>
${pageLinks(view, { ...page, total })}`,
  };
}

function titleOf({ text: { issues } }: View, isPull: boolean, organization: User | undefined): string {
  if (organization) return (isPull ? issues.pullsOf : issues.issuesOf)(organization.name);
  return isPull ? issues.yourPulls : issues.yourIssues;
}

function scopeLabel({ text: { issues } }: View, scope: Scope, organization: User | undefined): string {
  const labels: Record<Scope, string> = {
    created_by: issues.createdByYou,
    assigned: issues.assignedToYou,
    mentioned: issues.mentioningYou,
    your_repositories: organization ? issues.inAllRepositories : issues.inYourRepositories,
    review_requested: issues.reviewRequested,
    reviewed_by: issues.reviewedByYou,
  };
  return labels[scope];
}

function searchForm(view: View, base: string, others: readonly (readonly [string, string])[], q: string): Html {
  const { issues: text } = view.text;
  return html`<form class="list-search" role="search" action="${base}" aria-label="${text.everywhere}">
${others.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="search" name="q" value="${q}" maxlength="1000" aria-label="${text.everywhere}" placeholder="${text.everywhere}"></form>`;
}
