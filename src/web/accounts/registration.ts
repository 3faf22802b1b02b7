import { activate, confirmEmail } from '../../accounts/activate.ts';
import { createUser, EmailTakenError } from '../../accounts/create.ts';
import { countForm } from '../../accounts/form-limit.ts';
import { mailActivation, mailAlreadyRegistered, readLinkCode } from '../../accounts/mailed-links.ts';
import { type Context, inTransaction } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import type { HttpResponse } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { fault } from '../components/fault.ts';
import { field, postForm } from '../components/form.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { openPage, seeOther, type Visit } from '../page.ts';
import { path, type View } from '../view.ts';
import { signInBrowser } from '../visitor.ts';
import { newPasswordFields, newPasswordOf } from './new-password.ts';
import { onwards } from './sign-in-form.ts';

/** Creating an account, and activating it and its e-mail addresses by links in mails. */
export const registrationPages: readonly AnyRoute[] = [
  ...openPage({
    path: '/user/sign_up',
    get: async (visit, context) => (visit.visitor.user ? onwards(context, visit) : signUpForm(context, visit)),
    post: register,
  }),
  ...openPage({
    path: '/user/activate',
    get: async (visit) => confirmForm(visit, 'user/activate', visit.view.text.account.activateTitle, visit.view.text.account.activate),
    post: async ({ fields, request, view }, context) => {
      const user = await readLinkCode(context, 'activate', fields.get('code') ?? '');
      if (!user || user.is_active) return badLink(view);
      await activate(context, user);
      return seeOther(context, '', { 'set-cookie': await signInBrowser(context, request, { ...user, is_active: true }, false) });
    },
  }),
  ...openPage({
    path: '/user/activate_email',
    get: async (visit) =>
      confirmForm(visit, 'user/activate_email', visit.view.text.account.confirmEmailTitle, visit.view.text.account.confirm),
    post: async ({ fields, view }, context) => {
      const email = fields.get('email') ?? '';
      const user = await readLinkCode(context, 'confirm', fields.get('code') ?? '', email);
      const confirmed = user && (await confirmEmail(context, user, email));
      return confirmed ? { title: view.text.account.emailConfirmed, body: html`<p>${email}</p>` } : badLink(view);
    },
  }),
];

async function register(visit: Visit, context: Context): Promise<Document | HttpResponse> {
  const { fields, request, view } = visit;
  const { account: text } = view.text;
  const { registration } = context.settings;
  if (!registration.enabled) return closed(view);
  const email = fields.get('email') ?? '';
  try {
    await countForm(context, 'register', request.ip);
    const password = newPasswordOf(context, visit);
    const account = { name: fields.get('user_name') ?? '', email, password };
    const user = await inTransaction(context, async (context) => {
      const user = await createUser(context, account);
      if (!user.is_active && registration.confirmEmail) await mailActivation(context, user);
      return user;
    });
    if (user.is_active) return onwards(context, visit, { 'set-cookie': await signInBrowser(context, request, user, false) });
    return { title: text.made, body: html`<p>${registration.confirmEmail ? text.openLink : text.waitForAdministrator}</p>` };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error instanceof EmailTakenError && registration.confirmEmail) {
      // The same response for everybody, so that it does not reveal which accounts exist.
      await mailAlreadyRegistered(context, email);
      return { title: text.made, body: html`<p>${text.openLink}</p>` };
    }
    return signUpForm(context, visit, error.message, error.status === 429 ? 429 : 422);
  }
}

function signUpForm(context: Context, visit: Visit, problem?: string, status = 200): Document {
  const { fields, view } = visit;
  const { account: text } = view.text;
  if (!context.settings.registration.enabled) return closed(view);
  const redirect = fields.get('redirect_to') ?? '';
  const form = html`<input type="hidden" name="redirect_to" value="${redirect}">${field({ name: 'user_name', label: text.userName, value: fields.get('user_name'), autocomplete: 'username', isRequired: true, isFirst: true })}
${field({ name: 'email', label: text.email, type: 'email', value: fields.get('email'), autocomplete: 'email', isRequired: true })}
${newPasswordFields(visit)}
<button class="primary">${text.makeAccount}</button>`;
  return {
    title: text.registerTitle,
    status,
    body: html`${problem && fault(view, problem)}${postForm(view, form, { action: path(view, 'user/sign_up') })}
<p><a href="${path(view, loginOf(redirect))}">${text.toSignIn}</a></p>`,
  };
}

function loginOf(redirect: string): string {
  return redirect === '' ? 'user/login' : `user/login?${new URLSearchParams({ redirect_to: redirect })}`;
}

function closed({ text: { account } }: View): Document {
  return { title: account.closed, status: 403, body: html`<p>${account.askForAccount}</p>` };
}

/** A GET request changes nothing: programs also open links in mails. */
function confirmForm({ fields, view }: Visit, action: string, title: string, label: string): Document {
  const hidden = ['code', 'email'].map((name) => html`<input type="hidden" name="${name}" value="${fields.get(name) ?? ''}">`);
  return { title, body: postForm(view, html`${hidden}<button class="primary">${label}</button>`, { action: path(view, action) }) };
}

/** The page for an invalid or expired link. */
export function badLink({ text: { account } }: View): Document {
  return { title: account.badLink, status: 400, body: html`<p>${account.badLinkReason}</p>` };
}
