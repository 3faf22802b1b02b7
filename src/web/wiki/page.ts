import type { Context } from '../../context.ts';
import { summary } from '../../git/objects/commits.ts';
import { titleOfPage } from '../../wiki/names.ts';
import { getPage, rawWikiFile, type WholePage } from '../../wiki/pages.ts';
import { timeAgo } from '../components/numbers.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { type Reply, seeOther } from '../page.ts';
import { repositoryPath } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { unlessMissing } from '../unless-missing.ts';
import { icon } from '../view.ts';
import { mayWrite, wikiDocument } from './frame.ts';
import { listSome } from './list.ts';
import { renderWiki } from './render.ts';
import { HOME, requestedPage, wikiPath } from './requested.ts';

/** A page of a wiki with its side bar and footer. */
export async function wikiPage(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const page = requestedPage(visit);
  const found = await unlessMissing(getPage(context, visit.repository, page));
  return found ? shownPage(visit, context, found) : missingPage(visit, context, page);
}

async function shownPage(visit: RepositoryVisit, context: Context, found: WholePage): Promise<Document> {
  const { view } = visit;
  const { wiki: text, common } = view.text;
  const { page, commit } = found;
  const title = titleOfPage(page);
  const content = found.content === undefined ? undefined : await renderWiki(visit, context, found.content);
  const sideBar = page !== '_Sidebar' && found.sidebar !== undefined && (await renderWiki(visit, context, found.sidebar));
  const footer = page !== '_Footer' && found.footer !== undefined && (await renderWiki(visit, context, found.footer));
  const article = html`<div>${content ?? html`<p class="empty">${text.tooLarge} <a href="${rawPath(visit, page)}">${text.raw}</a></p>`}
${footer && html`<footer class="wiki-footer" aria-label="${text.footer}">${footer}</footer>`}</div>`;
  return wikiDocument(visit, context, {
    title,
    heading: title,
    beside: html`${mayWrite(visit) && html`<a class="button" href="${wikiPath(visit, page, '_edit')}">${icon(view, 'pencil')} ${common.edit}</a>`}
<a class="button" href="${wikiPath(visit, page, '_revision')}">${icon(view, 'history')} ${text.history}</a>`,
    body: html`<p class="muted wiki-changed">${text.changed} ${timeAgo(view, commit.committer.seconds)} · <strong>${commit.author.name}</strong> · ${summary(commit.message)}</p>
${sideBar ? html`<div class="columns">${article}<aside class="wiki-side" aria-label="${text.sideBar}">${sideBar}</aside></div>` : article}`,
  });
}

/** Other files of the wiki are served as they are; for a missing page it shows the possible actions. */
async function missingPage(visit: RepositoryVisit, context: Context, page: string): Promise<Reply> {
  const { view, params, repository } = visit;
  const { wiki: text } = view.text;
  const file = params['*'] ?? '';
  if (file !== '' && (await unlessMissing(rawWikiFile(context, repository, file, page)))) {
    return seeOther(context, rawPath(visit, file.split('/').map(encodeURIComponent).join('/')).slice(view.root.length));
  }
  const pages = page === HOME ? await listSome(visit, context) : undefined;
  const isEmpty = page === HOME && pages === undefined;
  const create = isEmpty ? wikiPath(visit, '', '_new') : wikiPath(visit, page, '_new');
  const button = mayWrite(visit) && html`<p><a class="button primary" href="${create}">${isEmpty ? text.createFirst : text.create}</a></p>`;
  if (pages)
    return wikiDocument(visit, context, { title: text.wiki, heading: text.wiki, body: html`<p>${text.noHome}</p>${pages}${button}` });
  return wikiDocument(visit, context, {
    title: text.wiki,
    heading: text.wiki,
    ...(!isEmpty && { status: 404 }),
    body: html`<div class="empty"><h3>${isEmpty ? text.empty : text.noSuchPage}</h3><p>${isEmpty ? text.emptyHint : text.noSuchPageHint}</p>${button}</div>`,
  });
}

function rawPath({ view, repository }: RepositoryVisit, page: string): string {
  return repositoryPath(view, repository, `wiki/raw/${page}`);
}
