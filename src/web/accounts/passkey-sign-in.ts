import { secondFactorsOf } from '../../access/second-factor.ts';
import { checkPasskey, passkeySignInOptions, secondFactorOptions, userByPasskey } from '../../accounts/passkeys/sign-in.ts';
import { noteFailedSignIn } from '../../accounts/sign-in/failed.ts';
import type { Context } from '../../context.ts';
import { forbidden, HttpError } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { openPage, type Reply, seeOther, type Visit } from '../page.ts';
import { passkeyOptions } from './passkey-options.ts';
import { secondStep, userOfFirstStep } from './second-step.ts';
import { attemptOf, inactive, signedIn, signInForm } from './sign-in-form.ts';

/** Signing in by passkey: alone, or after the password. */
export const passkeySignInPages: readonly AnyRoute[] = [
  // The second step is shown after the password, and has no URL of its own.
  ...openPage({ path: '/user/webauthn', get: async (_visit, context) => seeOther(context, 'user/login') }),
  ...openPage({
    path: '/user/webauthn/passkey/assertion',
    get: async ({ visitor }, context) => {
      requirePasskeySignIn(context);
      return passkeyOptions(await passkeySignInOptions(context, visitor.token));
    },
  }),
  ...openPage({ path: '/user/webauthn/passkey/login', post: byPasskey }),
  ...openPage({
    path: '/user/webauthn/assertion',
    get: async (visit, context) => {
      const user = await userOfFirstStep(context, visit);
      if (!user) throw forbidden(visit.view.text.account.tookTooLong);
      return passkeyOptions(await secondFactorOptions(context, user, visit.visitor.token));
    },
    post: bySecondFactor,
  }),
];

function requirePasskeySignIn({ settings }: Context): void {
  if (!settings.access.passkeySignIn) throw forbidden('passkeys alone do not sign in here');
}

async function byPasskey(visit: Visit, context: Context): Promise<Reply> {
  requirePasskeySignIn(context);
  try {
    const user = await userByPasskey(context, presented(visit));
    return user.is_active ? await signedIn(context, visit, user) : inactive(context, visit);
  } catch (error) {
    const { problem, status } = await refused(visit, context, error, '');
    return signInForm(context, visit, problem, status);
  }
}

async function bySecondFactor(visit: Visit, context: Context): Promise<Reply> {
  const user = await userOfFirstStep(context, visit);
  if (!user) return signInForm(context, visit, visit.view.text.account.tookTooLong, 422);
  try {
    await checkPasskey(context, user, presented(visit));
  } catch (error) {
    const factors = await secondFactorsOf(context.db, user.id);
    return secondStep(context, visit, { user, factors, ...(await refused(visit, context, error, user.name)) });
  }
  return signedIn(context, visit, user);
}

function presented({ fields, visitor, request }: Visit) {
  return { browser: visitor.token, sent: fields.get('credential') ?? '', ip: request.ip };
}

async function refused(visit: Visit, context: Context, error: unknown, name: string): Promise<{ problem: string; status: number }> {
  if (!(error instanceof HttpError)) throw error;
  await noteFailedSignIn(context, error, attemptOf(visit, name));
  const isWrong = error.status === 401;
  return { problem: isWrong ? visit.view.text.account.passkeyWrong : error.message, status: isWrong ? 422 : error.status };
}
