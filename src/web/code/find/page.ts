import type { Context } from '../../../context.ts';
import { readTreeRecursive } from '../../../git/trees/tree-listing.ts';
import type { Document } from '../../document.ts';
import { html } from '../../html.ts';
import { repositoryDocument } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { codePath, type Location } from '../location.ts';
import { refMenu } from '../ref-menu.ts';

/** Files that the page lists; the script only searches these. */
const MAX_FILES = 20_000;
/** Found files that are shown. */
const MAX_SHOWN = 500;
const MAX_QUERY = 200;

/** All files of a revision, to open one by a part of its path. */
export async function findPage(visit: RepositoryVisit, context: Context, location: Location): Promise<Document> {
  const { view, repository, fields } = visit;
  const { text } = view;
  const listing = await readTreeRecursive(context.git.locate(repository), context.git.pool, location.commit.tree, MAX_FILES);
  const query = (fields.get('q') ?? '').slice(0, MAX_QUERY).toLowerCase();
  const files = (listing?.entries ?? []).filter(({ type, path }) => type === 'blob' && path.toLowerCase().includes(query));
  const root = { ...location, path: '' };
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: text.refs.goToFile,
    scripts: ['find-file.js'],
    body: html`<div class="row code-bar">${await refMenu(view, context, root, 'find')}
<form role="search" aria-label="${text.refs.goToFile}" class="push search-form" action="${codePath(view, 'find', root)}"><input type="search" name="q" value="${query}" maxlength="${MAX_QUERY}" aria-label="${text.refs.partOfPath}" placeholder="${text.refs.partOfPath}" autofocus data-find></form></div>
${files.length === 0 ? html`<p class="empty">${text.refs.noFile}</p>` : html`<ul class="rows box found-files">${files.slice(0, MAX_SHOWN).map(({ path }) => html`<li><a class="mono" href="${codePath(view, 'src', { ...location, path })}">${path}</a></li>`)}</ul>`}
${(files.length > MAX_SHOWN || listing?.truncated) && html`<p class="muted">${text.refs.moreFiles(Math.min(files.length, MAX_SHOWN))}</p>`}`,
  });
}
