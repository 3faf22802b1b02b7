import type { Context } from '../../context.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { repositoryDocument } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { codePath, type Location } from './location.ts';
import { refMenu } from './ref-menu.ts';

/** A branch, tag or commit without the path, for example after choosing another one: links to what exists. */
export async function missingPage(visit: RepositoryVisit, context: Context, location: Location): Promise<Document> {
  const { view } = visit;
  const { code: text } = view.text;
  const { name, path } = location;
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: path,
    status: 404,
    body: html`<div class="row code-bar">${await refMenu(view, context, location, 'src')}</div>
<div class="empty"><h2>${text.missing}</h2><p>${text.missingIn(path, name)}</p>
<p><a href="${codePath(view, 'src', { ...location, path: '' })}">${text.allFiles}</a></p></div>`,
  });
}
