import type { ShownVersion } from '../../../issues/history/present.ts';
import { userLink } from '../../components/avatar.ts';
import { menu } from '../../components/menu.ts';
import { timeAgo } from '../../components/numbers.ts';
import { type Html, html } from '../../html.ts';
import type { View } from '../../view.ts';

/** Versions that the menu lists; the page of the text has all. */
const IN_MENU = 6;

/** The context of a text's history. */
export interface TextHistory {
  /** The path of the issue or pull request. */
  readonly path: string;
  /** Of the comment; 0 for the description. */
  readonly id: number;
  /** The newest first. */
  readonly versions: readonly ShownVersion[];
  /** The original author of a migrated text. */
  readonly originalAuthor: string;
}

/** The URL of a page of histories. */
export function historyPath(
  path: string,
  page: 'overview' | 'list' | 'detail' | 'soft-delete',
  query: Record<string, number> = {},
): string {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return `${path}/content-history/${page}${search && `?${search}`}`;
}

/** The word "edited", which opens the list of versions. Texts without stored versions have no list. */
export function editedMark(view: View, history: TextHistory, isEdited: boolean): Html | false {
  const { history: text } = view.text;
  const { versions, path, id } = history;
  if (versions.length === 0) return isEdited && html` · ${text.edited}`;
  const all =
    versions.length > IN_MENU && html`<a href="${historyPath(path, 'list', { comment_id: id })}">${text.all(versions.length)}</a>`;
  const items = versions.slice(0, IN_MENU).map((version) => menuItem(view, history, version));
  return html` · ${menu(html`<span title="${text.showHistory}">${text.edited}</span>`, [...items, all], { className: 'left quiet edited' })}`;
}

function menuItem(view: View, history: TextHistory, version: ShownVersion): Html {
  const words = html`<strong>${authorName(history, version)}</strong> ${versionWord(view, version)} ${timeAgo(view, version.written_at)}`;
  if (version.is_deleted) return html`<span class="menu-note">${words}</span>`;
  return html`<a href="${historyPath(history.path, 'detail', { comment_id: history.id, history_id: version.id })}"><span>${words}</span></a>`;
}

/** The kind of change of a version. */
export function versionWord({ text: { history } }: View, { is_deleted: isDeleted, is_first: isFirst }: ShownVersion): string {
  if (isDeleted) return `(${history.deleted})`;
  return isFirst ? history.created : history.changed;
}

function authorName({ originalAuthor }: TextHistory, { is_first: isFirst, author }: ShownVersion): string {
  return isFirst && originalAuthor !== '' ? originalAuthor : author.login;
}

/** The author of a version, with a link to the account if there is one. */
export function versionAuthor(view: View, history: Pick<TextHistory, 'originalAuthor'>, { is_first: isFirst, author }: ShownVersion): Html {
  return isFirst && history.originalAuthor !== '' ? html`<strong>${history.originalAuthor}</strong>` : userLink(view, author);
}
