import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { listSavedQueries } from '../../issues/saved-queries/saved-queries.ts';
import { searchRepositories } from '../../repositories/search/search.ts';
import { requestedPage } from '../components/list-page.ts';
import { number } from '../components/numbers.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { savedRows } from '../issues/saved-queries.ts';
import type { Visit } from '../page.ts';
import { activityList } from '../people/activity-list.ts';
import { heatmapPlot } from '../people/heatmap.ts';
import { badges, repositoryPath } from '../repository/frame.ts';
import { icon, path } from '../view.ts';
import { waiting } from './waiting.ts';

/** Repositories that the side of the page lists. */
const MAX_REPOSITORIES = 15;

/** The dashboard of a user: pending work, news, and repositories. */
export async function dashboard(visit: Visit, context: Context, user: User): Promise<Document> {
  const { view } = visit;
  const { text } = view;
  const page = requestedPage(visit, context.settings);
  return {
    title: text.common.home,
    layout: 'page',
    body: html`<h1 class="visually-hidden">${text.common.home}</h1>
<div class="columns"><div>${page.page === 1 && html`${await waiting(view, context, user)}${await heatmapPlot(view, context, user)}`}
<h2>${text.people.activity}</h2>${await activityList(visit, context, { owner: user, withPrivate: true }, page)}</div>
<aside>${await savedQueries(visit, context, user)}${await repositories(visit, context, user)}</aside></div>`,
  };
}

/** The filters of lists of issues that the user keeps. */
async function savedQueries({ view }: Visit, context: Context, user: User): Promise<Html | false> {
  const saved = await listSavedQueries(context, user);
  return saved.length > 0 && html`<h2>${view.text.issues.savedQueries}</h2>${savedRows(view, saved)}`;
}

async function repositories({ view }: Visit, context: Context, user: User): Promise<Html> {
  const { text } = view;
  const search = { ownerId: user.id, includePrivate: true, order: { by: 'updated', direction: 'desc' } } as const;
  const found = await searchRepositories(context, search, { page: 1, limit: MAX_REPOSITORIES, offset: 0 });
  const create = html`<a class="button primary" href="${path(view, 'repo/create')}">${icon(view, 'plus')} ${text.common.newRepository}</a>`;
  if (found.total === 0) return html`<h2>${text.people.welcome}</h2><p>${text.people.welcomeHint}</p><p>${create}</p>`;
  const own = path(view, encodeURIComponent(user.name));
  return html`<div class="row"><h2>${text.people.yourRepositories}</h2><span class="push">${create}</span></div>
<ul class="facts">${found.repositories.map(
    (repository) =>
      html`<li>${icon(view, repository.is_private ? 'lock' : 'repo')} <a href="${repositoryPath(view, repository)}">${repository.owner.name}/${repository.name}</a> ${badges(view, repository)}</li>`,
  )}</ul>
${found.total > MAX_REPOSITORIES && html`<p><a href="${own}?tab=repositories">${text.people.allRepositories} (${number(view, found.total)})</a></p>`}`;
}
