import { addEmails, confirmAgain, deleteEmails, listEmails, makePrimary } from '../../accounts/emails/emails.ts';
import type { Context } from '../../context.ts';
import type { EmailAddress, User } from '../../database/tables/accounts.ts';
import type { AnyRoute } from '../../http/route.ts';
import { field, postForm } from '../components/form.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type SignedInVisit, seeOther, userPage } from '../page.ts';
import { settingsDocument } from '../settings/frame.ts';
import { path, type View } from '../view.ts';
import { confirmPassword, passwordField } from './confirm-password.ts';

const ROOT = 'user/settings/emails';

/** The user's e-mail addresses: which is the primary one, which are confirmed. */
export const emailPages: readonly AnyRoute[] = [
  ...userPage({ path: `/${ROOT}`, get: overview }),
  ...action('add', async ({ user, fields }, context) => {
    await addEmails(context, user, [fields.get('email') ?? '']);
  }),
  ...action('primary', async (visit, context) => {
    // A password reset goes to the primary address: an open browser must not be enough to change it.
    await confirmPassword(visit, context);
    await makePrimary(context, visit.user, idOf(visit));
  }),
  ...action('confirm', (visit, context) => confirmAgain(context, visit.user, idOf(visit))),
  ...action('remove', ({ user, fields }, context) => deleteEmails(context, user, [fields.get('email') ?? ''])),
];

function action(name: string, act: (visit: SignedInVisit, context: Context) => Promise<void>): AnyRoute[] {
  return userPage({
    path: `/${ROOT}/${name}`,
    post: async (visit, context) => {
      await act(visit, context);
      return seeOther(context, ROOT);
    },
  });
}

function idOf({ fields }: SignedInVisit): number {
  return Number(fields.get('id')) || 0;
}

async function overview({ view, user }: SignedInVisit, context: Context): Promise<Document> {
  const { account: text } = view.text;
  const addresses = await listEmails(context.db, user);
  const another = field({ name: 'email', label: text.anotherAddress, type: 'email', autocomplete: 'email', isRequired: true });
  return settingsDocument(view, context, {
    current: 'emails',
    body: html`<ul class="rows box">${addresses.map((address) => row(view, user, address, context))}</ul>
${postForm(view, html`${another}<button class="primary">${text.add}</button>`, { action: path(view, `${ROOT}/add`) })}`,
  });
}

function row(view: View, user: User, { id, email, is_primary, is_activated }: EmailAddress, { settings }: Context): Html {
  const { account: text } = view.text;
  const form = (name: string, label: string, more?: Html) =>
    postForm(
      view,
      html`<input type="hidden" name="id" value="${id}"><input type="hidden" name="email" value="${email}">${more}<button>${label}</button>`,
      { action: path(view, `${ROOT}/${name}`), className: 'inline' },
    );
  return html`<li><div>${email} ${is_primary && html`<span class="badge success">${text.primary}</span>`}${!is_activated && html`<span class="badge warning">${text.notConfirmed}</span>`}
${!is_primary && is_activated && form('primary', text.makePrimary, passwordField({ user, view }))}</div>
<span class="push">${!is_activated && settings.mail.enabled && form('confirm', text.sendAgain)}
${!is_primary && form('remove', text.remove)}</span></li>\n`;
}
