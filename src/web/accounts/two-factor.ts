import { requireManageable } from '../../accounts/passkeys/passkeys.ts';
import {
  beginEnrolment,
  type Enrolment,
  enrol,
  enrolmentOf,
  removeTwoFactor,
  renewRecoveryCode,
  twoFactorState,
} from '../../accounts/two-factor/enrolment.ts';
import type { Context } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { fault } from '../components/fault.ts';
import { postForm } from '../components/form.ts';
import { qrImage } from '../components/qr-image.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { notice, type SignedInVisit, seeOther, userPage } from '../page.ts';
import { path } from '../view.ts';
import { confirmPassword, confirmRecently, recentlyField } from './confirm-password.ts';
import { newPasskeyForm } from './passkey-section.ts';

const SECURITY = 'user/settings/security';
const ROOT = `/${SECURITY}/two_factor`;

/** One-time codes: setting them up, a new recovery code, turning them off. */
export const twoFactorPages: readonly AnyRoute[] = [
  ...userPage({
    path: `${ROOT}/enroll`,
    beforeDuties: true,
    get: async (visit, context) => {
      const { isOn } = await twoFactorState(context, visit.user);
      return isOn ? seeOther(context, SECURITY) : enrolmentForm(visit, context, beginEnrolment(context, visit.user));
    },
    post: async (visit, context) => {
      const { user, fields, view } = visit;
      // Otherwise anybody at the user's open browser could lock them out.
      await confirmRecently(visit, context);
      const sealed = fields.get('sealed') ?? '';
      const enrolment = enrolmentOf(context, user, sealed);
      try {
        return recoveryCode(visit, view.text.security.isOn, await enrol(context, user, sealed, fields.get('code') ?? ''));
      } catch (error) {
        if (!(error instanceof HttpError) || error.status !== 422) throw error;
        return enrolmentForm(visit, context, enrolment, error);
      }
    },
  }),
  ...userPage({
    path: `${ROOT}/recovery_code`,
    post: async (visit, context) => {
      await confirmPassword(visit, context);
      const recovery = await renewRecoveryCode(context, visit.user);
      return recovery === undefined ? seeOther(context, SECURITY) : recoveryCode(visit, visit.view.text.security.newRecovery, recovery);
    },
  }),
  ...userPage({
    path: `${ROOT}/disable`,
    post: async (visit, context) => {
      requireManageable(context);
      await confirmPassword(visit, context);
      await removeTwoFactor(context, visit.user);
      return seeOther(context, SECURITY);
    },
  }),
];

function enrolmentForm(visit: SignedInVisit, context: Context, { secret, uri, sealed }: Enrolment, problem?: HttpError): Document {
  const { view } = visit;
  const { security: text } = view.text;
  const form = html`<input type="hidden" name="sealed" value="${sealed}">
<div class="field"><label for="f-code">${text.enrolCode}</label>
<input id="f-code" name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus></div>
${recentlyField(visit)}<button class="primary">${text.turnOn}</button>`;
  return {
    title: text.enrolTitle,
    status: problem?.status ?? 200,
    scripts: ['passkey.js'],
    body: html`${problem && fault(view, problem.message, { fieldFollows: true })}<p>${text.enrolScan}</p>${qrImage(uri, text.enrolPicture)}
<p>${text.enrolKey} <a href="${uri}">${text.enrolOpen}</a>:</p>
<p><code>${secret.replace(/.{4}(?=.)/g, '$& ')}</code></p>
${postForm(view, form)}
<h2>${text.passkeys}</h2><p>${text.enrolOr}</p>${newPasskeyForm(visit, context)}`,
  };
}

function recoveryCode({ view }: SignedInVisit, title: string, code: string): Document {
  const { security: text } = view.text;
  return {
    title,
    body: html`${notice(text.keepCode)}
<p><code>${code}</code></p><p><a class="button" href="${path(view, SECURITY)}">${text.done}</a></p>`,
  };
}
