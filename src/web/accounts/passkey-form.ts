import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

/** A form that the browser fills in with a passkey (`passkey.js`). */
export interface PasskeyForm {
  /** `get` signs with a passkey, `create` creates one. */
  readonly kind: 'get' | 'create';
  readonly action: string;
  /** The URL of the options for the browser; with `create` the form is sent there first. */
  readonly options: string;
  readonly body?: Html;
  readonly label: string;
  /** The message if the browser has no passkey for it. */
  readonly failed: string;
}

/** A form that only a script can fill in; hidden without scripts. */
export function passkeyForm(view: View, { kind, action, options, body, label, failed }: PasskeyForm): Html {
  return html`<form method="post" action="${action}" class="passkey" data-passkey="${kind}" data-options="${options}" data-failed="${failed}" hidden>
${view.token}${body}<input type="hidden" name="credential" value="">
<button>${label}</button><p class="fault" role="alert" hidden></p></form>`;
}
