import type { Context } from '../../../context.ts';
import { commitChanges } from '../../../git/diff/changes.ts';
import { countCommits, type HistoryFilter, listCommits } from '../../../git/history/log.ts';
import { readCommits } from '../../../git/objects/commits.ts';
import { findEntry } from '../../../git/trees/trees.ts';
import { readPage } from '../../../http/paging.ts';
import { pageLinks } from '../../components/pages.ts';
import type { Document } from '../../document.ts';
import { type Html, html } from '../../html.ts';
import { repositoryDocument, repositoryPath } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { icon } from '../../view.ts';
import { commitRows } from '../commit/summary.ts';
import { codePath, type Location } from '../location.ts';
import { refMenu } from '../ref-menu.ts';
import { breadcrumbs } from '../tree.ts';
import { MAX_SEARCH, searchOf } from './search.ts';

const PAGE_SIZE = 30;

/** The commits of a branch, or those that changed a file or folder of it, newest first. */
export async function historyPage(visit: RepositoryVisit, context: Context, requested: Location): Promise<Document> {
  const location = await searchedLocation(context, requested);
  const { view, repository, fields } = visit;
  const { text } = view;
  const { path, commit } = location;
  const { pool } = context.git;
  const folder = context.git.locate(repository);
  const query = (fields.get('q') ?? '').slice(0, MAX_SEARCH);
  const filter: HistoryFilter = { head: commit.oid, ...(path !== '' && { path }), ...searchOf(query) };
  const page = readPage({ page: Number(fields.get('page')) }, { defaultSize: PAGE_SIZE, maxSize: PAGE_SIZE });
  const total = await countCommits(folder, pool, filter);
  const ids = await listCommits(folder, pool, filter, { skip: page.offset, limit: page.limit });
  const isEnd = page.offset + ids.length >= total && query === '';
  const feed = (type: string) =>
    repositoryPath(view, repository, `${type}/branch/${location.name.split('/').map(encodeURIComponent).join('/')}`);
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: text.commits.historyOf(path || location.name),
    ...(location.kind === 'branch' &&
      path === '' && { feeds: (['atom', 'rss'] as const).map((type) => ({ type, href: feed(type), title: location.name })) }),
    body: html`<div class="row code-bar">${await refMenu(view, context, location, 'commits')} ${path !== '' && breadcrumbs(view, location)}
<form role="search" aria-label="${text.commits.searchLabel}" class="push search-form" action="${codePath(view, 'commits', location)}"><input type="search" name="q" value="${query}" maxlength="${MAX_SEARCH}" aria-label="${text.commits.searchLabel}" placeholder="${text.commits.search}"></form></div>
<div class="row"><h2>${text.common.commits(total)}</h2><a class="button push" href="${repositoryPath(view, repository, 'graph')}">${icon(view, 'graph')} ${text.graph.title}</a></div>
${
  ids.length === 0
    ? html`<p class="empty">${query === '' ? text.commits.none : text.commits.noneFound}</p>`
    : await commitRows(visit, context, repository, await readCommits(folder, pool, ids))
}
${isEnd && path !== '' && (await earlierName(visit, context, location, ids.at(-1)))}
${pageLinks(view, { ...page, total })}`,
  });
}

/** A `search` after a branch searches all of the branch, unless it has a file of that name. */
async function searchedLocation({ git }: Context, location: Location): Promise<Location> {
  const { path, repository, commit } = location;
  const isSearch = path === 'search' && !(await findEntry(git.locate(repository), git.pool, commit.tree, path));
  return isSearch ? { ...location, path: '' } : location;
}

/** The history under the former name, if a file was renamed. @param first the first commit of the file under its current name */
async function earlierName(
  { view, repository }: RepositoryVisit,
  context: Context,
  location: Location,
  first?: string,
): Promise<Html | false> {
  if (first === undefined) return false;
  const changes = (await commitChanges(context.git.locate(repository), context.git.pool, [first])).get(first);
  const renamed = changes?.files.find((file) => file.path === location.path && file.status === 'renamed');
  const [commit] = await readCommits(context.git.locate(repository), context.git.pool, [first]);
  const [parent] = commit?.parents ?? [];
  if (renamed?.oldPath === undefined || parent === undefined) return false;
  const href = codePath(view, 'commits', { repository, kind: 'commit', name: parent, path: renamed.oldPath });
  return html`<p>${view.text.commits.renamedFrom} <code>${renamed.oldPath}</code>: <a href="${href}">${view.text.commits.olderName}</a></p>`;
}
