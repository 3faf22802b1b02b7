import { MAX_PASSWORD_BYTES, passwordFault } from '../../accounts/passwords.ts';
import type { Context } from '../../context.ts';
import { unprocessable } from '../../http/errors.ts';
import type { Fields } from '../../http/fields.ts';
import { type Html, html } from '../html.ts';

/** The two fields in which a new password is typed. */
export function newPasswordFields(): Html {
  return html`<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required>
<label for="retype">The same again</label>
<input id="retype" name="retype" type="password" autocomplete="new-password" required>`;
}

/**
 * The new password of a form.
 * @throws HttpError 422 when it does not keep the rules or was not typed twice alike
 */
export function newPasswordOf({ settings }: Context, fields: Fields): string {
  const password = fields.get('password') ?? '';
  if (password !== fields.get('retype')) throw unprocessable('the passwords are not the same');
  const fault = passwordFault(password, settings.passwords);
  if (fault === 'tooShort') throw unprocessable(`password must be at least ${settings.passwords.minLength} characters`);
  if (fault === 'tooLong') throw unprocessable(`password must be at most ${MAX_PASSWORD_BYTES} bytes`);
  if (fault) throw unprocessable('password not complex enough');
  return password;
}
