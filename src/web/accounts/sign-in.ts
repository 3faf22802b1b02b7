import { secondFactorsOf } from '../../access/second-factor.ts';
import { endSession } from '../../accounts/sessions/sessions.ts';
import { noteFailedSignIn } from '../../accounts/sign-in/failed.ts';
import { renewHash, userByPassword } from '../../accounts/sign-in/password.ts';
import { checkOneTimeCode, useRecoveryCode } from '../../accounts/two-factor/check.ts';
import type { Context } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { postForm } from '../components/form.ts';
import { html } from '../html.ts';
import { dutyOf, openPage, type Reply, seeOther, type Visit } from '../page.ts';
import { removedCookie } from '../visitor.ts';
import { secondStep, userOfFirstStep } from './second-step.ts';
import { attemptOf, inactive, onwards, signedIn, signInForm } from './sign-in-form.ts';

/** Signing in and out. */
export const signInPages: readonly AnyRoute[] = [
  ...openPage({
    path: '/user/login',
    get: async (visit, context) => {
      const { user } = visit.visitor;
      const duty = user && (await dutyOf(context, user));
      return duty ? seeOther(context, duty) : user ? onwards(context, visit) : signInForm(context, visit);
    },
    post: byPassword,
  }),
  ...openPage({ path: '/user/two_factor', post: byCode }),
  ...openPage({
    path: '/user/logout',
    get: async ({ view, visitor }, context) => {
      if (!visitor.user) return seeOther(context, 'user/login');
      const { account: text } = view.text;
      return {
        title: text.signOut,
        body: postForm(view, html`<p>${text.signedInAs(visitor.user.name)}</p><button class="primary">${text.signOut}</button>`),
      };
    },
    post: async ({ visitor }, context) => {
      const { user, session } = visitor;
      if (user && session) await endSession(context, user, session.id);
      return seeOther(context, 'user/login', { 'set-cookie': removedCookie(context) });
    },
  }),
];

async function byPassword(visit: Visit, context: Context): Promise<Reply> {
  const { fields, request, view } = visit;
  try {
    const attempt = { name: fields.get('user_name') ?? '', password: fields.get('password') ?? '', ip: request.ip };
    const user = await userByPassword(context, attempt);
    if (!user.is_active) return inactive(context, visit);
    const factors = await secondFactorsOf(context.db, user.id);
    if (factors.hasCodes || factors.hasPasskeys) return secondStep(context, visit, { user, factors });
    return await signedIn(context, visit, await renewHash(context, user, attempt.password));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    await noteFailedSignIn(context, error, attemptOf(visit, fields.get('user_name') ?? ''));
    const isWrong = error.status === 401;
    return signInForm(context, visit, isWrong ? view.text.account.wrongPassword : error.message, isWrong ? 422 : error.status);
  }
}

async function byCode(visit: Visit, context: Context): Promise<Reply> {
  const { account: text } = visit.view.text;
  const user = await userOfFirstStep(context, visit);
  const factors = user && (await secondFactorsOf(context.db, user.id));
  if (!user || !factors?.hasCodes) return signInForm(context, visit, text.tookTooLong, 422);
  const code = visit.fields.get('code')?.trim() ?? '';
  const isOneTimeCode = /^\d{6}$/.test(code);
  try {
    await (isOneTimeCode ? checkOneTimeCode(context, user, code) : useRecoveryCode(context, user, code));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    await noteFailedSignIn(context, error, attemptOf(visit, user.name));
    const isWrong = error.status === 401;
    const shown = { problem: isWrong ? text.wrongCode : error.message, status: isWrong ? 422 : error.status };
    return secondStep(context, visit, { user, factors, ...shown });
  }
  return signedIn(context, visit, user, isOneTimeCode ? undefined : 'user/settings/security');
}
