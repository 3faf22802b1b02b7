import { findUserByEmail } from '../../access/find-user.ts';
import { mailRecovery, readLinkCode } from '../../accounts/mailed-links.ts';
import { setPassword } from '../../accounts/set-password.ts';
import { userByPassword } from '../../accounts/sign-in/password.ts';
import type { Context } from '../../context.ts';
import { forbidden, HttpError, unprocessable } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { fault, openPage, pagePath, type SignedInVisit, seeOther, userPage, type Visit } from '../page.ts';
import { signInBrowser } from '../visitor.ts';
import { newPasswordFields, newPasswordOf } from './new-password.ts';
import { badLink } from './registration.ts';

/** Changing a password, and setting a new one when it was forgotten. */
export const passwordPages: readonly AnyRoute[] = [
  ...userPage({
    path: '/user/change_password',
    beforeDuties: true,
    get: async (visit, context) => changeForm(context, visit),
    post: async (visit, context) => {
      const { user, fields, request, visitor } = visit;
      const isFixed = context.settings.users.disabledFeatures.includes('manage_credentials') && !user.must_change_password;
      if (isFixed) throw forbidden('the password cannot be changed');
      try {
        const password = newPasswordOf(context, fields);
        if (user.password_hash !== '') await confirmOld(visit, context);
        if (password === fields.get('old_password')) throw unprocessable('the new password is the old one');
        const changed = await setPassword(context, user, password);
        const cookie = await signInBrowser(context, request, changed, visitor.session?.is_remembered ?? false);
        return seeOther(context, '', { 'set-cookie': cookie });
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        return changeForm(context, visit, error.message, error.status);
      }
    },
  }),
  ...openPage({
    path: '/user/forgot_password',
    get: async ({ token }, context) => forgottenForm(context, token),
    post: async ({ fields }, context) => {
      if (!context.settings.mail.enabled) return noMail();
      const user = await findUserByEmail(context.db, (fields.get('email') ?? '').trim());
      if (user?.type === 'individual' && user.is_active && !user.prohibit_login) await mailRecovery(context, user);
      // The same for all, so that nobody learns who has an account.
      return { title: 'Look into your mail', body: html`<p>If there is an account with this address, a link was sent to it.</p>` };
    },
  }),
  ...openPage({
    path: '/user/recover_account',
    get: async ({ fields, token }, context) => {
      const code = fields.get('code') ?? '';
      return (await readLinkCode(context, 'recover', code)) ? recoveryForm(token, code) : badLink();
    },
    post: async ({ fields, token }, context) => {
      const code = fields.get('code') ?? '';
      const user = await readLinkCode(context, 'recover', code);
      if (!user) return badLink();
      try {
        await setPassword(context, user, newPasswordOf(context, fields));
        return seeOther(context, 'user/login');
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        return recoveryForm(token, code, error.message, error.status);
      }
    },
  }),
];

async function confirmOld({ user, fields, request }: SignedInVisit, context: Context): Promise<void> {
  try {
    await userByPassword(context, { name: user.name, password: fields.get('old_password') ?? '', ip: request.ip });
  } catch (error) {
    throw error instanceof HttpError && error.status === 401 ? unprocessable('the old password is not right') : error;
  }
}

function changeForm(context: Context, { user, token }: SignedInVisit, problem?: string, status = 200): Document {
  return {
    title: 'Change the password',
    status,
    body: html`${problem && fault(problem)}
${user.must_change_password && html`<p>Before you go on, a password of your own has to be set.</p>`}
<form method="post" action="${pagePath(context, 'user/change_password')}">${token}
${
  user.password_hash !== '' &&
  html`<label for="old_password">Old password</label>
<input id="old_password" name="old_password" type="password" autocomplete="current-password" required>`
}
${newPasswordFields()}
<button>Change it</button>
</form>`,
  };
}

function forgottenForm(context: Context, token: Visit['token']): Document {
  if (!context.settings.mail.enabled) return noMail();
  return {
    title: 'Forgot the password?',
    body: html`<form method="post" action="${pagePath(context, 'user/forgot_password')}">${token}
<label for="email">E-mail address of the account</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<button>Send a link</button>
</form>`,
  };
}

function noMail(): Document {
  return { title: 'No mail is sent here', status: 403, body: html`<p>Ask an administrator for a new password.</p>` };
}

function recoveryForm(token: Visit['token'], code: string, problem?: string, status = 200): Document {
  return {
    title: 'Set a new password',
    status,
    body: html`${problem && fault(problem)}
<form method="post">${token}<input type="hidden" name="code" value="${code}">${newPasswordFields()}<button>Set it</button></form>`,
  };
}
