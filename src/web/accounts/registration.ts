import { activate, confirmEmail } from '../../accounts/activate.ts';
import { createUser } from '../../accounts/create.ts';
import { mailActivation, readLinkCode } from '../../accounts/mailed-links.ts';
import { type Context, inTransaction } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import type { HttpResponse } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { fault, openPage, pagePath, seeOther, type Visit } from '../page.ts';
import { signInBrowser } from '../visitor.ts';
import { newPasswordFields, newPasswordOf } from './new-password.ts';

/** Making an account, and activating it and its addresses by links from mails. */
export const registrationPages: readonly AnyRoute[] = [
  ...openPage({
    path: '/user/sign_up',
    get: async (visit, context) => (visit.visitor.user ? seeOther(context, '') : signUpForm(context, visit)),
    post: register,
  }),
  ...openPage({
    path: '/user/activate',
    get: async (visit) => confirmForm(visit, 'Activate your account', 'Activate'),
    post: async ({ fields, request }, context) => {
      const user = await readLinkCode(context, 'activate', fields.get('code') ?? '');
      if (!user || user.is_active) return badLink();
      await activate(context, user);
      return seeOther(context, '', { 'set-cookie': await signInBrowser(context, request, { ...user, is_active: true }, false) });
    },
  }),
  ...openPage({
    path: '/user/activate_email',
    get: async (visit) => confirmForm(visit, 'Confirm your e-mail address', 'Confirm'),
    post: async ({ fields }, context) => {
      const email = fields.get('email') ?? '';
      const user = await readLinkCode(context, 'confirm', fields.get('code') ?? '', email);
      const confirmed = user && (await confirmEmail(context, user, email));
      return confirmed ? { title: 'Your e-mail address is confirmed', body: html`<p>${email}</p>` } : badLink();
    },
  }),
];

async function register(visit: Visit, context: Context): Promise<Document | HttpResponse> {
  const { fields, request } = visit;
  const { registration } = context.settings;
  if (!registration.enabled) return closed();
  try {
    const password = newPasswordOf(context, fields);
    const account = { name: fields.get('user_name') ?? '', email: fields.get('email') ?? '', password };
    const user = await inTransaction(context, async (context) => {
      const user = await createUser(context, account);
      if (!user.is_active && registration.confirmEmail) await mailActivation(context, user);
      return user;
    });
    if (user.is_active) return seeOther(context, '', { 'set-cookie': await signInBrowser(context, request, user, false) });
    const next = registration.confirmEmail ? 'Open the link in the mail that was sent to you.' : 'An administrator has to activate it.';
    return { title: 'The account is made', body: html`<p>${next}</p>` };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return signUpForm(context, visit, error.message, 422);
  }
}

function signUpForm(context: Context, { fields, token }: Visit, problem?: string, status = 200): Document {
  if (!context.settings.registration.enabled) return closed();
  return {
    title: 'Make an account',
    status,
    body: html`${problem && fault(problem)}
<form method="post" action="${pagePath(context, 'user/sign_up')}">${token}
<label for="user_name">User name</label>
<input id="user_name" name="user_name" value="${fields.get('user_name') ?? ''}" autocomplete="username" required>
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" value="${fields.get('email') ?? ''}" autocomplete="email" required>
${newPasswordFields()}
<button>Make the account</button>
</form>
<p><a href="${pagePath(context, 'user/login')}">Sign in to an account</a></p>`,
  };
}

function closed(): Document {
  return { title: 'Registration is closed', status: 403, body: html`<p>Ask an administrator for an account.</p>` };
}

/** Nothing happens by looking: programs look at links in mails too. */
function confirmForm({ fields, token }: Visit, title: string, label: string): Document {
  const hidden = ['code', 'email'].map((name) => html`<input type="hidden" name="${name}" value="${fields.get(name) ?? ''}">`);
  return { title, body: html`<form method="post">${token}${hidden}<button>${label}</button></form>` };
}

/** What is shown for a link that is not good (any more). */
export function badLink(): Document {
  return { title: 'The link is not good any more', status: 400, body: html`<p>It was used already, is too old, or is not complete.</p>` };
}
