import { addGpgKeys, deleteGpgKey, listGpgKeys, verifyGpgKey } from '../../accounts/keys/gpg-keys.ts';
import { presentGpgKeys } from '../../accounts/keys/present-gpg.ts';
import { CreateKeyOption, VerifyKeyOption } from '../../accounts/keys/schema.ts';
import { addSshKey, deleteSshKey, listSshKeys } from '../../accounts/keys/ssh-keys.ts';
import { verifySshKey } from '../../accounts/keys/ssh-verification.ts';
import { verificationToken } from '../../accounts/keys/verification-token.ts';
import type { Context } from '../../context.ts';
import { bindValue } from '../../http/bodies/body.ts';
import { HttpError } from '../../http/errors.ts';
import { pathId } from '../../http/path-id.ts';
import type { AnyRoute } from '../../http/route.ts';
import { confirmRecently, recentlyField } from '../accounts/confirm-password.ts';
import { fault } from '../components/fault.ts';
import { actionButton, field, postForm, textArea } from '../components/form.ts';
import { timeAgo } from '../components/numbers.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type SignedInVisit, seeOther, userPage } from '../page.ts';
import { path } from '../view.ts';
import { settingsDocument } from './frame.ts';
import { keyProof } from './key-verification.ts';

const ROOT = 'user/settings/keys';
/** Keys of a kind that the page lists; an account has no more. */
const ALL = { page: 1, limit: 1000, offset: 0 };
/** Size limit of a form with armored keys in bytes. */
const MAX_BYTES = 256 * 1024;

/** The keys by which an account pushes, and signs commits. */
export const keyPages: readonly AnyRoute[] = [
  ...userPage({ path: `/${ROOT}`, get: (visit, context) => overview(visit, context) }),
  ...action('ssh/add', async (visit, context) => {
    const { user, fields } = visit;
    // A key outlives the session, so an open browser is not enough.
    await confirmRecently(visit, context);
    const { title, key } = bindValue(CreateKeyOption, { title: fields.get('title') ?? '', key: fields.get('key') ?? '' });
    await addSshKey(context, user, { title: title || 'SSH key', text: key, scope: null });
  }),
  ...action('ssh/delete', ({ user, fields }, context) => deleteSshKey(context, user, Number(fields.get('id')) || 0)),
  ...action('ssh/verify', ({ user, fields }, context) => verifySshKey(context, user, pathId(fields.get('id') ?? ''), signatureOf(fields))),
  ...action('gpg/verify', ({ user, fields }, context) => verifyGpgKey(context, user, fields.get('id') ?? '', signatureOf(fields))),
  ...action('gpg/add', async ({ user, fields }, context) => {
    await addGpgKeys(context, user, fields.get('key') ?? '', fields.get('signature') ?? '');
  }),
  ...action('gpg/delete', ({ user, fields }, context) => deleteGpgKey(context, user, Number(fields.get('id')) || 0)),
];

function signatureOf(fields: SignedInVisit['fields']): string {
  return bindValue(VerifyKeyOption, { armored_signature: fields.get('signature') ?? '' }).armored_signature;
}

function action(name: string, act: (visit: SignedInVisit, context: Context) => Promise<unknown>): AnyRoute[] {
  return userPage({
    path: `/${ROOT}/${name}`,
    maxBytes: () => MAX_BYTES,
    post: async (visit, context) => {
      try {
        await act(visit, context);
        return seeOther(context, ROOT);
      } catch (error) {
        if (!(error instanceof HttpError) || error.status === 404 || name.endsWith('delete')) throw error;
        return overview(visit, context, { name, error });
      }
    },
  });
}

async function overview(visit: SignedInVisit, context: Context, problem?: { name: string; error: HttpError }): Promise<Document> {
  const { view } = visit;
  const text = view.text.settings;
  const failed = (name: string) => problem?.name === name && fault(view, problem.error.message);
  const body = html`<h2>${text.sshKeys}</h2>${failed('ssh/add')}${failed('ssh/verify')}${await sshKeys(visit, context, problem?.name)}
<details${problem?.name === 'ssh/add' && html` open`}><summary>${text.addSshKey}</summary>${addSshForm(visit, problem?.name === 'ssh/add')}</details>
<h2>${text.gpgKeys}</h2>${failed('gpg/add')}${failed('gpg/verify')}${await gpgKeys(visit, context, problem?.name)}
<details${problem?.name === 'gpg/add' && html` open`}><summary>${text.addGpgKey}</summary>${addGpgForm(visit, context, problem?.name === 'gpg/add')}</details>`;
  return settingsDocument(view, context, { current: 'keys', body, status: problem ? 422 : 200 });
}

async function sshKeys(visit: SignedInVisit, context: Context, failed?: string): Promise<Html> {
  const { view, user, fields } = visit;
  const { keys } = await listSshKeys(context, { userId: user.id }, ALL);
  if (keys.length === 0) return html`<p class="muted">${view.text.settings.noSshKeys}</p>`;
  const { common, settings } = view.text;
  return html`<ul class="rows box">${keys.map(
    ({
      id,
      title,
      fingerprint,
      verified,
      created_at: created,
      last_used_at: used,
    }) => html`<li><div><strong>${title}</strong> ${verified && html`<span class="badge success">${settings.verified}</span>`}<br><code>${fingerprint}</code><br>
<span class="muted">${settings.added} ${timeAgo(view, created)}${used > created && html`, ${settings.lastUsed} ${timeAgo(view, used)}`}</span>
${!verified && keyProof(visit, context, { kind: 'ssh', id, action: path(view, `${ROOT}/ssh/verify`), isAgain: failed === 'ssh/verify' && fields.get('id') === String(id) })}</div>
<span class="push">${actionButton(view, { action: path(view, `${ROOT}/ssh/delete`), label: common.delete, fields: { id }, className: 'danger' })}</span></li>`,
  )}</ul>`;
}

async function gpgKeys(visit: SignedInVisit, context: Context, failed?: string): Promise<Html> {
  const { view, user, fields } = visit;
  const { keys } = await listGpgKeys(context, user, ALL);
  if (keys.length === 0) return html`<p class="muted">${view.text.settings.noGpgKeys}</p>`;
  const { common, settings } = view.text;
  const shown = await presentGpgKeys(context, keys);
  return html`<ul class="rows box">${shown.map(
    ({
      id,
      key_id: keyId,
      verified,
      emails,
    }) => html`<li><div><code>${keyId}</code> ${verified && html`<span class="badge success">${settings.verified}</span>`}<br>
<span class="muted">${(emails ?? []).map((email) => email?.email).join(', ')}</span>
${!verified && keyId !== undefined && keyProof(visit, context, { kind: 'gpg', id: keyId, action: path(view, `${ROOT}/gpg/verify`), isAgain: failed === 'gpg/verify' && fields.get('id') === keyId })}</div>
<span class="push">${actionButton(view, { action: path(view, `${ROOT}/gpg/delete`), label: common.delete, fields: { id: id ?? 0 }, className: 'danger' })}</span></li>`,
  )}</ul>`;
}

function addSshForm(visit: SignedInVisit, isAgain: boolean): Html {
  const { view, fields } = visit;
  const text = view.text.settings;
  return postForm(
    view,
    html`${field({ name: 'title', label: text.title, value: isAgain ? fields.get('title') : '', maxLength: 50 })}
${textArea({ name: 'key', label: text.key, value: isAgain ? fields.get('key') : '', isRequired: true, rows: 4, hint: text.sshKeyHint })}
${recentlyField(visit)}<button class="primary">${text.addSshKey}</button>`,
    { action: path(view, `${ROOT}/ssh/add`) },
  );
}

function addGpgForm({ view, user, fields }: SignedInVisit, context: Context, isAgain: boolean): Html {
  const text = view.text.settings;
  const token = verificationToken(context, user);
  return postForm(
    view,
    html`<div class="field"><label for="gpg-key">${text.key}</label><textarea id="gpg-key" name="key" rows="6" required>
${isAgain && fields.get('key')}</textarea></div>
<div class="field"><label for="gpg-signature">${text.signature}</label><textarea id="gpg-signature" name="signature" rows="4">
${isAgain && fields.get('signature')}</textarea><p class="hint">${text.signatureHint} <code>echo "${token}" | gpg -a --detach-sig</code></p></div>
<button class="primary">${text.addGpgKey}</button>`,
    { action: path(view, `${ROOT}/gpg/add`) },
  );
}
