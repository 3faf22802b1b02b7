import { addEmails, confirmAgain, deleteEmails, listEmails, makePrimary } from '../../accounts/emails/emails.ts';
import type { Context } from '../../context.ts';
import type { EmailAddress } from '../../database/tables/accounts.ts';
import type { AnyRoute } from '../../http/route.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { pagePath, type SignedInVisit, seeOther, userPage } from '../page.ts';
import { settingsDocument } from '../settings/frame.ts';
import { confirmPassword } from './confirm-password.ts';

const ROOT = 'user/settings/emails';

/** The user's e-mail addresses: which is the primary one, which are confirmed. */
export const emailPages: readonly AnyRoute[] = [
  ...userPage({ path: `/${ROOT}`, get: overview }),
  ...action('add', async ({ user, fields }, context) => {
    await addEmails(context, user, [fields.get('email') ?? '']);
  }),
  ...action('primary', async (visit, context) => {
    // Who has the primary address can get a new password: an open browser is not enough to change it.
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

async function overview(visit: SignedInVisit, context: Context): Promise<Document> {
  const addresses = await listEmails(context.db, visit.user);
  const path = (name: string) => pagePath(context, `${ROOT}/${name}`);
  return settingsDocument(visit.view, context, {
    current: 'emails',
    body: html`<ul class="rows box">${addresses.map((address) => html`<li>${describe(address, visit, context)}</li>`)}</ul>
<form method="post" action="${path('add')}">${visit.token}
<label for="email">Another address</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<button>Add it</button>
</form>`,
  });
}

function describe({ id, email, is_primary, is_activated }: EmailAddress, { token }: SignedInVisit, context: Context) {
  const form = (name: string, label: string, more?: ReturnType<typeof html>) =>
    html`<form method="post" action="${pagePath(context, `${ROOT}/${name}`)}">${token}
<input type="hidden" name="id" value="${id}"><input type="hidden" name="email" value="${email}">${more}<button>${label}</button></form>`;
  const password = html`<label>Password <input name="password" type="password" autocomplete="current-password" required></label>`;
  return html`${email}${is_primary && ' (primary)'}${!is_activated && ' (not confirmed)'}
${!is_primary && is_activated && form('primary', 'Make it the primary one', password)}
${!is_activated && context.settings.mail.enabled && form('confirm', 'Send the link again')}
${!is_primary && form('remove', 'Remove')}`;
}
