import { searchEmails } from '../../accounts/emails/emails.ts';
import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import type { Visit } from '../page.ts';
import { plainPage } from '../resource-pages.ts';
import { path } from '../view.ts';
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
  const { emails, total } = await searchEmails(context, keyword, page);
  const mark = (isSet: boolean) => (isSet ? owners.yes : owners.no);
  const rows = emails.map(
    ({ email, name: username, is_primary: isPrimary, is_activated: isActivated }) => html`<tr><td>${email}</td>
<td><a href="${path(view, `${ADMIN_PATHS.users}/${encodeURIComponent(username)}`)}">${username}</a></td><td>${mark(isPrimary)}</td><td>${mark(isActivated)}</td></tr>`,
  );
  const heads = [owners.email, text.userName, owners.primary, owners.confirmed];
  const list = listOrEmpty(visit, page, { total, rows: table(text.pages.emails, heads, rows), empty: text.noneFound });
  return adminDocument(view, context, { current: 'emails', body: html`${searchForm(view, 'emails', keyword)}${list}` });
}
