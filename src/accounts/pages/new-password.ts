import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { unprocessable } from '../../http/errors.ts';
import type { Fields } from '../../web/fields.ts';
import { type Html, html } from '../../web/html.ts';
import { MAX_PASSWORD_BYTES, passwordFault } from '../passwords.ts';

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

/** Gives the user a new password; all its browsers are signed out by that. Answers the user as it is then. */
export async function setPassword({ db, passwords }: Context, user: User, password: string): Promise<User> {
  const password_hash = await passwords.hash(password);
  return db
    .updateTable('users')
    .set({ password_hash, must_change_password: false, updated_at: now() })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
