import type { Context } from '../../context.ts';
import { readCommit } from '../../git/commits.ts';
import { lastCommit } from '../../git/last-commits.ts';
import type { TreeEntry } from '../../git/tree-entry.ts';
import { bytes } from '../components/numbers.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { repositoryDocument } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { codePath, type Location } from './location.ts';
import { renderText } from './readme.ts';
import { refMenu } from './ref-menu.ts';
import { breadcrumbs, latestCommit } from './tree.ts';

/** Larger files are not shown, only offered for download. */
const MAX_SHOWN = 1024 * 1024;

/** A file: rendered or as text, with links to its bytes and its history. */
export async function filePage(visit: RepositoryVisit, context: Context, location: Location, entry: TreeEntry): Promise<Document> {
  const { view, repository } = visit;
  const { pool } = context.git;
  const folder = context.git.locate(repository);
  const info = await pool.info(folder, entry.oid);
  const size = info?.size ?? 0;
  const blob = size <= MAX_SHOWN ? await pool.read(folder, entry.oid, { maxSize: MAX_SHOWN }) : undefined;
  const isText = blob !== undefined && !blob.data.subarray(0, 8000).includes(0);
  const changed = await lastCommit(folder, pool, location.commit.oid, location.path);
  const commit = changed === undefined ? undefined : await readCommit(folder, pool, changed);
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: location.path,
    body: html`<div class="row code-bar">${await refMenu(view, context, location, 'src')} ${breadcrumbs(view, location)}</div>
<section class="box">${await latestCommit(view, context, location, commit)}
<div class="row content"><span class="muted">${bytes(view, size)}</span><span class="push"><a class="button" href="${codePath(view, 'raw', location)}">${view.text.code.raw}</a></span></div>
<div class="content">${isText ? await renderText(visit, context, location, blob.data.toString('utf8')) : html`<p class="muted">${view.text.code.notShown}</p>`}</div>
</section>`,
  });
}
