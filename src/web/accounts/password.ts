import { findUserByEmail } from '../../access/find-user.ts';
import { countForm } from '../../accounts/form-limit.ts';
import { mailRecovery, readLinkCode } from '../../accounts/mailed-links.ts';
import { setPassword } from '../../accounts/set-password.ts';
import { userByPassword } from '../../accounts/sign-in/password.ts';
import type { Context } from '../../context.ts';
import { forbidden, HttpError, unprocessable } from '../../http/errors.ts';
import { HttpResponse } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { fault } from '../components/fault.ts';
import { field, postForm } from '../components/form.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { openPage, type Reply, type SignedInVisit, seeOther, userPage, type Visit } from '../page.ts';
import { path } from '../view.ts';
import { signInBrowser } from '../visitor.ts';
import { newPasswordFields, newPasswordOf } from './new-password.ts';
import { badLink } from './registration.ts';

/** Changing a password, and resetting a forgotten one. */
export const passwordPages: readonly AnyRoute[] = [
  ...userPage({ path: '/user/change_password', beforeDuties: true, get: async (visit) => changeForm(visit), post: change }),
  // Password managers look for the form here.
  ...openPage({ path: '/.well-known/change-password', get: async (_visit, context) => seeOther(context, 'user/change_password') }),
  // And for passkeys (https://w3c.github.io/webappsec-passkey-endpoints/passkey-endpoints.html).
  ...openPage({
    path: '/.well-known/passkey-endpoints',
    get: async (_visit, { settings }) => {
      const url = `${settings.server.rootUrl}user/settings/security`;
      return new HttpResponse({ enroll: url, manage: url });
    },
  }),
  ...openPage({
    path: '/user/forgot_password',
    get: async (visit, context) => forgottenForm(visit, context),
    post: async ({ fields, request, view }, context) => {
      const { account: text } = view.text;
      if (!context.settings.mail.enabled) return noMail(view);
      await countForm(context, 'recover', request.ip);
      const user = await findUserByEmail(context.db, (fields.get('email') ?? '').trim());
      if (user?.type === 'individual' && user.is_active && !user.prohibit_login) await mailRecovery(context, user);
      // The same response for everybody, so that it does not reveal which accounts exist.
      return { title: text.lookIntoMail, body: html`<p>${text.linkSent}</p>` };
    },
  }),
  ...openPage({
    path: '/user/recover_account',
    get: async (visit, context) => {
      const code = visit.fields.get('code') ?? '';
      return (await readLinkCode(context, 'recover', code)) ? recoveryForm(visit, code) : badLink(visit.view);
    },
    post: recover,
  }),
];

async function change(visit: SignedInVisit, context: Context): Promise<Reply> {
  const { user, fields, request, visitor, view } = visit;
  const { account: text } = view.text;
  const isFixed = context.settings.users.disabledFeatures.includes('manage_credentials') && !user.must_change_password;
  if (isFixed) throw forbidden(text.passwordFixed);
  try {
    const password = newPasswordOf(context, visit);
    if (user.password_hash !== '') await confirmOld(visit, context);
    if (password === fields.get('old_password')) throw unprocessable(text.passwordSame);
    const changed = await setPassword(context, user, password);
    const cookie = await signInBrowser(context, request, changed, visitor.session?.is_remembered ?? false);
    return seeOther(context, '', { 'set-cookie': cookie });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return changeForm(visit, error);
  }
}

async function confirmOld({ user, fields, request, view }: SignedInVisit, context: Context): Promise<void> {
  try {
    await userByPassword(context, { name: user.name, password: fields.get('old_password') ?? '', ip: request.ip });
  } catch (error) {
    throw error instanceof HttpError && error.status === 401 ? unprocessable(view.text.account.oldPasswordWrong) : error;
  }
}

async function recover(visit: Visit, context: Context): Promise<Reply> {
  const code = visit.fields.get('code') ?? '';
  const user = await readLinkCode(context, 'recover', code);
  if (!user) return badLink(visit.view);
  try {
    await setPassword(context, user, newPasswordOf(context, visit));
    return seeOther(context, 'user/login');
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return recoveryForm(visit, code, error);
  }
}

function changeForm(visit: SignedInVisit, problem?: HttpError): Document {
  const { user, view } = visit;
  const { account: text } = view.text;
  const old = field({
    name: 'old_password',
    label: text.oldPassword,
    type: 'password',
    autocomplete: 'current-password',
    isRequired: true,
  });
  return {
    title: text.changePassword,
    status: problem?.status ?? 200,
    body: html`${problem && fault(view, problem.message)}
<p>${user.must_change_password ? text.mustChange : text.otherBrowsersEnd}</p>
${postForm(view, html`${user.password_hash !== '' && old}${newPasswordFields(visit)}<button class="primary">${text.changeIt}</button>`, {
  action: path(view, 'user/change_password'),
})}`,
  };
}

function forgottenForm({ view }: Visit, { settings }: Context): Document {
  const { account: text } = view.text;
  if (!settings.mail.enabled) return noMail(view);
  return {
    title: text.forgot,
    body: postForm(
      view,
      html`${field({ name: 'email', label: text.emailOfAccount, type: 'email', autocomplete: 'email', isRequired: true, isFirst: true })}
<button class="primary">${text.sendLink}</button>`,
      { action: path(view, 'user/forgot_password') },
    ),
  };
}

function noMail({ text: { account } }: Visit['view']): Document {
  return { title: account.noMail, status: 403, body: html`<p>${account.askForPassword}</p>` };
}

function recoveryForm(visit: Visit, code: string, problem?: HttpError): Document {
  const { view } = visit;
  const { account: text } = view.text;
  const hidden = html`<input type="hidden" name="code" value="${code}">`;
  return {
    title: text.setPassword,
    status: problem?.status ?? 200,
    body: html`${problem && fault(view, problem.message)}
${postForm(view, html`${hidden}${newPasswordFields(visit)}<button class="primary">${text.setIt}</button>`, { action: path(view, 'user/recover_account') })}`,
  };
}
