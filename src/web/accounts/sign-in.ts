import { findUserById } from '../../access/find-user.ts';
import { endSession } from '../../accounts/sessions/sessions.ts';
import { noteFailedSignIn } from '../../accounts/sign-in/failed.ts';
import { renewHash, userByPassword } from '../../accounts/sign-in/password.ts';
import { checkOneTimeCode, hasTwoFactor, useRecoveryCode } from '../../accounts/two-factor/check.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { HttpError } from '../../http/errors.ts';
import type { HttpResponse } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { dutyOf, fault, openPage, pagePath, seeOther, type Visit } from '../page.ts';
import { safeRedirect } from '../redirects.ts';
import { removedCookie, signInBrowser } from '../visitor.ts';

/** Seconds between the password and the one-time code. */
const SECOND_STEP_SECONDS = 300;

/** Signing in and out. */
export const signInPages: readonly AnyRoute[] = [
  ...openPage({
    path: '/user/login',
    get: async (visit, context) => {
      const { user } = visit.visitor;
      const duty = user && (await dutyOf(context, user));
      return duty ? seeOther(context, duty) : user ? onwards(context, visit) : signInForm(context, visit);
    },
    post: async (visit, context) => {
      const { fields, request } = visit;
      try {
        const attempt = { name: fields.get('user_name') ?? '', password: fields.get('password') ?? '', ip: request.ip };
        const user = await userByPassword(context, attempt);
        if (!user.is_active) return inactive(context);
        if (await hasTwoFactor(context, user)) return secondStep(context, visit, user);
        return await signedIn(context, visit, await renewHash(context, user, attempt.password));
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        await noteFailedSignIn(context, error, attemptOf(visit, fields.get('user_name') ?? ''));
        const wrong = error.status === 401;
        return signInForm(
          context,
          visit,
          wrong ? 'The user name or the password is not right.' : error.message,
          wrong ? 422 : error.status,
        );
      }
    },
  }),
  ...openPage({
    path: '/user/two_factor',
    post: async (visit, context) => {
      const user = await userOfFirstStep(context, visit);
      if (!user) return signInForm(context, visit, 'That took too long. Please sign in again.', 422);
      const code = visit.fields.get('code')?.trim() ?? '';
      const isOneTimeCode = /^\d{6}$/.test(code);
      try {
        await (isOneTimeCode ? checkOneTimeCode(context, user, code) : useRecoveryCode(context, user, code));
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        await noteFailedSignIn(context, error, attemptOf(visit, user.name));
        const wrong = error.status === 401;
        return secondStep(context, visit, user, wrong ? 'The code is not right.' : error.message, wrong ? 422 : error.status);
      }
      return signedIn(context, visit, user, isOneTimeCode ? undefined : 'user/settings/security');
    },
  }),
  ...openPage({
    path: '/user/logout',
    get: async ({ token, visitor }, context) => {
      if (!visitor.user) return seeOther(context, 'user/login');
      return {
        title: 'Sign out',
        body: html`<form method="post">${token}<p>You are signed in as ${visitor.user.name}.</p><button>Sign out</button></form>`,
      };
    },
    post: async ({ visitor }, context) => {
      const { user, session } = visitor;
      if (user && session) await endSession(context, user, session.id);
      return seeOther(context, 'user/login', { 'set-cookie': removedCookie(context) });
    },
  }),
];

function attemptOf({ request: { headers, ip, id } }: Visit, name: string) {
  return { method: 'session', name, address: ip, userAgent: headers['user-agent'] ?? '', requestId: id } as const;
}

function signInForm(context: Context, { fields, token }: Visit, problem?: string, status = 200): Document {
  const { registration, mail } = context.settings;
  const redirect = fields.get('redirect_to') ?? '';
  return {
    title: 'Sign in',
    status,
    formTarget: formTargetOf(fields.get('redirect_to') ?? ''),
    body: html`${problem && fault(problem)}
<form method="post" action="${pagePath(context, 'user/login')}">
${token}<input type="hidden" name="redirect_to" value="${redirect}">
<label for="user_name">User name or e-mail address</label>
<input id="user_name" name="user_name" value="${fields.get('user_name') ?? ''}" autocomplete="username" autofocus required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<label class="choice"><input type="checkbox" name="remember" value="on"> Stay signed in on this device</label>
<button>Sign in</button>
</form>
<p>${mail.enabled && html`<a href="${pagePath(context, 'user/forgot_password')}">Forgot the password?</a>`}
${registration.enabled && html`<a href="${pagePath(context, 'user/sign_up')}">Make an account</a>`}</p>`,
  };
}

function inactive({ settings }: Context): Document {
  const how = settings.registration.confirmEmail
    ? 'Open the link in the mail that was sent to you.'
    : 'An administrator has to activate it first.';
  return { title: 'The account is not active', status: 403, body: html`<p>${how}</p>` };
}

/** Asks for the one-time code. That the password was right is signed, for this browser and a few minutes. */
function secondStep(context: Context, { fields, token, visitor }: Visit, user: User, problem?: string, status = 200): Document {
  const remember = fields.get('remember') === 'on' ? 'on' : '';
  const expires = String(now() + SECOND_STEP_SECONDS);
  const signature = context.secrets.sign('second step', visitor.token, String(user.id), expires, remember);
  return {
    title: 'One-time code',
    status,
    formTarget: formTargetOf(fields.get('redirect_to') ?? ''),
    body: html`${problem && fault(problem)}
<form method="post" action="${pagePath(context, 'user/two_factor')}">
${token}<input type="hidden" name="redirect_to" value="${fields.get('redirect_to') ?? ''}">
<input type="hidden" name="first_step" value="${[user.id, expires, signature].join('.')}"><input type="hidden" name="remember" value="${remember}">
<label for="code">The code that your app shows, or your recovery code</label>
<input id="code" name="code" autocomplete="one-time-code" autofocus required>
<button>Sign in</button>
</form>`,
  };
}

async function userOfFirstStep({ secrets, db }: Context, { fields, visitor }: Visit): Promise<User | undefined> {
  const [id = '', expires = '', signature = ''] = (fields.get('first_step') ?? '').split('.');
  const remember = fields.get('remember') === 'on' ? 'on' : '';
  if (!secrets.isSigned(signature, 'second step', visitor.token, id, expires, remember) || Number(expires) < now()) return undefined;
  const user = await findUserById(db, Number(id));
  return user?.is_active && !user.prohibit_login ? user : undefined;
}

async function signedIn(context: Context, visit: Visit, user: User, path?: string): Promise<HttpResponse> {
  const cookie = await signInBrowser(context, visit.request, user, visit.fields.get('remember') === 'on');
  const next = (await dutyOf(context, user)) ?? path;
  return next === undefined ? onwards(context, visit, { 'set-cookie': cookie }) : seeOther(context, next, { 'set-cookie': cookie });
}

/** To where the user wanted to go before signing in. */
function onwards(context: Context, { fields }: Visit, headers: Record<string, string> = {}): HttpResponse {
  const target = safeRedirect(fields.get('redirect_to') ?? '', context.settings.server.rootUrl);
  return seeOther(context, '', { ...headers, location: target });
}

/** Signing in for an application may lead straight on to it, and browsers look at the policy of the form for that too. */
function formTargetOf(redirect: string): string {
  const [path = '', query = ''] = redirect.split('?', 2);
  const uri = path.endsWith('/login/oauth/authorize') ? (new URLSearchParams(query).get('redirect_uri') ?? '') : '';
  return /^[a-z][a-z0-9+.-]*:/i.test(uri) && URL.canParse(uri) ? new URL(uri).protocol : '';
}
