import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

/** A form that the browser fills in with a passkey (`passkey.js`). */
export interface PasskeyForm {
  /** `get` signs with a passkey, `create` makes one. */
  readonly kind: 'get' | 'create';
  readonly action: string;
  /** Where the browser learns what it is to do; for `create` it sends the form there first. */
  readonly options: string;
  readonly body?: Html;
  readonly label: string;
  /** What is said when the browser has no passkey for it. */
  readonly failed: string;
}

/** A form that only a script can fill in: it is hidden without scripts. */
export function passkeyForm(view: View, { kind, action, options, body, label, failed }: PasskeyForm): Html {
  return html`<form method="post" action="${action}" class="passkey" data-passkey="${kind}" data-options="${options}" data-failed="${failed}" hidden>
${view.token}${body}<input type="hidden" name="credential" value="">
<button>${label}</button><p class="fault" role="alert" hidden></p></form>`;
}
