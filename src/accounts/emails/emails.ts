import { sql } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import { contains, containsAnyCase } from '../../database/contains.ts';
import type { Db } from '../../database/database.ts';
import type { EmailAddress, User } from '../../database/tables/accounts.ts';
import { mayContain } from '../../database/texts.ts';
import { badRequest, forbidden, HttpError, notFound, unprocessable } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { mailConfirmation } from '../mailed-links.ts';
import { emailFault, isEmailDomainAllowed } from '../names.ts';

/** Maximum number of e-mail addresses of one user. */
const MAX_ADDRESSES = 100;

/** The e-mail addresses of a user, in the order in which they were added. */
export function listEmails(db: Db, user: User): Promise<EmailAddress[]> {
  return db.selectFrom('email_addresses').selectAll().where('user_id', '=', user.id).orderBy('id').execute();
}

/** @throws HttpError 403 where users may not change their sign-in data */
function refuseDisabled({ settings }: Context): void {
  if (settings.users.disabledFeatures.includes('manage_credentials')) throw forbidden('e-mail addresses cannot be changed');
}

/**
 * Adds e-mail addresses, all or none.
 * @throws HttpError 422 for an address that is invalid, not allowed, or taken
 */
export async function addEmails(context: Context, user: User, emails: readonly string[]): Promise<EmailAddress[]> {
  refuseDisabled(context);
  const { settings } = context;
  return inTransaction(context, async (context) => {
    const { db } = context;
    const known = await listEmails(db, user);
    if (known.length + emails.length > MAX_ADDRESSES) throw unprocessable(`a user has at most ${MAX_ADDRESSES} e-mail addresses`);
    for (const email of emails) {
      if (emailFault(email) || !isEmailDomainAllowed(settings, email)) {
        throw unprocessable(`Email address ${JSON.stringify(email)} invalid`);
      }
      const inserted = await insertEmail(db, { user_id: user.id, email, is_activated: !settings.registration.confirmEmail });
      if (!inserted) throw unprocessable(`Email address has been used: ${email}`);
      if (settings.registration.confirmEmail) await mailConfirmation(context, user, email);
    }
    return listEmails(db, user);
  });
}

async function insertEmail(db: Db, row: { user_id: number; email: string; is_activated: boolean; is_primary?: boolean }): Promise<boolean> {
  const inserted = await db
    .insertInto('email_addresses')
    .values({ ...row, lower_email: row.email.toLowerCase() })
    .onConflict((conflict) => conflict.column('lower_email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/**
 * Removes e-mail addresses of the user, all or none.
 * @throws HttpError 404 for an address that the user does not have, 400 for the primary one
 */
export async function deleteEmails(context: Context, user: User, emails: readonly string[]): Promise<void> {
  refuseDisabled(context);
  await inTransaction(context, async ({ db }) => {
    for (const email of emails) {
      const address = await db
        .selectFrom('email_addresses')
        .select(['id', 'is_primary'])
        .where('lower_email', '=', email.toLowerCase())
        .where('user_id', '=', user.id)
        .executeTakeFirst();
      if (!address) throw new HttpError(404, `Email address does not exist [email: ${email}]`);
      if (address.is_primary) throw badRequest(`Primary email address cannot be deleted [email: ${email}]`);
      await db.deleteFrom('email_addresses').where('id', '=', address.id).execute();
    }
  });
}

/**
 * Makes a confirmed e-mail address of the user the primary one: mails are sent to it, and it is shown if the user allows that.
 * @throws HttpError 404 for an address that the user does not have, 422 for one that is not confirmed
 */
export async function makePrimary(context: Context, user: User, id: number): Promise<void> {
  refuseDisabled(context);
  await inTransaction(context, async ({ db }) => {
    const address = await ownAddress(db, user, id);
    if (!address.is_activated) throw unprocessable('the address is not confirmed yet');
    await db
      .updateTable('email_addresses')
      .set({ is_primary: false })
      .where('user_id', '=', user.id)
      .where('is_primary', '=', true)
      .execute();
    await db.updateTable('email_addresses').set({ is_primary: true }).where('id', '=', id).execute();
    await db.updateTable('users').set({ email: address.email, updated_at: now() }).where('id', '=', user.id).execute();
  });
}

/**
 * Sends the link that confirms an e-mail address of the user again.
 * @throws HttpError 404 for an address that the user does not have, 422 for one that is confirmed
 */
export async function confirmAgain(context: Context, user: User, id: number): Promise<void> {
  const address = await ownAddress(context.db, user, id);
  if (address.is_activated) throw unprocessable('the address is confirmed');
  await mailConfirmation(context, user, address.email);
}

async function ownAddress(db: Db, user: User, id: number): Promise<EmailAddress> {
  const address = await db.selectFrom('email_addresses').selectAll().where('id', '=', id).where('user_id', '=', user.id).executeTakeFirst();
  if (!address) throw notFound();
  return address;
}

/**
 * Replaces the primary e-mail address by another, which counts as confirmed. Does nothing if only the case differs.
 * @throws HttpError 400 for an address that is none, is not allowed, or is in use
 */
export async function replacePrimaryEmail(context: Context, user: User, email: string): Promise<void> {
  if (user.email.toLowerCase() === email.toLowerCase()) return;
  const fault = emailFault(email);
  if (fault) throw badRequest(fault);
  if (!isEmailDomainAllowed(context.settings, email)) {
    throw badRequest(`the domain of user email ${email} conflicts with EMAIL_DOMAIN_ALLOWLIST or EMAIL_DOMAIN_BLOCKLIST`);
  }
  await inTransaction(context, async ({ db }) => {
    await db.deleteFrom('email_addresses').where('user_id', '=', user.id).where('is_primary', '=', true).execute();
    const inserted = await insertEmail(db, { user_id: user.id, email, is_activated: true, is_primary: true });
    if (!inserted) throw badRequest(`e-mail already in use [email: ${email}]`);
    await db.updateTable('users').set({ email, updated_at: now() }).where('id', '=', user.id).execute();
  });
}

/** An e-mail address with the name of its user. */
export type FoundEmail = EmailAddress & { readonly name: string };

/** Which e-mail addresses are listed, and in which order of theirs. */
export interface EmailSearch {
  readonly keyword: string;
  readonly isActivated?: boolean | undefined;
  readonly isPrimary?: boolean | undefined;
  readonly direction?: 'asc' | 'desc';
}

/** The e-mail addresses of all users that contain the keyword, also in their users' names; an empty keyword matches all. */
export async function searchEmails(
  { db, database }: Context,
  { keyword, isActivated, isPrimary, direction = 'asc' }: EmailSearch,
  page: Page,
): Promise<{ emails: FoundEmail[]; total: number }> {
  // Organizations have no rows here; with a condition on the type SQLite would sort the e-mail addresses of all users.
  let found = db.selectFrom('email_addresses').innerJoin('users', 'users.id', 'email_addresses.user_id');
  if (keyword) {
    const email = contains(sql`email_addresses.lower_email`, keyword);
    const name = contains(sql`users.lower_name`, keyword);
    const fullName = containsAnyCase(sql`users.full_name`, keyword);
    found = found.where(sql<boolean>`(${email} or ${name} or ${fullName})`);
    const addresses = mayContain(database, 'email_addresses', keyword);
    const people = mayContain(database, 'users', keyword);
    if (addresses && people) {
      const theirs = sql<number>`(select id from email_addresses where user_id in ${people})`;
      found = found.where(
        'email_addresses.id',
        'in',
        sql<number>`(select id from ${addresses} as addresses union select id from ${theirs} as theirs)`,
      );
    }
  }
  if (isActivated !== undefined) found = found.where('email_addresses.is_activated', '=', isActivated);
  if (isPrimary !== undefined) found = found.where('email_addresses.is_primary', '=', isPrimary);
  const isNarrowed = keyword !== '' || isActivated !== undefined || isPrimary !== undefined;
  const counted = isNarrowed
    ? found.select((select) => select.fn.countAll<number>().as('total'))
    : db.selectFrom('address_counts').select((select) => select.fn.sum<number>('count').as('total'));
  const total = Number((await counted.executeTakeFirstOrThrow()).total);
  // A short keyword is looked for in all rows: where nothing has it, once.
  if (total <= page.offset) return { emails: [], total };
  const emails = await found
    .selectAll('email_addresses')
    .select('users.name')
    .orderBy('lower_email', direction)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { emails, total };
}
