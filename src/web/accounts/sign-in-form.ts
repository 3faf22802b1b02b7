import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { HttpResponse } from '../../http/responses.ts';
import { fault } from '../components/fault.ts';
import { checkBox, field, postForm } from '../components/form.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { dutyOf, seeOther, type Visit } from '../page.ts';
import { safeRedirect } from '../redirects.ts';
import { path } from '../view.ts';
import { signInBrowser } from '../visitor.ts';
import { passkeyForm } from './passkey-form.ts';

/** A failed sign-in. @param name empty if none was entered */
export function attemptOf({ request: { headers, ip, id } }: Visit, name: string) {
  return { method: 'session', name, address: ip, userAgent: headers['user-agent'] ?? '', requestId: id } as const;
}

/** The form for a name and a password, and the other ways to sign in. */
export function signInForm({ settings }: Context, { fields, view }: Visit, problem?: string, status = 200): Document {
  const text = view.text.account;
  const { registration, mail, access } = settings;
  const redirect = fields.get('redirect_to') ?? '';
  const hidden = html`<input type="hidden" name="redirect_to" value="${redirect}">`;
  return {
    title: text.signIn,
    status,
    formTarget: formTargetOf(redirect),
    scripts: access.passkeySignIn ? ['passkey.js'] : [],
    body: html`${problem && fault(view, problem, { fieldFollows: true })}
${postForm(
  view,
  html`${hidden}${field({ name: 'user_name', label: text.nameOrEmail, value: fields.get('user_name'), autocomplete: 'username', isRequired: true, isFirst: !problem })}
${field({ name: 'password', label: text.password, type: 'password', autocomplete: 'current-password', isRequired: true, isFirst: Boolean(problem) })}
${checkBox({ name: 'remember', label: text.remember, isChecked: fields.get('remember') === 'on' })}
<button class="primary">${text.signIn}</button>`,
  { action: path(view, 'user/login') },
)}
${access.passkeySignIn && byPasskey({ view }, hidden)}
<p>${mail.enabled && html`<a href="${path(view, 'user/forgot_password')}">${text.forgot}</a>`}
${registration.enabled && html`<a href="${path(view, `user/sign_up${redirect && `?${new URLSearchParams({ redirect_to: redirect })}`}`)}">${text.register}</a>`}</p>`,
  };
}

function byPasskey({ view }: Pick<Visit, 'view'>, hidden: Html): Html {
  const root = 'user/webauthn/passkey';
  return passkeyForm(view, {
    kind: 'get',
    action: path(view, `${root}/login`),
    options: path(view, `${root}/assertion`),
    body: hidden,
    label: view.text.account.passkeySignIn,
    failed: view.text.account.passkeyFailed,
  });
}

/** The page for a user who may not sign in yet. */
export function inactive({ settings }: Context, { view: { text } }: Visit): Document {
  const how = settings.registration.confirmEmail ? text.account.openLink : text.account.waitForAdministrator;
  return { title: text.account.inactive, status: 403, body: html`<p>${how}</p>` };
}

/** Signs the browser in and redirects it. @param to overrides the page that the user wanted to open */
export async function signedIn(context: Context, visit: Visit, user: User, to?: string): Promise<HttpResponse> {
  const cookie = await signInBrowser(context, visit.request, user, visit.fields.get('remember') === 'on');
  const next = (await dutyOf(context, user)) ?? to;
  return next === undefined ? onwards(context, visit, { 'set-cookie': cookie }) : seeOther(context, next, { 'set-cookie': cookie });
}

/** The page that the user wanted to open before signing in. */
export function onwards(context: Context, { fields }: Visit, headers: Record<string, string> = {}): HttpResponse {
  const target = safeRedirect(fields.get('redirect_to') ?? '', context.settings.server.rootUrl);
  return seeOther(context, '', { ...headers, location: target });
}

/** Signing in for an application may redirect to it, and browsers apply the policy of the form to that too. */
export function formTargetOf(redirect: string): string {
  const [path = '', query = ''] = redirect.split('?', 2);
  const uri = path.endsWith('/login/oauth/authorize') ? (new URLSearchParams(query).get('redirect_uri') ?? '') : '';
  return /^[a-z][a-z0-9+.-]*:/i.test(uri) && URL.canParse(uri) ? new URL(uri).protocol : '';
}
