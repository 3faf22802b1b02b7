import { VERIFICATION_PURPOSE } from '../../accounts/keys/ssh-verification.ts';
import { verificationToken } from '../../accounts/keys/verification-token.ts';
import type { Context } from '../../context.ts';
import { copyField } from '../code/clone-box.ts';
import { postForm } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import type { SignedInVisit } from '../page.ts';

/** How the owner of a key proves that it is theirs. */
export interface Proof {
  readonly kind: 'ssh' | 'gpg';
  /** Of the key, as the form names it. */
  readonly id: number | string;
  /** The path of the form. */
  readonly action: string;
  /** Whether the last signature was not made by this key. */
  readonly isAgain: boolean;
}

/** Lets the owner of a key sign a token with it: from then on commits that the key has signed count as theirs. */
export function keyProof({ view, user, fields }: SignedInVisit, context: Context, { kind, id, action, isAgain }: Proof): Html {
  const text = view.text.settings;
  const token = verificationToken(context, user);
  const command =
    kind === 'ssh'
      ? `echo -n '${token}' | ssh-keygen -Y sign -n ${VERIFICATION_PURPOSE} -f ~/.ssh/id_ed25519`
      : `echo "${token}" | gpg -a --default-key ${id} --detach-sig`;
  const label = `signature-${kind}-${id}`;
  const form = html`<input type="hidden" name="id" value="${id}"><div class="field"><label for="${label}">${text.signature}</label>
<textarea id="${label}" name="signature" rows="4" required>
${isAgain && fields.get('signature')}</textarea></div><button class="primary">${text.verify}</button>`;
  return html`<details${isAgain && html` open`}><summary>${text.verify}</summary><p>${text.verifyHint}</p>
${copyField(view, text.command, command)}${postForm(view, form, { action })}</details>`;
}
