import { randomUUID } from 'node:crypto';
import type { Updateable } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { OAuth2Application, OAuth2ApplicationsTable } from '../../database/tables/oauth2.ts';
import { notFound } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { hashRandomValue, newClientSecret } from './client-secrets.ts';
import { checkRedirectUris } from './redirect-uris.ts';

/** What an application is registered with. */
export interface ApplicationOptions {
  name: string;
  redirectUris: readonly string[];
  isConfidential: boolean;
  skipsConsent: boolean;
}

/** An application together with its new secret, which cannot be had again. */
export interface NewApplication {
  application: OAuth2Application;
  secret: string;
}

/**
 * Registers an application of the user.
 * @throws HttpError 400 for a redirect URI that cannot be one
 */
export async function createApplication({ db }: Context, user: User, options: ApplicationOptions): Promise<NewApplication> {
  checkRedirectUris(options.redirectUris);
  const secret = newClientSecret();
  const time = now();
  const application = await db
    .insertInto('oauth2_applications')
    .values({
      user_id: user.id,
      client_id: randomUUID(),
      secret_hash: hashRandomValue(secret),
      ...columnsOf(options),
      created_at: time,
      updated_at: time,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { application, secret };
}

/**
 * Changes an application of the user, which keeps its secret.
 * @throws HttpError 404 when the user has no such application, 400 for a redirect URI that cannot be one
 */
export async function editApplication(context: Context, user: User, id: number, options: ApplicationOptions): Promise<OAuth2Application> {
  checkRedirectUris(options.redirectUris);
  return changed(context, user, id, columnsOf(options));
}

/**
 * Gives an application of the user a new secret; the one before is good for nothing any more.
 * @throws HttpError 404 when the user has no such application
 */
export async function renewSecret(context: Context, user: User, id: number): Promise<NewApplication> {
  const secret = newClientSecret();
  return { application: await changed(context, user, id, { secret_hash: hashRandomValue(secret) }), secret };
}

/**
 * Changes an application of the user; it gets a new secret.
 * @throws HttpError 404 when the user has no such application, 400 for a redirect URI that cannot be one
 */
export async function updateApplication(context: Context, user: User, id: number, options: ApplicationOptions): Promise<NewApplication> {
  checkRedirectUris(options.redirectUris);
  const secret = newClientSecret();
  const application = await changed(context, user, id, { ...columnsOf(options), secret_hash: hashRandomValue(secret) });
  return { application, secret };
}

async function changed(context: Context, user: User, id: number, columns: Updateable<OAuth2ApplicationsTable>): Promise<OAuth2Application> {
  await applicationOf(context, user, id);
  const application = await context.db
    .updateTable('oauth2_applications')
    .set({ ...columns, updated_at: now() })
    .where('id', '=', id)
    .where('user_id', '=', user.id)
    .returningAll()
    .executeTakeFirst();
  if (!application) throw notFound();
  return application;
}

function columnsOf({ name, redirectUris, isConfidential, skipsConsent }: ApplicationOptions) {
  return { name, redirect_uris: JSON.stringify(redirectUris), is_confidential: isConfidential, skips_consent: skipsConsent };
}

/** The applications of a user, the newest first. */
export async function listApplications(
  { db }: Context,
  user: User,
  page: Page,
): Promise<{ applications: OAuth2Application[]; total: number }> {
  const ofUser = db.selectFrom('oauth2_applications').where('user_id', '=', user.id);
  const { total } = await ofUser.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const applications = await ofUser.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute();
  return { applications, total: Number(total) };
}

/**
 * An application of the user.
 * @throws HttpError 404
 */
export async function applicationOf({ db }: Context, user: User, id: number): Promise<OAuth2Application> {
  if (!Number.isSafeInteger(id)) throw notFound();
  const application = await db
    .selectFrom('oauth2_applications')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  if (!application) throw notFound();
  return application;
}

/**
 * Removes an application of the user, with all that was granted to it.
 * @throws HttpError 404
 */
export async function deleteApplication(context: Context, user: User, id: number): Promise<void> {
  await inTransaction(context, async (context) => {
    const { id: found } = await applicationOf(context, user, id);
    await context.db.deleteFrom('oauth2_applications').where('id', '=', found).execute();
  });
}

/** The application with this client id. */
export function findApplication(db: Db, clientId: string): Promise<OAuth2Application | undefined> {
  return db.selectFrom('oauth2_applications').selectAll().where('client_id', '=', clientId).executeTakeFirst();
}
