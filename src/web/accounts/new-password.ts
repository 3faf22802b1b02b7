import { MAX_PASSWORD_BYTES, passwordFault } from '../../accounts/passwords.ts';
import type { Context } from '../../context.ts';
import { unprocessable } from '../../http/errors.ts';
import { field } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';

/** The two fields for a new password. */
export function newPasswordFields({ view }: Pick<Visit, 'view'>): Html {
  const { account: text } = view.text;
  return html`${field({ name: 'password', label: text.newPassword, type: 'password', autocomplete: 'new-password', isRequired: true })}
${field({ name: 'retype', label: text.retype, type: 'password', autocomplete: 'new-password', isRequired: true })}`;
}

/**
 * The new password of a form.
 * @throws HttpError 422 when it does not keep the rules or was not typed twice alike
 */
export function newPasswordOf({ settings }: Context, { fields, view }: Pick<Visit, 'fields' | 'view'>): string {
  const { account: text } = view.text;
  const password = fields.get('password') ?? '';
  if (password !== fields.get('retype')) throw unprocessable(text.passwordsDiffer);
  const fault = passwordFault(password, settings.passwords);
  if (fault === 'tooShort') throw unprocessable(text.passwordTooShort(settings.passwords.minLength));
  if (fault === 'tooLong') throw unprocessable(text.passwordTooLong(MAX_PASSWORD_BYTES));
  if (fault) throw unprocessable(text.passwordNotComplex);
  return password;
}
