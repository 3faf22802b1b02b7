import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder, Updateable } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { OAuth2Application, OAuth2ApplicationsTable } from '../../database/tables/oauth2.ts';
import type { Tables } from '../../database/tables.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { hashRandomValue, newClientSecret } from './client-secrets.ts';
import { isDefaultApplication } from './default-applications.ts';
import { checkRedirectUris } from './redirect-uris.ts';

/** The owner of an application: a user, an organization, or the instance where it is null. */
export type ApplicationOwner = Pick<User, 'id'> | null;

/** The fields of an application. */
export interface ApplicationOptions {
  name: string;
  redirectUris: readonly string[];
  isConfidential: boolean;
  skipsConsent: boolean;
}

/** An application together with its new secret, which is never shown again. */
export interface NewApplication {
  application: OAuth2Application;
  secret: string;
}

/**
 * Registers an application of the owner.
 * @throws HttpError 400 for an invalid redirect URI
 */
export async function createApplication({ db }: Context, owner: ApplicationOwner, options: ApplicationOptions): Promise<NewApplication> {
  checkRedirectUris(options.redirectUris);
  const secret = newClientSecret();
  const time = now();
  const application = await db
    .insertInto('oauth2_applications')
    .values({
      user_id: owner?.id ?? null,
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
 * Changes an application of the owner, which keeps its secret.
 * @throws HttpError 404 when the owner has no such application, 400 for an invalid redirect URI
 */
export async function editApplication(
  context: Context,
  owner: ApplicationOwner,
  id: number,
  options: ApplicationOptions,
): Promise<OAuth2Application> {
  const application = await applicationOf(context, owner, id);
  checkRedirectUris(options.redirectUris);
  return changed(context, owner, application, columnsOf(options));
}

/**
 * Generates a new secret for an application; the former one becomes invalid.
 * @throws HttpError 404 when the owner has no such application
 */
export async function renewSecret(context: Context, owner: ApplicationOwner, id: number): Promise<NewApplication> {
  const found = await applicationOf(context, owner, id);
  const secret = newClientSecret();
  return { application: await changed(context, owner, found, { secret_hash: hashRandomValue(secret) }), secret };
}

/**
 * Changes an application of the owner; it gets a new secret.
 * @throws HttpError 404 when the owner has no such application, 400 for an invalid redirect URI
 */
export async function updateApplication(
  context: Context,
  owner: ApplicationOwner,
  id: number,
  options: ApplicationOptions,
): Promise<NewApplication> {
  const found = await applicationOf(context, owner, id);
  checkRedirectUris(options.redirectUris);
  const secret = newClientSecret();
  const application = await changed(context, owner, found, { ...columnsOf(options), secret_hash: hashRandomValue(secret) });
  return { application, secret };
}

async function changed(
  context: Context,
  owner: ApplicationOwner,
  found: OAuth2Application,
  columns: Updateable<OAuth2ApplicationsTable>,
): Promise<OAuth2Application> {
  checkChangeable(found);
  const application = await context.db
    .updateTable('oauth2_applications')
    .set({ ...columns, updated_at: now() })
    .where('id', '=', found.id)
    .where(ownedBy(owner))
    .returningAll()
    .executeTakeFirst();
  if (!application) throw notFound();
  return application;
}

/** Applications from the settings cannot be changed otherwise. */
function checkChangeable({ client_id: clientId }: OAuth2Application): void {
  if (isDefaultApplication(clientId)) throw unprocessable('the settings (oauth2.defaultApplications) decide about this application');
}

function ownedBy(owner: ApplicationOwner) {
  return ({ eb }: ExpressionBuilder<Tables, 'oauth2_applications'>) => (owner ? eb('user_id', '=', owner.id) : eb('user_id', 'is', null));
}

function columnsOf({ name, redirectUris, isConfidential, skipsConsent }: ApplicationOptions) {
  return { name, redirect_uris: JSON.stringify(redirectUris), is_confidential: isConfidential, skips_consent: skipsConsent };
}

/** The applications of an owner, newest first. */
export async function listApplications(
  { db }: Context,
  owner: ApplicationOwner,
  page: Page,
): Promise<{ applications: OAuth2Application[]; total: number }> {
  const ofUser = db.selectFrom('oauth2_applications').where(ownedBy(owner));
  const { total } = await ofUser.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const applications = await ofUser.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute();
  return { applications, total: Number(total) };
}

/**
 * An application of the owner.
 * @throws HttpError 404
 */
export async function applicationOf({ db }: Context, owner: ApplicationOwner, id: number): Promise<OAuth2Application> {
  if (!Number.isSafeInteger(id)) throw notFound();
  const application = await db.selectFrom('oauth2_applications').selectAll().where('id', '=', id).where(ownedBy(owner)).executeTakeFirst();
  if (!application) throw notFound();
  return application;
}

/**
 * Deletes an application of the owner, with all its grants.
 * @throws HttpError 404
 */
export async function deleteApplication(context: Context, owner: ApplicationOwner, id: number): Promise<void> {
  await inTransaction(context, async (context) => {
    const application = await applicationOf(context, owner, id);
    checkChangeable(application);
    await context.db.deleteFrom('oauth2_applications').where('id', '=', application.id).execute();
  });
}

/** The application with this client id. */
export function findApplication(db: Db, clientId: string): Promise<OAuth2Application | undefined> {
  return db.selectFrom('oauth2_applications').selectAll().where('client_id', '=', clientId).executeTakeFirst();
}
