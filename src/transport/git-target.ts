import { existsSync } from 'node:fs';
import { isOrganizationMember } from '../access/find-organization.ts';
import { findMovedRepository, findRepositoryOf, type Repository } from '../access/find-repository.ts';
import { findRenamedUser, findUser } from '../access/find-user.ts';
import { isVisibleTo } from '../access/organization-visibility.ts';
import { accountAccess, type RepositoryAccess, repositoryAccess } from '../access/repository-access.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { GitRepository } from '../git/repository.ts';
import { wikiFolderForWriting } from '../repositories/wiki-folder.ts';
import { challenge, checkGitToken } from './git-caller.ts';
import { GitRefusal } from './refusal.ts';

/** The target that a git URL names. */
export interface GitUrl {
  owner: string;
  /** Without `.git` and `.wiki`. */
  name: string;
  isWiki: boolean;
}

/** A repository that the caller may fetch from, or try to push to. */
export interface GitTarget {
  readonly repository: Repository;
  readonly access: RepositoryAccess;
  readonly folder: GitRepository;
  readonly isWiki: boolean;
  /** The permissions of the deploy key that acts in place of a user. */
  readonly deployKey?: DeployKeyGrant;
}

/** The permissions of a deploy key in a repository. */
export interface DeployKeyGrant {
  /** Of its row in `deploy_keys`. */
  readonly id: number;
  readonly canWrite: boolean;
}

/** The permissions of the caller's deploy key in a repository; undefined if it has none. */
export type DeployKeyLookup = (repository: Repository) => Promise<DeployKeyGrant | undefined>;

/** The repository has another name now, which this caller may know. */
export class GitMoved extends Error {
  /** `owner/name`, as written in the URL. */
  readonly to: string;
  readonly status: 301 | 307;
  constructor(to: string, status: 301 | 307) {
    super(`moved to ${to}`);
    this.to = to;
    this.status = status;
  }
}

/** The URL names no repository, and a push may create it. */
export class GitMissing extends Error {
  readonly owner: User;
  constructor(owner: User) {
    super('there is no such repository yet');
    this.owner = owner;
  }
}

const ARCHIVED = 'This repo is archived. You can view files and clone it, but cannot push or open issues/pull-requests.';
const NOT_FOUND = 'Repository not found';

/** Reads `name`, `name.git`, `name.wiki` and `name.wiki.git`. */
export function parseGitUrl(owner: string, name: string): GitUrl {
  const plain = name.replace(/\.git$/, '');
  return plain.endsWith('.wiki') ? { owner, name: plain.slice(0, -5), isWiki: true } : { owner, name: plain, isWiki: false };
}

/**
 * Finds the repository of an address and decides whether the caller gets at it at all. Users who may not write are refused only once the
 * push is there (push.ts), as whether they may can depend on the ref.
 * @param deployKeyOf given where the caller is a deploy key, which may do what it is allowed to in its repositories and nothing else
 * @throws GitRefusal; GitMoved; GitMissing for a push to what is not there, by somebody signed in
 */
export async function findGitTarget(
  context: Context,
  address: GitUrl,
  service: 'read' | 'write',
  deployKeyOf?: DeployKeyLookup,
): Promise<GitTarget> {
  const owner = await findOwner(context, address.owner);
  const repository = await findRepositoryOf(context.db, owner, address.name);
  if (!repository) return await missing(context, owner, address, { service, deployKeyOf });
  const deployKey = await deployKeyOf?.(repository);
  if (deployKeyOf && !deployKey) throw new GitRefusal(404, NOT_FOUND);
  if (deployKey && service === 'write' && !deployKey.canWrite) throw new GitRefusal(403, 'This deploy key may only read.');
  const access = await accountAccess(context, repository, context.actor);
  const unit = address.isWiki ? 'wiki' : 'code';
  // Nobody has to sign in for what anonymous visitors may see.
  if (service === 'write' && repository.is_archived && access.isVisible) throw new GitRefusal(403, ARCHIVED);
  if (!deployKey && !(service === 'read' && isOpen(context, repository, access, unit))) {
    requireAccess(context, repository, access, { unit, service });
  }
  if (service === 'write') refuseReadOnly(repository);
  if (!repository.units[unit]) throw new GitRefusal(403, `repository ${unit} is disabled`);
  const folder = address.isWiki ? await wikiFolder(context, repository, service) : context.git.locate(repository);
  return { repository, access, folder, isWiki: address.isWiki, ...(deployKey && { deployKey }) };
}

/** @throws GitRefusal if the caller, or the token, lacks the permission */
function requireAccess(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  { unit, service }: { unit: 'code' | 'wiki'; service: 'read' | 'write' },
): void {
  requireCaller(context);
  checkGitToken(context, undefined, service);
  if (access.unitLevel(unit) < (unit === 'wiki' && service === 'write' ? 2 : 1)) throw new GitRefusal(404, NOT_FOUND);
  // After the access: to others a private repository and a missing one look the same, whatever their token is limited to.
  checkGitToken(context, repository, service);
}

/** @throws GitRefusal for a repository that nobody may push to */
function refuseReadOnly(repository: Repository): void {
  if (repository.is_archived) throw new GitRefusal(403, ARCHIVED);
  if (repository.is_mirror) throw new GitRefusal(403, 'mirror repository is read-only');
}

/** A wiki that nobody has written yet is not there, but can be pushed to. */
async function wikiFolder(context: Context, repository: Repository, service: 'read' | 'write'): Promise<GitRepository> {
  if (service === 'write') return await wikiFolderForWriting(context, repository);
  const folder = context.git.locateWiki(repository);
  if (!existsSync(folder.path)) throw new GitRefusal(404, NOT_FOUND);
  return folder;
}

/** Whether anonymous callers may fetch: if the instance shows things without a sign-in. */
function isOpen(context: Context, repository: Repository, access: RepositoryAccess, unit: 'code' | 'wiki'): boolean {
  if (context.settings.access.requireSignInView) return false;
  if (context.signIn.method === 'ssh' && context.actor?.is_restricted) return false;
  if (!repository.is_private && repository.owner.visibility === 'public') return true;
  return context.actor === null && access.canRead(unit);
}

async function missing(
  context: Context,
  owner: User,
  { name, isWiki }: GitUrl,
  { service, deployKeyOf }: { service: 'read' | 'write'; deployKeyOf: DeployKeyLookup | undefined },
): Promise<never> {
  const moved = await findMovedRepository(context.db, owner.id, name);
  const isOpened = moved && (deployKeyOf ? await deployKeyOf(moved) : (await repositoryAccess(context, moved, context.actor)).isVisible);
  // A redirect must not reveal the new name to a caller who may not see the repository.
  if (moved && isOpened) {
    throw new GitMoved(`${moved.owner.name}/${moved.name}${isWiki ? '.wiki' : ''}`, 301);
  }
  requireCaller(context);
  checkGitToken(context, undefined, service);
  if (service === 'read' || isWiki) throw new GitRefusal(404, NOT_FOUND);
  throw new GitMissing(owner);
}

/** @throws GitRefusal 401 that asks for credentials */
function requireCaller(context: Context): void {
  if (!context.actor) throw new GitRefusal(401, 'Unauthorized\n', challenge(context));
}

async function findOwner(context: Context, name: string): Promise<User> {
  const owner = await findUser(context.db, name);
  if (owner) {
    if (owner.type === 'individual' && !owner.is_active) {
      throw new GitRefusal(403, 'Repository cannot be accessed. You cannot push or open issues/pull-requests.');
    }
    return owner;
  }
  const renamed = await findRenamedUser(context.db, name);
  if (renamed && (await isShown(context, renamed))) throw new GitMoved(renamed.name, 307);
  throw new GitRefusal(404, 'Not found.\n');
}

async function isShown(context: Context, account: User): Promise<boolean> {
  const { db, actor } = context;
  const isMember = account.type === 'organization' && actor !== null && (await isOrganizationMember(db, account.id, actor.id));
  return isVisibleTo(account, actor, isMember, context.settings.access.requireSignInView);
}
