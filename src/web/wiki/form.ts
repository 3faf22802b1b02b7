import type { Context } from '../../context.ts';
import { badRequest, HttpError, notFound } from '../../http/errors.ts';
import { createPage, deletePage, editPage } from '../../wiki/change.ts';
import { pageOfTitle, titleOfPage } from '../../wiki/names.ts';
import { getPage } from '../../wiki/pages.ts';
import { COMPOSER_SCRIPT, composer } from '../components/composer.ts';
import { fault } from '../components/fault.ts';
import { actionButton, field, postForm } from '../components/form.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type Reply, seeOther } from '../page.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { unlessMissing } from '../unless-missing.ts';
import { wikiDocument } from './frame.ts';
import { renderWiki } from './render.ts';
import { requestedPage, wikiPath } from './requested.ts';
import { restorePage } from './revision.ts';

const MAX_TITLE = 255;
const MAX_MESSAGE = 1000;

interface Shown {
  /** The URL name of the edited page; undefined for a new one. */
  readonly page?: string | undefined;
  readonly title: string;
  readonly content: string;
  readonly message?: string;
  /** The commit that the text is of. */
  readonly commit?: string | undefined;
  readonly problem?: string;
  readonly preview?: Html;
}

/** The form of a new page: with the title of the one in the URL, if it does not exist. */
export async function newPage(visit: RepositoryVisit, context: Context): Promise<Document> {
  const page = requestedPage(visit);
  const isThere = (await unlessMissing(getPage(context, visit.repository, page))) !== undefined;
  const title = visit.fields.get('title') ?? (isThere ? '' : titleOfPage(page));
  return formPage(visit, context, { title: title.slice(0, MAX_TITLE), content: '' });
}

/** The form of a page that is there. */
export async function editedPage(visit: RepositoryVisit, context: Context): Promise<Document> {
  const page = requestedPage(visit);
  const { content, commit } = await getPage(context, visit.repository, page);
  // A page that is too large cannot be shown: saving the form would lose its text.
  if (content === undefined) throw badRequest(visit.view.text.wiki.tooLarge);
  return formPage(visit, context, { page, title: titleOfPage(page), content: content.toString('utf8'), commit: commit.oid });
}

/** The actions of the wiki forms. */
export async function changeWiki(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const { fields, repository, view } = visit;
  const isOld = (visit.params['*'] ?? '') !== '';
  const page = isOld ? requestedPage(visit) : undefined;
  const to = (path: string) => seeOther(context, path.slice(view.root.length));
  if (page !== undefined && fields.get('do') === 'delete') {
    await deletePage(context, repository, page);
    return to(wikiPath(visit));
  }
  if (page !== undefined && fields.get('do') === 'restore') return restorePage(visit, context);
  const shown = {
    page,
    title: fields.get('title') ?? '',
    content: (fields.get('content') ?? '').replaceAll('\r\n', '\n'),
    message: fields.get('message') ?? '',
    commit: fields.get('commit'),
  };
  if (fields.has('preview')) return formPage(visit, context, { ...shown, preview: await renderWiki(visit, context, shown.content) });
  try {
    return to(wikiPath(visit, await save(visit, context, shown)));
  } catch (error) {
    if (!(error instanceof HttpError) || ![400, 409, 422].includes(error.status)) throw error;
    // Of what is there now, so that sending the form once more replaces it.
    const commit = error instanceof ChangedMeanwhileError ? error.commit : shown.commit;
    return formPage(visit, context, { ...shown, commit, problem: error.message });
  }
}

/** Somebody else has saved the page since the form was opened. */
class ChangedMeanwhileError extends HttpError {
  /** The last one of the page. */
  readonly commit: string;

  constructor(message: string, commit: string) {
    super(409, message);
    this.commit = commit;
  }
}

/** @returns the URL name of the page */
async function save({ repository, view }: RepositoryVisit, context: Context, shown: Shown): Promise<string> {
  const { wiki: text } = view.text;
  const { page, commit } = shown;
  const title = shown.title.trim();
  if (title === '') throw badRequest(text.noTitle);
  if (title.length > MAX_TITLE) throw badRequest('[Title]: MaxSize');
  const message = (shown.message ?? '').trim().slice(0, MAX_MESSAGE);
  const content = Buffer.from(shown.content);
  if (page === undefined) {
    const made = pageOfTitle(title);
    await createPage(context, repository, made, content, message || `Add ${JSON.stringify(title)}`);
    return made;
  }
  const present = await unlessMissing(getPage(context, repository, page));
  if (!present) throw notFound();
  if (commit !== undefined && commit !== present.commit.oid) throw new ChangedMeanwhileError(text.conflict, present.commit.oid);
  // A title that was not touched keeps the name, which a push may have written in another way.
  const newPage = title === titleOfPage(page) ? page : pageOfTitle(title);
  await editPage(context, repository, page, { newPage, content, message: message || `Update ${JSON.stringify(newPage)}` });
  return newPage;
}

async function formPage(visit: RepositoryVisit, context: Context, shown: Shown): Promise<Document> {
  const { view, repository } = visit;
  const { wiki: text, common } = view.text;
  const { page, title, content, message, commit, problem, preview } = shown;
  const heading = page === undefined ? text.newPage : text.editPage(titleOfPage(page));
  const address = wikiPath(visit, page, page === undefined ? '_new' : '_edit');
  return wikiDocument(visit, context, {
    title: heading,
    heading,
    scripts: [COMPOSER_SCRIPT],
    ...(problem !== undefined && { status: 422 }),
    body: html`${problem !== undefined && fault(view, problem)}
${postForm(
  view,
  html`${commit !== undefined && html`<input type="hidden" name="commit" value="${commit}">`}
${field({ name: 'title', label: text.title, value: title, isRequired: true, isFirst: page === undefined, maxLength: MAX_TITLE })}
${composer(view, { name: 'content', label: text.text, value: content, rows: 20, repository, draft: address, preview })}
${field({ name: 'message', label: text.message, value: message, maxLength: MAX_MESSAGE })}
<div class="buttons"><button class="primary">${text.savePage}</button> <a class="button" href="${wikiPath(visit, page)}">${common.cancel}</a></div>`,
  { action: address },
)}
${page !== undefined && deletion(visit, page)}`,
  });
}

function deletion(visit: RepositoryVisit, page: string): Html {
  const { wiki: text } = visit.view.text;
  return html`<details class="menu wiki-delete"><summary>${text.deletePage}</summary><ul><li class="menu-text"><p>${text.deleteHint}</p>
${actionButton(visit.view, { action: wikiPath(visit, page), label: text.deletePage, fields: { do: 'delete' }, className: 'danger' })}</li></ul></details>`;
}
