import { isOrganizationOwner } from '../access/find-organization.ts';
import type { Repository } from '../access/find-repository.ts';
import { findUser, findUserById } from '../access/find-user.ts';
import { isOrganizationVisible } from '../access/organization-visibility.ts';
import { isUserVisible } from '../access/user-visibility.ts';
import { signedInActor } from '../accounts/sign-in/actor.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { RemoteError } from '../git/remote.ts';
import { conflict, forbidden, HttpError, unprocessable } from '../http/errors.ts';
import { HostNotAllowedError } from '../http/outgoing/allowed-hosts.ts';
import { parseRemoteUrl, type RemoteUrl, RemoteUrlError, requireRemoteAllowed } from '../http/outgoing/remote-url.ts';
import type { Shape } from '../http/schema.ts';
import { reachedLimit } from '../repositories/create.ts';
import { readMirrorInterval } from '../repositories/mirror-interval.ts';
import { givenCredentials } from './credentials.ts';
import { failureText, isRemoteFailure } from './failure.ts';
import { type ImportOptions, importRepository } from './import.ts';
import type { MigrateRepoOptions } from './schema.ts';

type Body = Shape<typeof MigrateRepoOptions>;

/**
 * Migrates a repository from another server, as a copy or as a mirror.
 * @throws HttpError 403 for an owner for whom the caller may not create repositories, 409 for a name in use, 422 for a source that cannot
 * be fetched
 */
export async function migrateRepository(context: Context, body: Body): Promise<Repository> {
  const { settings } = context;
  const owner = await ownerOf(context, body);
  const source = await readSource(context, body.clone_addr);
  if (body.mirror && !(settings.mirrors.enabled && settings.mirrors.newPullMirrors))
    throw forbidden('the site administrator has disabled the creation of new pull mirrors');
  if (!settings.migrations.enabled) throw forbidden('the site administrator has disabled migrations');
  if ((body.service ?? '') !== '' && body.service !== 'git')
    throw unprocessable(`migration from ${body.service} is not supported; plain git is`);
  const largeFiles = await readLargeFiles(context, body);
  await requireFreeName(context, owner, body.repo_name);
  const interval =
    body.mirror && body.mirror_interval
      ? readMirrorInterval(settings, body.mirror_interval, unprocessable)
      : settings.mirrors.defaultInterval / 1000;
  const { auth_username: username, auth_password: password, auth_token: token } = body;
  try {
    return await importRepository(context, owner, {
      name: body.repo_name,
      description: body.description ?? '',
      isPrivate: body.private ?? false,
      source,
      credentials: givenCredentials(source.credentials, { username, password, token }),
      wiki: body.wiki ?? false,
      ...(largeFiles && { largeFiles }),
      ...(body.mirror && { mirror: { interval } }),
    });
  } catch (error) {
    throw migrationError(error);
  }
}

async function ownerOf(context: Context, { repo_owner: name, uid }: Body): Promise<User> {
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
async function readSource({ settings }: Context, text: string): Promise<RemoteUrl> {
  try {
    const source = parseRemoteUrl(text);
    await requireRemoteAllowed(settings, source);
    return source;
  } catch (error) {
    throw migrationError(error);
  }
}

/** @throws HttpError 422 */
async function readLargeFiles(context: Context, { lfs, lfs_endpoint: endpoint }: Body): Promise<ImportOptions['largeFiles']> {
  if (!lfs || !context.settings.lfs.enabled) return undefined;
  if (!endpoint) return { endpoint: '' };
  const { url, protocol, credentials } = await readSource(context, endpoint);
  if (protocol === 'git' || credentials) throw unprocessable('[LFSEndpoint]: Url');
  return { endpoint: url };
}

/** The error that clients expect for a source that cannot be fetched. */
function migrationError(error: unknown): unknown {
  if (error instanceof HttpError) return error;
  if (error instanceof RemoteUrlError) {
    if (error.fault === 'local') return unprocessable('You are not allowed to import local repositories.');
    if (error.fault === 'host') return unprocessable('You can not import from disallowed hosts.');
    const reason = error.fault === 'protocol' ? 'the provided url protocol is not allowed' : 'the provided url is invalid';
    return unprocessable(`migration/cloning from '${error.host}' is not allowed: ${reason}`);
  }
  if (error instanceof HostNotAllowedError) return unprocessable('You can not import from disallowed hosts.');
  if (error instanceof RemoteError && error.fault === 'authentication') return unprocessable(`Authentication failed: ${error.message}.`);
  return isRemoteFailure(error) ? unprocessable(`Migration failed: ${failureText(error)}.`) : error;
}

/** Checks the name before anything is fetched. The messages are specific to this route. */
async function requireFreeName(context: Context, owner: User, name: string): Promise<void> {
  const lower = name.toLowerCase();
  if (['.', '-', '..'].includes(lower)) throw unprocessable(`The username '${lower}' is reserved.`);
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
