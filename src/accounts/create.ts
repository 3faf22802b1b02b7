import { now } from '../clock.ts';
import { type Context, inTransaction } from '../context.ts';
import type { NewUser, User } from '../database/tables/accounts.ts';
import { HttpError, unprocessable } from '../http/errors.ts';
import { checkAccountName, checkEmail, isEmailDomainAllowed } from './names.ts';

/** The options of a new account; the defaults are the instance's settings. */
export interface AccountOptions {
  name: string;
  email: string;
  fullName?: string;
  /** Empty for an account that cannot sign in with a password. */
  password: string;
  /** Created by an administrator, for whom the lists of mail domains do not apply. */
  byAdministrator?: boolean;
  /** The user is notified by mail. */
  notify?: boolean;
  /** Columns that differ from the settings. */
  columns?: Partial<Omit<NewUser, 'name' | 'email' | 'password_hash'>>;
}

/**
 * Creates an account with its primary e-mail address.
 * @throws HttpError 422 for a name or e-mail address that is not allowed or taken
 */
export async function createUser(context: Context, options: AccountOptions): Promise<User> {
  const { settings } = context;
  checkAccountName(settings, options.name);
  checkEmail(options.email);
  if (!options.byAdministrator && !isEmailDomainAllowed(settings, options.email))
    throw unprocessable(`e-mail invalid [email: ${options.email}]`);
  const visibility = options.columns?.visibility ?? settings.users.defaultVisibility;
  if (!settings.users.allowedVisibilities.includes(visibility)) throw unprocessable(`visibility Mode not allowed: ${visibility}`);
  const passwordHash = options.password === '' ? '' : await context.passwords.hash(options.password);
  return inTransaction(context, async (context) => {
    const { db } = context;
    await refuseTaken(context, options);
    const time = now();
    await db.deleteFrom('user_redirects').where('lower_name', '=', options.name.toLowerCase()).execute();
    const user = await db
      .insertInto('users')
      .values({
        type: 'individual',
        name: options.name,
        lower_name: options.name.toLowerCase(),
        full_name: options.fullName ?? '',
        email: options.email,
        password_hash: passwordHash,
        keep_email_private: settings.users.defaultKeepEmailPrivate,
        visibility: settings.users.defaultVisibility,
        allow_create_organization: settings.users.defaultAllowCreateOrganization && !settings.organizations.createByAdminsOnly,
        email_notifications: settings.users.defaultEmailNotifications,
        is_restricted: settings.users.defaultRestricted,
        is_active: !settings.registration.confirmEmail && !settings.registration.confirmManually,
        created_at: time,
        updated_at: time,
        ...options.columns,
      })
      // The index decides between two concurrent requests.
      .onConflict((conflict) => conflict.column('lower_name').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!user) throw nameTaken(options.name);
    const email = await db
      .insertInto('email_addresses')
      .values({
        user_id: user.id,
        email: options.email,
        lower_email: options.email.toLowerCase(),
        is_activated: user.is_active,
        is_primary: true,
      })
      .onConflict((conflict) => conflict.column('lower_email').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!email) throw new EmailTakenError(options.email);
    await context.events.emit(context, 'user.created', { userId: user.id, notify: options.notify ?? false });
    return user;
  });
}

/** @throws HttpError 422 when the name or the e-mail address is taken */
async function refuseTaken({ db }: Context, { name, email }: AccountOptions): Promise<void> {
  const sameName = await db.selectFrom('users').select('id').where('lower_name', '=', name.toLowerCase()).executeTakeFirst();
  if (sameName) throw nameTaken(name);
  const sameEmail = await db.selectFrom('email_addresses').select('id').where('lower_email', '=', email.toLowerCase()).executeTakeFirst();
  if (sameEmail) throw new EmailTakenError(email);
}

/** The error for a name that a user or an organization has. */
export function nameTaken(name: string): HttpError {
  return unprocessable(`user already exists [name: ${name}]`);
}

/** The error for an e-mail address that somebody has. */
export class EmailTakenError extends HttpError {
  constructor(email: string) {
    super(422, `e-mail already in use [email: ${email}]`);
  }
}
