import type { Context } from '../../context.ts';
import type { Commit } from '../../git/objects/commits.ts';
import { summary } from '../../git/objects/commits.ts';
import { type Page, readPage } from '../../http/paging.ts';
import { titleOfPage } from '../../wiki/names.ts';
import { type ListedPage, listPages, listRevisions } from '../../wiki/pages.ts';
import { timeAgo } from '../components/numbers.ts';
import { pageLinks } from '../components/pages.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { unlessMissing } from '../unless-missing.ts';
import { icon } from '../view.ts';
import { mayWrite, wikiCloneUrl, wikiDocument } from './frame.ts';
import { requestedPage, wikiPath } from './requested.ts';
import { commitPath, restoreButton } from './revision.ts';

const PAGE_SIZE = 50;

/** The list of all pages. */
export async function pageList(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { wiki: text } = visit.view.text;
  const rows = await listSome(visit, context);
  return wikiDocument(visit, context, {
    title: text.pages,
    heading: text.pages,
    body: html`${rows ?? html`<p class="empty">${text.empty}</p>`}
${mayWrite(visit) && html`<p class="muted">${text.specialHint}</p>`}${rows && wikiCloneUrl(visit, context)}`,
  });
}

/** The requested part of the list of wiki pages; undefined if there are none. */
export async function listSome(visit: RepositoryVisit, context: Context): Promise<Html | undefined> {
  const page = askedPart(visit);
  const found = await unlessMissing(listPages(context, visit.repository, page));
  if (!found || found.total === 0) return undefined;
  return html`<ul class="rows box">${found.pages.map((one) => row(visit, one))}</ul>${pageLinks(visit.view, { ...page, total: found.total })}`;
}

function row(visit: RepositoryVisit, { page, commit }: ListedPage): Html {
  return html`<li>${icon(visit.view, 'book')} <a class="wiki-name" href="${wikiPath(visit, page)}"><strong>${titleOfPage(page)}</strong></a>
<span class="muted">${timeAgo(visit.view, commit.committer.seconds)}</span></li>`;
}

/** The commits that changed a page. */
export async function revisionList(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository } = visit;
  const { wiki: text } = view.text;
  const page = requestedPage(visit);
  const part = askedPart(visit);
  const { commits, total } = await listRevisions(context, repository, page, part.page);
  const title = titleOfPage(page);
  return wikiDocument(visit, context, {
    title: text.historyOf(title),
    heading: text.historyOf(title),
    body: html`<p><a href="${wikiPath(visit, page)}">${icon(view, 'arrow-left')} ${title}</a> <span class="muted">${text.revisions(total)}</span></p>
<ul class="rows box">${commits.map((commit, index) => revision(visit, page, commit, part.page === 1 && index === 0))}</ul>${pageLinks(view, { ...part, total })}`,
  });
}

function revision(visit: RepositoryVisit, page: string, { oid, author, committer, message }: Commit, isNewest: boolean): Html {
  const { view } = visit;
  const shown = `${wikiPath(visit, page, '_revision')}&at=${oid}`;
  return html`<li><div class="grow"><div class="wiki-name"><a class="plain" href="${commitPath(visit, oid)}">${summary(message) || view.text.code.noMessage}</a></div>
<div class="muted">${author.name} ${timeAgo(view, committer.seconds)}</div></div>${!isNewest && restoreButton(visit, page, oid)}
<a class="button" href="${shown}">${view.text.wiki.showRevision}</a> <a class="mono" href="${commitPath(visit, oid)}">${oid.slice(0, 10)}</a></li>`;
}

function askedPart({ fields }: RepositoryVisit): Page {
  return readPage({ page: Number(fields.get('page')) || 1 }, { defaultSize: PAGE_SIZE, maxSize: PAGE_SIZE });
}
