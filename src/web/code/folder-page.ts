import type { Context } from '../../context.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { repositoryDocument } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { codeSearchBox } from '../search/box.ts';
import { icon } from '../view.ts';
import { about } from './about.ts';
import { cloneMenu } from './clone-box.ts';
import { addFileMenu } from './edit/links.ts';
import { codePath, type Location } from './location.ts';
import { findReadme, readmeBox } from './readme.ts';
import { recentBranchNotices } from './recent-branches.ts';
import { refMenu } from './ref-menu.ts';
import { breadcrumbs, folderTable, latestCommit, readFolder } from './tree.ts';

/** A folder: its entries, and its README below them. The root of a repository also has a side bar. */
export async function folderPage(visit: RepositoryVisit, context: Context, location: Location): Promise<Document> {
  const { repository } = visit;
  const isHome = location.path === '' && location.kind === 'branch' && location.name === repository.default_branch;
  const title = location.path === '' ? (isHome ? '' : location.name) : location.path;
  const body = isHome ? homeBody(visit, context, location) : folderBody(visit, context, location);
  return repositoryDocument(visit, context, { tab: 'code', title, body });
}

async function* homeBody(visit: RepositoryVisit, context: Context, location: Location): AsyncGenerator<Html> {
  yield html`${await recentBranchNotices(visit, context)}<div class="columns"><div>`;
  yield* folderBody(visit, context, location);
  yield html`</div><aside>${await about(visit, context, location)}</aside></div>`;
}

/** The slowest part comes last: the commits of all entries. */
async function* folderBody(visit: RepositoryVisit, context: Context, location: Location): AsyncGenerator<Html> {
  const { view, repository } = visit;
  yield html`<div class="row code-bar">${await refMenu(view, context, location, 'src')} ${location.path !== '' && breadcrumbs(view, location)}
<span class="push row">${codeSearchBox(view, context, repository)}${addFileMenu(visit, context, location)}<a class="button" data-key="t" href="${codePath(view, 'find', { ...location, path: '' })}">${icon(view, 'search')} ${view.text.refs.goToFile}</a>${location.path === '' && cloneMenu(view, context, repository, location.name)}</span></div>`;
  yield html`<section class="box files-box" aria-label="${view.text.code.files}">${await latestCommit(view, context, location)}`;
  const entries = await readFolder(context, location);
  yield html`${folderTable(view, location, entries)}</section>`;
  const readme = findReadme(entries);
  if (readme) yield html`${await readmeBox(visit, context, location, readme)}`;
}
