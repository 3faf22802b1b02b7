import { isOrganizationMember } from '../access/find-organization.ts';
import { findRepository, findRepositoryOf, type Repository } from '../access/find-repository.ts';
import { findUser } from '../access/find-user.ts';
import { keyAccess, type RepositoryAccess, repositoryAccess } from '../access/repository-access.ts';
import { readBearer } from '../accounts/sign-in/sign-in.ts';
import { anonymousContext, type Context, type Services } from '../context.ts';
import { MovedError } from '../http/errors.ts';
import type { RequestParts } from '../http/route.ts';
import { challenge, gitCaller } from '../transport/git-caller.ts';
import { findGitTarget, GitMissing, GitMoved, type GitUrl, parseGitUrl } from '../transport/git-target.ts';
import { GitRefusal } from '../transport/refusal.ts';
import { LfsError } from './errors.ts';
import { isLfsToken, type LfsTokenUse, useLfsToken } from './tokens.ts';

/** A repository whose large files the caller may download, or also upload. */
export interface LfsTarget {
  /** The context of the caller. */
  readonly context: Context;
  readonly repository: Repository;
  readonly access: RepositoryAccess;
  /** Whether objects that the caller can read in other repositories are linked without an upload; not with a key of one repository. */
  readonly mayLink: boolean;
  /** Whether the caller is a deploy key. */
  readonly isDeployKey: boolean;
}

/** The parts of a request of Git LFS. */
export interface LfsRequest {
  readonly params: { readonly owner: string; readonly repo: string };
  readonly request: RequestParts;
}

/**
 * Finds the repository of a request and decides whether the caller may read or write its large files: by the rules of git over HTTP.
 * @throws LfsError 401 for callers without access, and for repositories that they may not see; 403, 404
 * @throws GitRefusal 403 for a token without the scope, in plain text
 * @throws MovedError with the URL of the current name
 */
export async function findLfsTarget(services: Services, given: LfsRequest, level: 'read' | 'write'): Promise<LfsTarget> {
  const address = parseGitUrl(given.params.owner, given.params.repo);
  const token = readBearer(given.request.headers.authorization);
  try {
    if (token !== undefined && isLfsToken(token)) return await byToken(services, given.request, address, token, level);
    const context = await gitCaller(services, given.request);
    return { ...(await findFor(context, address, level)), mayLink: true, isDeployKey: false };
  } catch (error) {
    if (error instanceof GitMoved) throw new MovedError(movedUrl(services, given, error), 307);
    if (error instanceof GitRefusal && error.status === 401) throw unauthorized(services);
    throw error;
  }
}

/**
 * Checks write access again after a long upload, with the current permissions and state.
 * @throws LfsError
 */
export async function recheckWrite({ context, repository: { id }, isDeployKey, access }: LfsTarget): Promise<void> {
  const repository = await findRepository(context.db, id);
  if (!repository) throw new LfsError(404);
  refuseState(repository, 'write');
  const current = isDeployKey ? access : await repositoryAccess(context, repository, context.actor);
  if (!current.canWrite('code')) throw unauthorized(context);
}

/** A 401 that requests credentials, in `LFS-Authenticate` and in `WWW-Authenticate`. */
export function unauthorized(services: Pick<Services, 'settings'>): LfsError {
  const headers = challenge(services);
  return new LfsError(401, undefined, { ...headers, 'lfs-authenticate': headers['www-authenticate'] ?? '' });
}

async function byToken(
  services: Services,
  { id, ip }: RequestParts,
  address: GitUrl,
  token: string,
  level: 'read' | 'write',
): Promise<LfsTarget> {
  const use = await useLfsToken(services, token);
  if (!use || (level === 'write' && use.operation !== 'upload')) throw unauthorized(services);
  const signIn = { method: 'token', basic: false, token: use.grant } as const;
  const context: Context = { ...anonymousContext(services, id, ip), actor: use.user, signIn };
  const found = use.user ? await findFor(context, address, level) : await findForKey(context, address, use, level);
  if (found.repository.id !== use.repositoryId) throw unauthorized(services);
  return { ...found, mayLink: false, isDeployKey: use.user === null };
}

type Found = Pick<LfsTarget, 'context' | 'repository' | 'access'>;

async function findFor(context: Context, address: GitUrl, level: 'read' | 'write'): Promise<Found> {
  if (address.isWiki) throw await missing(context, address);
  try {
    const { repository, access } = await findGitTarget(context, address, level);
    if (level === 'write' && !access.canWrite('code')) throw unauthorized(context);
    return { context, repository, access };
  } catch (error) {
    if (error instanceof GitMissing || (error instanceof GitRefusal && error.status === 404)) throw await missing(context, address);
    // That of the scope stays as it is.
    if (error instanceof GitRefusal && error.status === 403 && error.message !== 'Forbidden\n')
      throw new LfsError(403, error.message.trim());
    throw error;
  }
}

async function findForKey(context: Context, { owner, name, isWiki }: GitUrl, use: LfsTokenUse, level: 'read' | 'write'): Promise<Found> {
  const account = await findUser(context.db, owner);
  const repository = account && !isWiki ? await findRepositoryOf(context.db, account, name) : undefined;
  if (repository?.id !== use.repositoryId || (level === 'write' && !use.deployKeyWrites)) throw unauthorized(context);
  refuseState(repository, level);
  return { context, repository, access: keyAccess(repository, use.deployKeyWrites ?? false) };
}

function refuseState(repository: Repository, level: 'read' | 'write'): void {
  if (level === 'write' && repository.is_archived) throw new LfsError(403, 'the repository is archived');
  if (level === 'write' && repository.is_mirror) throw new LfsError(403, 'mirror repository is read-only');
  if (!repository.units.code) throw new LfsError(403, 'repository code is disabled');
}

/** 404 for the owner, members and administrators. Others get the same error as for a repository that they may not see. */
async function missing(context: Context, { owner: name }: GitUrl): Promise<LfsError> {
  const { actor, db } = context;
  const owner = actor ? await findUser(db, name) : undefined;
  const isTheirs = actor !== null && owner !== undefined && (owner.id === actor.id || (await isOrganizationMember(db, owner.id, actor.id)));
  return actor?.is_admin || isTheirs ? new LfsError(404) : unauthorized(context);
}

function movedUrl({ settings }: Services, { params, request }: LfsRequest, { to }: GitMoved): string {
  const { pathname, search } = new URL(request.url);
  const rest = pathname.slice(pathname.indexOf('/info/lfs'));
  const path = to.includes('/') ? `${to}.git` : `${to}/${params.repo}`;
  return `${settings.server.rootUrl}${encodeURI(path)}${rest}${search}`;
}
