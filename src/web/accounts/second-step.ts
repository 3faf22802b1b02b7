import { findUserById } from '../../access/find-user.ts';
import type { SecondFactors } from '../../access/second-factor.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { fault } from '../components/fault.ts';
import { field, postForm } from '../components/form.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import type { Visit } from '../page.ts';
import { path } from '../view.ts';
import { passkeyForm } from './passkey-form.ts';
import { formTargetOf } from './sign-in-form.ts';

/** Seconds between the password and the second factor. */
const SECOND_STEP_SECONDS = 300;

/** Requests the second factor. A signature states that the password was right, for this browser and a few minutes. */
export function secondStep(
  context: Context,
  { fields, visitor, view }: Visit,
  { user, factors, problem, status = 200 }: { user: User; factors: SecondFactors; problem?: string; status?: number },
): Document {
  const text = view.text.account;
  const remember = fields.get('remember') === 'on' ? 'on' : '';
  const redirect = fields.get('redirect_to') ?? '';
  const expires = String(now() + SECOND_STEP_SECONDS);
  const firstStep = [user.id, expires, context.secrets.sign('second step', visitor.token, String(user.id), expires, remember)].join('.');
  const hidden = html`<input type="hidden" name="redirect_to" value="${redirect}">
<input type="hidden" name="first_step" value="${firstStep}"><input type="hidden" name="remember" value="${remember}">`;
  const byCode = postForm(
    view,
    html`${hidden}${field({ name: 'code', label: text.codeOrRecovery, autocomplete: 'one-time-code', isRequired: true, isFirst: true })}
<button class="primary">${text.signIn}</button>`,
    { action: path(view, 'user/two_factor') },
  );
  const byPasskey = passkeyForm(view, {
    kind: 'get',
    action: path(view, 'user/webauthn/assertion'),
    options: path(view, `user/webauthn/assertion?${new URLSearchParams({ first_step: firstStep, remember })}`),
    body: hidden,
    label: text.passkeyContinue,
    failed: text.passkeyFailed,
  });
  return {
    title: text.secondStep,
    status,
    formTarget: formTargetOf(redirect),
    scripts: factors.hasPasskeys ? ['passkey.js'] : [],
    body: html`${problem && fault(view, problem, { fieldFollows: factors.hasCodes })}${factors.hasCodes && byCode}${factors.hasPasskeys && byPasskey}
${factors.hasPasskeys && !factors.hasCodes && html`<noscript><p>${text.passkeyNeedsScripts}</p></noscript>`}`,
  };
}

/** The user who entered the right password in this browser recently; undefined if there is none. */
export async function userOfFirstStep({ secrets, db }: Context, { fields, visitor }: Visit): Promise<User | undefined> {
  const [id = '', expires = '', signature = ''] = (fields.get('first_step') ?? '').split('.');
  const remember = fields.get('remember') === 'on' ? 'on' : '';
  if (!secrets.isSigned(signature, 'second step', visitor.token, id, expires, remember) || Number(expires) < now()) return undefined;
  const user = await findUserById(db, Number(id));
  return user?.is_active && !user.prohibit_login ? user : undefined;
}
