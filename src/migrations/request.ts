import { isOrganizationOwner } from '../access/find-organization.ts';
import { findUser, findUserById } from '../access/find-user.ts';
import { isOrganizationVisible } from '../access/organization-visibility.ts';
import { isUserVisible } from '../access/user-visibility.ts';
import { signedInActor } from '../accounts/sign-in/actor.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { conflict, forbidden, unprocessable } from '../http/errors.ts';
import {
  parseRemoteUrl,
  type RemoteCredentials,
  type RemoteUrl,
  requireRemoteAllowed,
  requireUsable,
} from '../http/outgoing/remote-url.ts';
import type { Shape } from '../http/schema.ts';
import { givenCredentials } from '../mirrors/credentials.ts';
import { reachedLimit } from '../repositories/limit.ts';
import { readMirrorInterval } from '../repositories/mirror-interval.ts';
import { migrationError } from './failure.ts';
import type { MigrateRepoOptions } from './schema.ts';
import { type Service, serviceOf } from './sources.ts';

/** The body of a request for a migration. */
export type MigrationBody = Shape<typeof MigrateRepoOptions>;

/** A validated request for a migration. */
export interface MigrationRequest {
  readonly body: MigrationBody;
  readonly service: Service;
  readonly url: RemoteUrl;
  readonly credentials: RemoteCredentials | undefined;
  readonly largeFiles: { readonly endpoint: string } | undefined;
  /** Seconds between two updates; undefined unless it is to be a mirror. */
  readonly mirrorInterval: number | undefined;
}

/**
 * Checks a request for a migration, and finds the owner of the new repository.
 * @throws HttpError 403 for an owner for whom the caller may not create repositories, 409 for a name in use, 422 for bad values
 */
export async function checkRequest(context: Context, body: MigrationBody): Promise<{ owner: User; request: MigrationRequest }> {
  const owner = await ownerOf(context, body);
  const request = await readRequest(context, body);
  await requireFreeName(context, owner, body.repo_name);
  return { owner, request };
}

/**
 * Checks the values of a request.
 * @throws HttpError 403 if the settings forbid it, 422
 */
export async function readRequest(context: Context, body: MigrationBody): Promise<MigrationRequest> {
  const { settings } = context;
  const url = await readUrl(context, body.clone_addr);
  if (body.mirror && !(settings.mirrors.enabled && settings.mirrors.newPullMirrors))
    throw forbidden('the site administrator has disabled the creation of new pull mirrors');
  if (!settings.migrations.enabled) throw forbidden('the site administrator has disabled migrations');
  const largeFiles = await readLargeFiles(context, body);
  const { auth_username: username, auth_password: password } = body;
  // GitHub is given several tokens, because each has limits of its own; git needs one.
  const token = body.auth_token?.split(',')[0];
  const credentials = givenCredentials(url.credentials, { username, password, token });
  try {
    if (credentials) requireUsable(credentials);
  } catch (error) {
    throw migrationError(error);
  }
  const mirrorInterval = body.mirror ? readInterval(context, body.mirror_interval) : undefined;
  return { body, service: serviceOf(body.service ?? ''), url, credentials, largeFiles, mirrorInterval };
}

function readInterval({ settings }: Context, given: string | undefined): number {
  return given ? readMirrorInterval(settings, given, unprocessable) : settings.mirrors.defaultInterval / 1000;
}

async function ownerOf(context: Context, { repo_owner: name, uid }: MigrationBody): Promise<User> {
  const actor = signedInActor(context);
  const { db } = context;
  const owner = name ? await findUser(db, name) : uid ? await findUserById(db, uid) : actor;
  const isVisible =
    owner?.type === 'organization' ? isOrganizationVisible(context, owner, actor) : owner && isUserVisible(db, owner, actor);
  if (!owner || !(await isVisible)) throw unprocessable(`user does not exist [uid: ${name ? 0 : uid}, name: ${name ?? ''}]`);
  if (actor.is_admin || owner.id === actor.id) return owner;
  if (owner.type !== 'organization') throw forbidden('Given user is not an organization.');
  if (!(await isOrganizationOwner(db, owner.id, actor.id))) throw forbidden('Given user is not owner of organization.');
  return owner;
}

/** @throws HttpError 422 */
async function readUrl({ settings }: Context, text: string): Promise<RemoteUrl> {
  try {
    const source = parseRemoteUrl(text);
    await requireRemoteAllowed(settings, source);
    return source;
  } catch (error) {
    throw migrationError(error);
  }
}

/** @throws HttpError 422 */
async function readLargeFiles(context: Context, { lfs, lfs_endpoint: endpoint }: MigrationBody): Promise<MigrationRequest['largeFiles']> {
  if (!lfs || !context.settings.lfs.enabled) return undefined;
  if (!endpoint) return { endpoint: '' };
  const { url, protocol, credentials } = await readUrl(context, endpoint);
  if (protocol === 'git' || credentials) throw unprocessable('[LFSEndpoint]: Url');
  return { endpoint: url };
}

/** Checks the name before anything is fetched. The messages are specific to this route. */
async function requireFreeName(context: Context, owner: User, name: string): Promise<void> {
  const lower = name.toLowerCase();
  if (lower.includes('..')) throw unprocessable(`The username '${name}' contains invalid characters.`);
  if (['.', '-'].includes(lower)) throw unprocessable(`The username '${lower}' is reserved.`);
  const ending = ['.wiki', '.git', '.rss', '.atom'].find((ending) => lower.endsWith(ending));
  if (ending) throw unprocessable(`The pattern '*${ending}' is not allowed in a username.`);
  const limit = reachedLimit(context, owner);
  if (limit !== undefined) throw unprocessable(`You have already reached your limit of ${limit} repositories.`);
  const taken = await context.db
    .selectFrom('repositories')
    .select('id')
    .where('owner_id', '=', owner.id)
    .where('lower_name', '=', lower)
    .where('state', '=', 'ready')
    .executeTakeFirst();
  if (taken) throw conflict('The repository with the same name already exists.');
}
