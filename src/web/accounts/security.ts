import { endGrant, listGrants } from '../../accounts/oauth2/grants.ts';
import { endSession, listSessions } from '../../accounts/sessions/sessions.ts';
import {
  beginEnrolment,
  type Enrolment,
  enrol,
  removeTwoFactor,
  renewRecoveryCode,
  twoFactorState,
} from '../../accounts/two-factor/enrolment.ts';
import type { Context } from '../../context.ts';
import { forbidden } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { timeAgo } from '../components/numbers.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { fault, notice, pagePath, type SignedInVisit, seeOther, userPage } from '../page.ts';
import { settingsDocument } from '../settings/frame.ts';
import { confirmPassword } from './confirm-password.ts';

const ROOT = '/user/settings/security';

/** How the user's account is protected: two-factor sign-in, signed-in browsers, applications. */
export const securityPages: readonly AnyRoute[] = [
  ...userPage({ path: ROOT, get: overview }),
  ...userPage({
    path: `${ROOT}/two_factor/enroll`,
    beforeDuties: true,
    get: async (visit, context) => {
      const { isOn } = await twoFactorState(context, visit.user);
      return isOn ? seeOther(context, 'user/settings/security') : enrolmentForm(visit, beginEnrolment(context, visit.user));
    },
    post: async ({ user, fields }, context) => {
      const recovery = await enrol(context, user, fields.get('sealed') ?? '', fields.get('code') ?? '');
      return recoveryCode(context, 'Two-factor sign-in is on', recovery);
    },
  }),
  ...userPage({
    path: `${ROOT}/two_factor/recovery_code`,
    post: async (visit, context) => {
      await confirmPassword(visit, context);
      const recovery = await renewRecoveryCode(context, visit.user);
      return recovery === undefined ? seeOther(context, 'user/settings/security') : recoveryCode(context, 'New recovery code', recovery);
    },
  }),
  ...userPage({
    path: `${ROOT}/two_factor/disable`,
    post: async (visit, context) => {
      if (context.settings.users.disabledFeatures.includes('manage_mfa')) throw forbidden('two-factor sign-in cannot be changed');
      await confirmPassword(visit, context);
      await removeTwoFactor(context, visit.user);
      return seeOther(context, 'user/settings/security');
    },
  }),
  ...userPage({
    path: `${ROOT}/sessions/end`,
    post: async ({ user, fields }, context) => {
      await endSession(context, user, Number(fields.get('id')) || 0);
      return seeOther(context, 'user/settings/security');
    },
  }),
  ...userPage({
    path: `${ROOT}/applications/revoke`,
    post: async ({ user, fields }, context) => {
      await endGrant(context, user, Number(fields.get('id')) || 0);
      return seeOther(context, 'user/settings/security');
    },
  }),
];

async function overview(visit: SignedInVisit, context: Context): Promise<Document> {
  const { user, token, visitor, view } = visit;
  const sessions = await listSessions(context, user);
  const grants = await listGrants(context.db, user);
  const button = (path: string, id: number, label: string) =>
    html`<form method="post" action="${pagePath(context, path)}">${token}<input type="hidden" name="id" value="${id}"><button>${label}</button></form>`;
  return settingsDocument(view, context, {
    current: 'security',
    body: html`<h2>Two-factor sign-in</h2>
${await twoFactorSection(visit, context)}
<h2>Signed-in browsers</h2>
<ul class="rows box">${sessions.map(
      ({
        id,
        ip,
        user_agent,
        used_at,
      }) => html`<li><span>${user_agent || 'unknown browser'}, ${ip}, last used ${timeAgo(view, used_at)}</span>
${id === visitor.session?.id ? ' (this one)' : button('user/settings/security/sessions/end', id, 'Sign out')}</li>`,
    )}</ul>
<h2>Authorized applications</h2>
${grants.length === 0 && html`<p>None.</p>`}
<ul class="rows box">${grants.map(
      ({ id, name, scope, created_at }) => html`<li>${name} (${scope || 'full access'}), since ${timeAgo(view, created_at)}
${button('user/settings/security/applications/revoke', id, 'Revoke')}</li>`,
    )}</ul>`,
  });
}

async function twoFactorSection({ user, token }: SignedInVisit, context: Context): Promise<Html> {
  const { isOn, hasRecoveryCode } = await twoFactorState(context, user);
  const path = (name: string) => pagePath(context, `user/settings/security/two_factor/${name}`);
  if (!isOn) return html`<p>It is off. <a href="${path('enroll')}">Set it up</a></p>`;
  const password = html`<label>Password <input name="password" type="password" autocomplete="current-password" required></label>`;
  return html`<p>It is on.</p>
${!hasRecoveryCode && fault('The recovery code was used. Make a new one.')}
<form method="post" action="${path('recovery_code')}">${token}${password}<button>New recovery code</button></form>
<form method="post" action="${path('disable')}">${token}${password}<button>Turn it off</button></form>`;
}

function enrolmentForm({ token }: SignedInVisit, { secret, uri, sealed }: Enrolment): Document {
  return {
    title: 'Set up two-factor sign-in',
    body: html`<p>Enter this key into an app for one-time codes, or <a href="${uri}">open it there</a>:</p>
<p><code>${secret.replace(/.{4}(?=.)/g, '$& ')}</code></p>
<form method="post">
${token}<input type="hidden" name="sealed" value="${sealed}">
<label for="code">The code that the app shows now</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required>
<button>Turn it on</button>
</form>`,
  };
}

function recoveryCode(context: Context, title: string, code: string): Document {
  return {
    title,
    body: html`${notice('Keep this recovery code in a safe place. It signs you in once when you have lost the device, and is not shown again.')}
<p><code>${code}</code></p><p><a href="${pagePath(context, 'user/settings/security')}">Done</a></p>`,
  };
}
