import type { Context } from '../../context.ts';
import { repositoryHtmlUrl } from '../../repositories/urls.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { repositoryDocument } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { icon } from '../view.ts';
import { wikiPath } from './requested.ts';

/** Whether the reader may change the wiki. */
export function mayWrite({ view, access, repository }: RepositoryVisit): boolean {
  return view.user !== null && access.canWrite('wiki') && !repository.is_archived;
}

/** A page of a wiki: a heading, links to actions, and its content. */
export function wikiDocument(
  visit: RepositoryVisit,
  context: Context,
  { heading, beside, body, ...rest }: Omit<Document, 'body'> & { heading: string; beside?: Html; body: Html },
): Promise<Document> {
  const { text } = visit.view;
  return repositoryDocument(visit, context, {
    ...rest,
    tab: 'wiki',
    body: html`<div class="row wiki-head"><h2>${heading}</h2><span class="push row">${beside}
<a class="button" href="${wikiPath(visit, '', '_pages')}">${icon(visit.view, 'list-unordered')} ${text.wiki.pages}</a>
${mayWrite(visit) && html`<a class="button" href="${wikiPath(visit, '', '_new')}">${icon(visit.view, 'plus')} ${text.wiki.newPage}</a>`}</span></div>
${body}`,
  });
}

/** The clone URL of the wiki. */
export function wikiCloneUrl({ view, repository }: RepositoryVisit, context: Context): Html {
  const { wiki: text, common } = view.text;
  const url = `${repositoryHtmlUrl(context.settings, repository)}.wiki.git`;
  return html`<p class="row wiki-clone"><span>${text.clone}</span> <code>${url}</code>
<button type="button" class="link" data-copy="${url}" data-copied="${common.copied}" aria-label="${common.copy}">${icon(view, 'copy')}</button></p>`;
}
