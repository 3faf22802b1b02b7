import { listPasskeys } from '../../accounts/passkeys/passkeys.ts';
import { endOtherSessions, endSession } from '../../accounts/sessions/sessions.ts';
import { twoFactorState } from '../../accounts/two-factor/enrolment.ts';
import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import { fault } from '../components/fault.ts';
import { postForm } from '../components/form.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type SignedInVisit, seeOther, userPage } from '../page.ts';
import { settingsDocument } from '../settings/frame.ts';
import { path } from '../view.ts';
import { passwordField } from './confirm-password.ts';
import { passkeySection } from './passkey-section.ts';
import { sessionSection } from './session-section.ts';

const ROOT = 'user/settings/security';

/** How the user's account is protected: passkeys, one-time codes, signed-in browsers. */
export const securityPages: readonly AnyRoute[] = [
  ...userPage({ path: `/${ROOT}`, get: (visit, context) => securityDocument(visit, context) }),
  ...action('sessions/end', ({ user, fields }, context) => endSession(context, user, Number(fields.get('id')) || 0)),
  ...action('sessions/end_others', ({ user, visitor }, context) => endOtherSessions(context, user, visitor.session?.id ?? 0)),
];

function action(name: string, act: (visit: SignedInVisit, context: Context) => Promise<void>): AnyRoute[] {
  return userPage({
    path: `/${ROOT}/${name}`,
    post: async (visit, context) => {
      await act(visit, context);
      return seeOther(context, ROOT);
    },
  });
}

/** The page about the security of the account. @param problem the error of one of its forms */
export async function securityDocument(
  visit: SignedInVisit,
  context: Context,
  problem?: { message: string; status: number },
): Promise<Document> {
  const { view, user } = visit;
  const { security: text } = view.text;
  const passkeys = await listPasskeys(context, user);
  const { isOn, hasRecoveryCode } = await twoFactorState(context, user);
  const document = settingsDocument(view, context, {
    current: 'security',
    ...(problem && { status: problem.status }),
    body: html`${problem && fault(view, problem.message)}
<h2>${text.passkeys}</h2>
${passkeys.length === 1 && !isOn && html`<p class="notice">${text.onePasskey}</p>`}
${passkeySection(visit, context, passkeys)}
<h2>${text.codes}</h2>
${codeSection(visit, isOn, hasRecoveryCode)}
<h2>${text.sessions}</h2>
${await sessionSection(visit, context)}`,
  });
  return { ...document, scripts: ['passkey.js'] };
}

function codeSection(visit: SignedInVisit, isOn: boolean, hasRecoveryCode: boolean): Html {
  const { view } = visit;
  const { security: text } = view.text;
  const to = (name: string) => path(view, `${ROOT}/two_factor/${name}`);
  if (!isOn) return html`<p>${text.codesOff} <a href="${to('enroll')}">${text.setUp}</a></p>`;
  const password = passwordField(visit);
  return html`<p>${text.codesOn}</p>
${!hasRecoveryCode && fault(view, text.recoveryUsed)}
${postForm(view, html`${password}<button>${text.newRecovery}</button>`, { action: to('recovery_code') })}
${postForm(view, html`${password}<button class="danger">${text.turnOff}</button>`, { action: to('disable') })}`;
}
