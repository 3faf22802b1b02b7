import { signedIn, siteAdmin } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import type { Settings } from '../../settings.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { path, type View } from '../view.ts';

/** The requirements of every administration page, as in the routes of the API. */
export const ADMIN_NEEDS = [signedIn, siteAdmin] as const;

/** The pages of the administration, in the order of their menu. */
export type AdminPage =
  | 'overview'
  | 'users'
  | 'emails'
  | 'badges'
  | 'organizations'
  | 'repositories'
  | 'unadopted'
  | 'packages'
  | 'auths'
  | 'hooks'
  | 'applications'
  | 'runners'
  | 'variables'
  | 'configuration'
  | 'monitor'
  | 'notices'
  | 'audit';

/** Their paths, without the leading slash. */
export const ADMIN_PATHS: Readonly<Record<AdminPage, string>> = {
  overview: '-/admin',
  users: '-/admin/users',
  emails: '-/admin/emails',
  badges: '-/admin/badges',
  organizations: '-/admin/orgs',
  repositories: '-/admin/repos',
  unadopted: '-/admin/repos/unadopted',
  packages: '-/admin/packages',
  auths: '-/admin/auths',
  hooks: '-/admin/hooks',
  applications: '-/admin/applications',
  runners: '-/admin/actions/runners',
  variables: '-/admin/actions/variables',
  configuration: '-/admin/config',
  monitor: '-/admin/monitor',
  notices: '-/admin/notices',
  audit: '-/admin/audit',
};

/** The administration pages that this instance has. */
export function adminPagesOf({ oauth2, packages }: Settings): AdminPage[] {
  return (Object.keys(ADMIN_PATHS) as AdminPage[]).filter(
    (page) => (page !== 'applications' || oauth2.enabled) && (page !== 'packages' || packages.enabled),
  );
}

/** A page of the administration, beside the menu of all of them. */
export function adminDocument(
  view: View,
  { settings }: Pick<Context, 'settings'>,
  { current, body, status, title }: { current: AdminPage; body: Html; status?: number; title?: string },
): Document {
  const { admin: text, common } = view.text;
  const heading = title ?? text.pages[current];
  return {
    title: `${heading} - ${common.administration}`,
    layout: 'page',
    ...(status !== undefined && { status }),
    body: html`<div class="with-menu"><nav class="side-menu" aria-label="${common.administration}">${adminPagesOf(settings).map(
      (page) => html`<a href="${path(view, ADMIN_PATHS[page])}"${page === current && html` aria-current="page"`}>${text.pages[page]}</a>`,
    )}</nav><div class="admin"><h1>${heading}</h1>${body}</div></div>`,
  };
}

/** A search above a list. */
export function searchForm(view: View, page: AdminPage, value: string, more: Html | false = false): Html {
  const { admin: text } = view.text;
  return html`<form class="row filters" role="search" action="${path(view, ADMIN_PATHS[page])}" aria-label="${text.search}">
<input type="search" name="q" value="${value}" maxlength="255" aria-label="${text.search}" placeholder="${text.search}">${more}<button>${text.search}</button></form>`;
}

/** The head of a column that the list can be sorted by. */
export interface SortedHead {
  readonly label: string;
  /** The current order of this column. */
  readonly direction: 'asc' | 'desc' | undefined;
  /** The URL that sorts by it, or reverses the order. */
  readonly href: string;
}

function sortedHead({ label, direction, href }: SortedHead): Html {
  const order = direction && `${direction}ending`;
  return html`<th scope="col"${order && html` aria-sort="${order}"`}><a href="${href}">${label}${direction && html` <span aria-hidden="true">${direction === 'asc' ? '↑' : '↓'}</span>`}</a></th>`;
}

/** A table that scrolls by itself if it is too wide. */
export function table(label: string, heads: readonly (string | SortedHead)[], rows: readonly Html[]): Html {
  return html`<div class="table-box box" role="region" tabindex="0" aria-label="${label}"><table class="facts"><thead><tr>${heads.map(
    (head) => (typeof head === 'string' ? html`<th scope="col">${head}</th>` : sortedHead(head)),
  )}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
