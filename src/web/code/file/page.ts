import type { Context } from '../../../context.ts';
import { lastCommit } from '../../../git/history/last-commits.ts';
import { readCommit } from '../../../git/objects/commits.ts';
import type { TreeEntry } from '../../../git/objects/tree-entry.ts';
import { readSubmodules } from '../../../git/trees/gitmodules.ts';
import type { Document } from '../../document.ts';
import { type Html, html } from '../../html.ts';
import { repositoryDocument } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { codeSearchBox } from '../../search/box.ts';
import { icon } from '../../view.ts';
import { codePath, type Location } from '../location.ts';
import { refMenu } from '../ref-menu.ts';
import { breadcrumbs, latestCommit } from '../tree.ts';
import { fileBar } from './bar.ts';
import { type FileContent, readFile } from './content.ts';
import { fileView } from './views.ts';

/** A file: rendered or as text, with links to its raw bytes and its history. */
export async function filePage(visit: RepositoryVisit, context: Context, location: Location, entry: TreeEntry): Promise<Document> {
  const content = await readFile(context, location, entry);
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: location.path,
    body: body(visit, context, location, content),
    showsObject: content.media === 'pdf',
    scripts: ['lines.js'],
  });
}

async function* body(visit: RepositoryVisit, context: Context, location: Location, content: FileContent): AsyncGenerator<Html> {
  const { view } = visit;
  yield html`<div class="row code-bar">${await refMenu(view, context, location, 'src')} ${breadcrumbs(view, location)}
<span class="push">${codeSearchBox(view, context, visit.repository)}</span></div>`;
  yield html`<section class="box" aria-label="${location.path}">${await lastChange(visit, context, location)}`;
  const isSource = visit.fields.get('display') === 'source';
  yield fileBar(visit, context, location, content, isSource);
  yield* fileView(visit, context, location, content, isSource);
  yield html`</section>`;
}

/** The last commit that changed a file, as the head of its box. */
export async function lastChange({ view, repository }: RepositoryVisit, context: Context, location: Location): Promise<Html> {
  const folder = context.git.locate(repository);
  const { pool } = context.git;
  const changed = await lastCommit(folder, pool, location.commit.oid, location.path);
  return latestCommit(view, context, location, changed === undefined ? undefined : await readCommit(folder, pool, changed));
}

/** A submodule has no files here: a link to its repository. */
export async function submodulePage(visit: RepositoryVisit, context: Context, location: Location, entry: TreeEntry): Promise<Document> {
  const { view, repository } = visit;
  const { text } = view;
  const submodules = await readSubmodules(context.git.locate(repository), context.git.pool, location.commit.tree);
  const url = submodules.get(location.path)?.url ?? '';
  const shown = /^https?:\/\//i.test(url) ? html`<a rel="nofollow noopener" href="${url}">${url}</a>` : url;
  const parent = location.path.split('/').slice(0, -1).join('/');
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: location.path,
    body: html`<div class="row code-bar">${await refMenu(view, context, location, 'src')} ${breadcrumbs(view, location)}</div>
<div class="box"><div class="content"><p>${icon(view, 'file-submodule')} ${text.code.submoduleAt} <code>${entry.oid.slice(0, 10)}</code> ${shown}</p>
<p><a href="${codePath(view, 'src', { ...location, path: parent })}">${text.code.parentFolder}</a></p></div></div>`,
  });
}
