import type { Context } from '../../context.ts';
import type { Passkey } from '../../database/tables/accounts.ts';
import { field, postForm } from '../components/form.ts';
import { timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import type { SignedInVisit } from '../page.ts';
import { path } from '../view.ts';
import { recentlyField } from './confirm-password.ts';
import { passkeyForm } from './passkey-form.ts';

const ROOT = 'user/settings/security/webauthn';

/** The passkeys of the account, and the form for another one. */
export function passkeySection(visit: SignedInVisit, context: Context, passkeys: readonly Passkey[]): Html {
  const { security: text } = visit.view.text;
  const rows = html`<ul class="rows box">${passkeys.map((passkey) => row(visit, passkey))}</ul>`;
  return html`<p>${text.passkeysHint}</p>
${passkeys.length === 0 ? html`<p class="muted">${text.noPasskeys}</p>` : rows}
${newPasskeyForm(visit, context)}`;
}

/** The form for a new passkey; empty if the instance does not allow passkeys. */
export function newPasskeyForm(visit: SignedInVisit, { settings }: Context): Html | false {
  const { view } = visit;
  const { security: text } = view.text;
  if (settings.users.disabledFeatures.includes('manage_mfa')) return false;
  const form = passkeyForm(view, {
    kind: 'create',
    action: path(view, `${ROOT}/register`),
    options: path(view, `${ROOT}/request_register`),
    body: html`${field({ name: 'name', label: text.passkeyName, hint: text.passkeyNameHint, isRequired: true, maxLength: 100, autocomplete: 'off' })}${recentlyField(visit)}`,
    label: text.addPasskey,
    failed: text.passkeyFailed,
  });
  return html`${form}<noscript><p class="muted">${text.needsScripts}</p></noscript>`;
}

function row(visit: SignedInVisit, { id, name, created_at: created, used_at: used }: Passkey): Html {
  const { view } = visit;
  const { security: text } = view.text;
  const hidden = html`<input type="hidden" name="id" value="${id}">`;
  const rename = html`${hidden}<div class="field"><label>${text.passkeyName}
<input name="name" value="${name}" maxlength="100" autocomplete="off" required></label></div><button>${text.rename}</button>`;
  const remove = html`${hidden}${recentlyField(visit)}<button class="danger">${text.remove}</button>`;
  return html`<li><div><strong>${name}</strong><br>
<span class="muted">${text.added} ${timeAgo(view, created)}, ${used === 0 ? text.neverUsed : html`${text.lastUsed} ${timeAgo(view, used)}`}</span>
<details class="passkey-edit"><summary>${text.manage(name)}</summary>
${postForm(view, rename, { action: path(view, `${ROOT}/rename`) })}
${postForm(view, remove, { action: path(view, `${ROOT}/delete`) })}</details></div></li>\n`;
}
