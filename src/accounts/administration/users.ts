import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { badRequest, unprocessable } from '../../http/errors.ts';
import type { Shape } from '../../http/schema.ts';
import { createUser } from '../create.ts';
import { passwordFault } from '../passwords.ts';
import type { CreateUserOption } from './schema.ts';

/**
 * Makes an account that is active at once.
 * @throws HttpError 400 for a password that does not keep the rules, 422 for a name or address that cannot be had
 */
export async function createUserAsAdministrator(context: Context, option: Shape<typeof CreateUserOption>): Promise<User> {
  checkSource(option.source_id);
  const password = option.password ?? '';
  const fault = passwordFault(password, context.settings.passwords);
  if (fault) throw badRequest(fault === 'notComplex' ? 'PasswordComplexity' : 'PasswordIsRequired');
  const time = option.created_at ? Math.floor(Date.parse(option.created_at) / 1000) : undefined;
  return createUser(context, {
    name: option.username,
    email: option.email,
    fullName: option.full_name ?? '',
    password,
    columns: {
      is_active: true,
      must_change_password: option.must_change_password ?? true,
      login_name: option.login_name ?? '',
      ...(option.restricted !== undefined && { is_restricted: option.restricted }),
      ...(option.visibility && { visibility: option.visibility }),
      ...(time !== undefined && { created_at: time, updated_at: time }),
    },
  });
}

/** There are no external authenticators, so none can be named. */
export function checkSource(id: number | undefined): void {
  if (id) throw unprocessable(`login source does not exist [id: ${id}]`);
}
