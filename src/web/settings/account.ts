import { deleteUser } from '../../accounts/delete.ts';
import type { Context } from '../../context.ts';
import { forbidden, HttpError, unprocessable } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { confirmPassword } from '../accounts/confirm-password.ts';
import { fault } from '../components/fault.ts';
import { field, postForm } from '../components/form.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { type Reply, type SignedInVisit, seeOther, userPage } from '../page.ts';
import { path } from '../view.ts';
import { removedCookie } from '../visitor.ts';
import { settingsDocument } from './frame.ts';

const ROOT = 'user/settings/account';

/** The password of an account, and its end. */
export const accountSettingsPages: readonly AnyRoute[] = [
  ...userPage({ path: `/${ROOT}`, get: async (visit, context) => overview(visit, context) }),
  ...userPage({ path: `/${ROOT}/delete`, post: remove }),
];

async function remove(visit: SignedInVisit, context: Context): Promise<Reply> {
  const { user, fields } = visit;
  try {
    if (!mayDelete(context)) throw forbidden('the account cannot be deleted');
    await confirmPassword(visit, context);
    if (fields.get('name') !== user.name) throw unprocessable(visit.view.text.settings.nameDiffers);
    await deleteUser(context, user);
    return seeOther(context, '', { 'set-cookie': removedCookie(context) });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return overview(visit, context, error);
  }
}

function mayDelete({ settings }: Context): boolean {
  return !settings.users.disabledFeatures.includes('deletion');
}

function overview({ view, user }: SignedInVisit, context: Context, problem?: HttpError): Document {
  const text = view.text.settings;
  const deletion = html`<section class="danger-zone"><h2>${text.deleteAccount}</h2><p>${text.deleteAccountHint}</p>
${problem && fault(view, problem.message)}
${postForm(
  view,
  html`${field({ name: 'name', label: text.typeName(user.name), isRequired: true, autocomplete: 'off' })}
${user.password_hash !== '' && field({ name: 'password', label: text.yourPassword, type: 'password', isRequired: true, autocomplete: 'current-password' })}
<button class="danger">${text.deleteAccount}</button>`,
  { action: path(view, `${ROOT}/delete`) },
)}</section>`;
  const body = html`<h2>${text.password}</h2><p><a class="button" href="${path(view, 'user/change_password')}">${text.changePassword}</a></p>
${mayDelete(context) && deletion}`;
  return settingsDocument(view, context, { current: 'account', body, status: problem ? 422 : 200 });
}
