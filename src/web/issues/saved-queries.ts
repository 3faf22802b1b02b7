import type { Repository } from '../../access/find-repository.ts';
import { fullName } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import {
  deleteSavedQuery,
  listSavedQueries,
  MAX_SAVED_NAME,
  type SavedQuery,
  saveQuery,
} from '../../issues/saved-queries/saved-queries.ts';
import { fault } from '../components/fault.ts';
import { actionButton, field, postForm } from '../components/form.ts';
import { menu } from '../components/menu.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type Reply, type SignedInVisit, seeOther, userPage } from '../page.ts';
import { repositoryPath } from '../repository/frame.ts';
import { icon, path, type View } from '../view.ts';

const PAGE = 'issues/saved';

/** A list whose filter can be saved. */
export interface SavableList {
  /** Undefined for the list over all repositories. */
  readonly repository?: Repository;
  readonly isPull: boolean;
  /** The current filter: `?state=closed`; empty without filters. */
  readonly query: string;
}

/** The saved filters of a list, and a form that saves the current one. */
export async function savedMenu(view: View, context: Context, { repository, isPull, query }: SavableList): Promise<Html | false> {
  if (!view.user) return false;
  const { issues: text } = view.text;
  const all = await listSavedQueries(context, view.user);
  const own = all.filter((saved) => saved.is_pull === isPull && saved.repository_id === (repository?.id ?? null));
  const fields = { do: 'save', repository: repository?.id ?? '', kind: isPull ? 'pulls' : 'issues', query: query.slice(1) };
  const hidden = Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  const form = postForm(
    view,
    html`${hidden}${field({ name: 'name', id: 'saved-name', label: text.saveQuery, isRequired: true, maxLength: MAX_SAVED_NAME })}<button>${view.text.common.save}</button>`,
    { action: path(view, PAGE), className: 'card-form' },
  );
  return menu(text.savedQueries, [
    ...own.map(
      (saved) => html`<a href="${hrefOf(view, saved)}"${`?${saved.query}` === query && html` aria-current="true"`}>${saved.name}</a>`,
    ),
    query !== '' && form,
    all.length > 0
      ? html`<a href="${path(view, PAGE)}">${text.manageQueries}</a>`
      : query === '' && html`<span class="menu-text">${text.saveHint}</span>`,
  ]);
}

function hrefOf(view: View, { repository, is_pull: isPull, query }: SavedQuery): string {
  const kind = isPull ? 'pulls' : 'issues';
  const list = repository ? repositoryPath(view, repository, kind) : path(view, kind);
  return query === '' ? list : `${list}?${query}`;
}

/** The saved filters as links. @param after the markup after each */
export function savedRows(view: View, saved: readonly SavedQuery[], after?: (saved: SavedQuery) => Html): Html {
  return html`<ul class="facts">${saved.map(
    (one) => html`<li>${icon(view, one.is_pull ? 'git-pull-request' : 'issue-opened')} <a href="${hrefOf(view, one)}">${one.name}</a>
<span class="muted">${one.repository && fullName(one.repository)}</span> ${after?.(one)}</li>`,
  )}</ul>`;
}

/** The filters that the reader keeps. */
export const savedQueryPages: readonly AnyRoute[] = userPage({
  path: `/${PAGE}`,
  get: (visit, context) => savedPage(visit, context),
  post: change,
});

async function savedPage({ view, user }: SignedInVisit, context: Context, problem?: string): Promise<Document> {
  const { issues: text, common } = view.text;
  const saved = await listSavedQueries(context, user);
  const remove = ({ id }: SavedQuery) =>
    actionButton(view, { action: path(view, PAGE), label: common.delete, fields: { do: 'delete', id }, className: 'link' });
  return {
    title: text.savedQueries,
    ...(problem !== undefined && { status: 422 }),
    body: html`${problem !== undefined && fault(view, problem)}${saved.length > 0 ? savedRows(view, saved, remove) : html`<p>${text.saveHint}</p>`}`,
  };
}

async function change(visit: SignedInVisit, context: Context): Promise<Reply> {
  const { fields, user } = visit;
  try {
    if (fields.get('do') === 'delete') {
      await deleteSavedQuery(context, user, idIn(fields.get('id')));
      return seeOther(context, PAGE);
    }
    const isPull = fields.get('kind') === 'pulls';
    const repositoryId = fields.get('repository') ? idIn(fields.get('repository')) : null;
    const query = String(new URLSearchParams(fields.get('query') ?? ''));
    await saveQuery(context, user, { name: fields.get('name') ?? '', repositoryId, isPull, query });
    return seeOther(context, PAGE);
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    return savedPage(visit, context, error.message);
  }
}

function idIn(value: string | undefined): number {
  const id = Number(value);
  if (!Number.isSafeInteger(id) || id <= 0) throw notFound();
  return id;
}
