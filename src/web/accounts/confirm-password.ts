import { userByPassword } from '../../accounts/sign-in/password.ts';
import type { Context } from '../../context.ts';
import { forbidden } from '../../http/errors.ts';
import type { SignedInVisit } from '../page.ts';

/**
 * Protects the account from others at an open browser: a form with the field `password` needs the password.
 * @throws HttpError 403
 */
export async function confirmPassword({ user, fields, request }: SignedInVisit, context: Context): Promise<void> {
  if (user.password_hash === '') return;
  try {
    await userByPassword(context, { name: user.name, password: fields.get('password') ?? '', ip: request.ip });
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 401) throw forbidden('the password is not right');
    throw error;
  }
}
