import { searchEmails } from '../../accounts/emails/emails.ts';
import type { Context } from '../../context.ts';
import type { FormFields } from '../../http/bodies/fields.ts';
import type { AnyRoute } from '../../http/route.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { withParameter } from '../components/pages.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import type { Visit } from '../page.ts';
import { plainPage } from '../resource-pages.ts';
import { path } from '../view.ts';
import { flagMenu } from './flag-menu.ts';
import { ADMIN_NEEDS, ADMIN_PATHS, adminDocument, searchForm, table } from './frame.ts';

/** The e-mail addresses of all users. */
export const emailPages: readonly AnyRoute[] = plainPage({
  path: `/${ADMIN_PATHS.emails}`,
  needs: ADMIN_NEEDS,
  semaphore: 'searches',
  get: emails,
});

async function emails(visit: Visit, context: Context): Promise<Document> {
  const { view, fields } = visit;
  const { admin: text, owners } = view.text;
  const page = requestedPage(visit, context.settings);
  const keyword = (fields.get('q') ?? '').trim().slice(0, 255);
  const [isActivated, isPrimary] = [flagOf(fields, 'is_activated'), flagOf(fields, 'is_primary')];
  const direction = fields.get('sort') === 'reverseemail' ? 'desc' : 'asc';
  const { emails, total } = await searchEmails(context, { keyword, isActivated, isPrimary, direction }, page);
  const mark = (isSet: boolean) => (isSet ? owners.yes : owners.no);
  const rows = emails.map(
    ({ email, name: username, is_primary: isPrimary, is_activated: isActivated }) => html`<tr><td>${email}</td>
<td><a href="${path(view, `${ADMIN_PATHS.users}/${encodeURIComponent(username)}`)}">${username}</a></td><td>${mark(isPrimary)}</td><td>${mark(isActivated)}</td></tr>`,
  );
  const sort = direction === 'asc' ? 'reverseemail' : undefined;
  const heads = [
    { label: owners.email, direction, href: withParameter(view, 'sort', sort) } as const,
    text.userName,
    owners.primary,
    owners.confirmed,
  ];
  const menus = html`${flagMenu(view, { name: 'is_activated', label: owners.confirmed, value: isActivated })}${flagMenu(view, { name: 'is_primary', label: owners.primary, value: isPrimary })}${direction === 'desc' && html`<input type="hidden" name="sort" value="reverseemail">`}`;
  const list = listOrEmpty(visit, page, { total, rows: table(text.pages.emails, heads, rows), empty: text.noneFound });
  return adminDocument(view, context, { current: 'emails', body: html`${searchForm(view, 'emails', keyword, menus)}${list}` });
}

/** A filter of the URL, 1 or 0 as in Gitea's links. */
function flagOf(fields: FormFields, name: string): boolean | undefined {
  const value = fields.get(name);
  return value === '1' || value === 'true' ? true : value === '0' || value === 'false' ? false : undefined;
}
