import { type Context, inTransaction } from '../../context.ts';
import type { User, UserUpdate, Visibility } from '../../database/tables/accounts.ts';
import { badRequest, unprocessable } from '../../http/errors.ts';
import type { Shape } from '../../http/schema.ts';
import { lastAdministrator } from '../administrators.ts';
import { createUser } from '../create.ts';
import { deleteUser } from '../delete.ts';
import { replacePrimaryEmail } from '../emails/emails.ts';
import { MAX_PASSWORD_BYTES, passwordFault } from '../passwords.ts';
import { renameAccount } from '../rename.ts';
import { tellSignIns } from '../sessions/sessions.ts';
import { updateUser } from '../users/settings.ts';
import type { CreateUserOption, EditUserOption } from './schema.ts';

/**
 * Creates an account that is active at once.
 * @throws HttpError 400 for an invalid password, 422 for a name or e-mail address that is invalid or taken
 */
export async function createUserAsAdministrator(context: Context, option: Shape<typeof CreateUserOption>): Promise<User> {
  checkSource(option.source_id);
  const password = option.password ?? '';
  const fault = passwordFault(password, context.settings.passwords);
  if (fault) throw badRequest(fault === 'notComplex' ? 'PasswordComplexity' : 'PasswordIsRequired');
  // The first second of 1970 means no time, as everywhere in the API.
  const time = (option.created_at && Math.floor(Date.parse(option.created_at) / 1000)) || undefined;
  return createUser(context, {
    name: option.username,
    email: option.email,
    fullName: option.full_name ?? '',
    password,
    byAdministrator: true,
    notify: option.send_notify ?? false,
    columns: {
      is_active: true,
      must_change_password: option.must_change_password ?? true,
      login_name: option.login_name ?? '',
      ...(option.restricted !== undefined && { is_restricted: option.restricted }),
      ...(option.visibility && { visibility: option.visibility as Visibility }),
      ...(time !== undefined && { created_at: time, updated_at: time }),
    },
  });
}

/** There are no external authenticators, so none can be named. */
function checkSource(id: number | undefined): void {
  if (id) throw unprocessable(`login source does not exist [id: ${id}]`);
}

/** Organizations are managed by routes of their own. */
function refuseOrganization(user: User): void {
  if (user.type === 'organization') throw unprocessable(`${user.name} is an organization not a user`);
}

/**
 * Changes an account, all fields or none.
 * @throws HttpError 400 for an invalid password or e-mail address, and for demoting the last administrator
 */
export async function editUser(context: Context, user: User, option: Shape<typeof EditUserOption>): Promise<User> {
  refuseOrganization(user);
  checkSource(option.source_id);
  const passwordHash = option.password ? await hashNewPassword(context, option.password) : undefined;
  const visibility = (option.visibility || undefined) as Visibility | undefined;
  if (visibility && !context.settings.users.allowedVisibilities.includes(visibility)) {
    throw unprocessable(`visibility mode not allowed: ${visibility}`);
  }
  return inTransaction(context, async (context) => {
    if (option.admin === false) {
      const last = await lastAdministrator(context, user);
      if (last) throw badRequest(last);
    }
    if (option.email !== undefined) await replacePrimaryEmail(context, user, option.email);
    tellSignIns(context, user);
    if (option.restricted && !user.is_restricted) await context.events.emit(context, 'access.reduced', { userIds: [user.id] });
    return updateUser(context, user, { ...columnsOf(option), password_hash: passwordHash, visibility });
  });
}

function columnsOf(option: Shape<typeof EditUserOption>): { [K in keyof UserUpdate]: UserUpdate[K] | undefined } {
  return {
    login_name: option.login_name,
    full_name: option.full_name,
    website: option.website,
    location: option.location,
    description: option.description,
    must_change_password: option.must_change_password,
    prohibit_login: option.prohibit_login,
    is_active: option.active,
    is_admin: option.admin,
    is_restricted: option.restricted,
    allow_git_hook: option.allow_git_hook,
    allow_import_local: option.allow_import_local,
    allow_create_organization: option.allow_create_organization,
    max_repo_creation: option.max_repo_creation === undefined ? undefined : Math.max(-1, option.max_repo_creation),
  };
}

/**
 * The hash of a valid new password.
 * @throws HttpError 400 for an invalid one
 */
export async function hashNewPassword({ settings, passwords }: Context, password: string): Promise<string> {
  const fault = passwordFault(password, settings.passwords);
  if (fault === 'tooShort') throw badRequest(`password must be at least ${settings.passwords.minLength} characters`);
  if (fault === 'tooLong') throw badRequest(`password must be at most ${MAX_PASSWORD_BYTES} bytes`);
  if (fault) throw badRequest('password not complex enough');
  return passwords.hash(password);
}

/** @throws HttpError 422 for an organization, for oneself, and for what {@link deleteUser} refuses */
export async function deleteUserAsAdministrator(context: Context, user: User, options: { purge: boolean }): Promise<void> {
  refuseOrganization(user);
  if (user.id === context.actor?.id) throw unprocessable('you cannot delete yourself');
  await deleteUser(context, user, options);
}

/** @throws HttpError 422 for an organization and for what {@link renameAccount} refuses */
export async function renameUserAsAdministrator(context: Context, user: User, name: string): Promise<void> {
  refuseOrganization(user);
  await renameAccount(context, user, name);
}
