import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { forbidden, type HttpError, MovedError, notFound, notFoundBecause } from '../http/errors.ts';
import type { AnyRoute, Requirement, RequirementInput, ScopeCategory } from '../http/route.ts';
import { findTeam, isOrganizationMember } from './find-organization.ts';
import { findMovedRepository, findRepositoryOf, isPublicRepository } from './find-repository.ts';
import { findRenamedUser, findUser } from './find-user.ts';
import { isVisibleTo } from './organization-visibility.ts';
import { accountAccess, repositoryAccess } from './repository-access.ts';
import { isUserVisible } from './user-visibility.ts';

/** Resolves what a path begins with; refuses what the caller may not know of. */
export type Assign = (input: RequirementInput, context: Context, url: URL) => Promise<void>;

/** The assignment step of a route; it follows from the beginning of the path. */
export function assignmentOf({ path }: Pick<AnyRoute, 'path'>): Assign | undefined {
  if (NAMES_REPOSITORY.some((start) => path.startsWith(start))) return assignRepository;
  if (path.startsWith('/repos/:template_owner/:template_repo')) return assignTemplate;
  if (path.startsWith('/orgs/:org')) return assignOrganization;
  if (path.startsWith('/teams/:id')) return assignTeam;
  if (path.startsWith('/users/:username')) return assignVisibleUser;
  if (NAMES_USER.some((start) => path.startsWith(start))) return assignUser;
  return undefined;
}

/** Where files of repositories are fetched, beside the interface. */
const DOORS = ['raw', 'media', 'archive', 'attachments', 'commit', 'pulls', 'releases', 'wiki'].map((door) => `//:owner/:repo/${door}/`);

const FILES = [...DOORS, '//:file', '//attachments/', '//avatars/', '//repo-avatars/'];

const NAMES_REPOSITORY = ['/repos/:owner/:repo', '/user/starred/:owner/:repo', ...DOORS];
const NAMES_USER = ['/admin/users/:username', '/user/following/:username', '/user/blocks/:username'];

/**
 * The requirements that come before what the path names is looked up, and those that come after: whoever may not use
 * a route about accounts at all does not learn which of them exist.
 */
export function requirementsAround({
  path,
  needs = [],
}: Pick<AnyRoute, 'path' | 'needs'>): [readonly Requirement[], readonly Requirement[]] {
  const isAccounts = /^\/(?:admin|users?)(?:\/|$)/.test(path);
  const after = isAccounts ? needs.findIndex(({ ofCaller }) => !ofCaller) : 0;
  return after < 0 ? [needs, []] : [needs.slice(0, after), needs.slice(after)];
}

/** Whether the route is an address of files that browsers and programs fetch, not part of the interface. */
export function isDownload({ path }: Pick<AnyRoute, 'path'>): boolean {
  return FILES.some((start) => path.startsWith(start));
}

/** Whether the route is about the account that is signed in. */
export function isOwnAccount({ path }: Pick<AnyRoute, 'path'>): boolean {
  return path === '/user' || path.startsWith('/user/');
}

/** The account that is signed in, as if the path named it. */
export function ownAccount({ doer }: Context): RequirementInput {
  return doer ? { params: {}, user: doer } : { params: {} };
}

const assignRepository: Assign = async (input, context, url) => {
  const { owner: ownerName = '', repo: name = '' } = input.params;
  const owner = context.doer?.lower_name === ownerName.toLowerCase() ? context.doer : await findUser(context.db, ownerName);
  if (!owner) {
    await redirectToUser(context, ownerName, url);
    throw notFound([`user redirect does not exist [name: ${ownerName.toLowerCase()}]`], 'GetUserByName');
  }
  const repository = await findRepositoryOf(context.db, owner, name);
  if (!repository) {
    const moved = await findMovedRepository(context.db, owner.id, name);
    // A redirect must not tell the new name to somebody who may not see the repository.
    if (moved && (await repositoryAccess(context, moved, context.doer)).isVisible) {
      throw new MovedError(
        replaced(url, `${encodeURIComponent(ownerName)}/${encodeURIComponent(name)}`, `${moved.owner.name}/${moved.name}`),
      );
    }
    throw notFound();
  }
  const access = await accountAccess(context, repository, context.doer);
  if (!access.isVisible) throw notFound();
  Object.assign(input, { repository, access });
};

const assignTemplate: Assign = (input, context, url) => {
  const { template_owner: owner = '', template_repo: repo = '' } = input.params;
  input.params = { ...input.params, owner, repo };
  return assignRepository(input, context, url);
};

const assignOrganization: Assign = async (input, context, url) => {
  const name = input.params.org ?? '';
  const organization = await findUser(context.db, name);
  if (organization?.type !== 'organization') {
    await redirectToUser(context, name, url);
    throw notFound([`user redirect does not exist [name: ${name.toLowerCase()}]`], 'GetOrgByName');
  }
  input.organization = organization;
};

const assignTeam: Assign = async (input, context) => {
  const found = await findTeam(context.db, Number(input.params.id));
  if (!found) throw notFound();
  Object.assign(input, found);
};

const assignUser: Assign = async (input, context, url) => {
  const name = input.params.username ?? '';
  if (context.doer?.lower_name === name.toLowerCase()) {
    input.user = context.doer;
    return;
  }
  const user = await findUser(context.db, name);
  if (!user) {
    await redirectToUser(context, name, url);
    throw notFoundBecause(`user redirect does not exist [name: ${name.toLowerCase()}]`);
  }
  input.user = user;
};

const assignVisibleUser: Assign = async (input, context, url) => {
  await assignUser(input, context, url);
  const { user } = input;
  if (user?.type !== 'individual') return;
  const { doer } = context;
  const hidden = (user.visibility === 'private' && doer?.id !== user.id && !doer?.is_admin) || (user.visibility === 'limited' && !doer);
  if (!hidden) return;
  if (context.signIn.token?.publicOnly) throw forbidden('token scope is limited to public users');
  throw notFound(null, 'Visit Project');
};

/**
 * The user that a path names further behind; a former name leads to the present one.
 * @param url the address that the client asked for
 * @throws HttpError 404
 */
export async function findNamedUser(context: Context, name: string, url: string): Promise<User> {
  const user = await findUser(context.db, name);
  if (user) return user;
  await redirectToUser(context, name, new URL(url));
  throw unknownUser(name);
}

/**
 * {@link findNamedUser} where a former name is nobody's.
 * @throws HttpError 404
 */
export async function findPresentUser(context: Context, name: string): Promise<User> {
  const user = await findUser(context.db, name);
  if (!user) throw unknownUser(name);
  return user;
}

/**
 * {@link findNamedUser} where any caller may ask: who is hidden from the caller is like who does not exist.
 * @throws HttpError 404
 */
export async function findVisibleUser(context: Context, name: string, url: string): Promise<User> {
  const user = await findNamedUser(context, name, url);
  if (await isUserVisible(context.db, user, context.doer)) return user;
  throw unknownUser(name);
}

function unknownUser(name: string): HttpError {
  return notFound([`user does not exist [uid: 0, name: ${name}]`], 'GetUserByName');
}

async function redirectToUser(context: Context, oldName: string, url: URL): Promise<void> {
  const user = await findRenamedUser(context.db, oldName);
  if (!user) return;
  const isMember =
    user.type === 'organization' && context.doer !== null && (await isOrganizationMember(context.db, user.id, context.doer.id));
  if (!isVisibleTo(user, context.doer, isMember)) return;
  throw new MovedError(replaced(url, encodeURIComponent(oldName), encodeURIComponent(user.name)), 307);
}

function replaced(url: URL, from: string, to: string): string {
  const path = url.pathname.replace(new RegExp(`(?<=/)${RegExp.escape(from)}(?=/|$|[.](?:keys|gpg|png)$)`, 'i'), () => to);
  return path + url.search;
}

/**
 * Refuses what is not public to a token that is limited to public things.
 * Repositories are refused with 403; their issues and notifications do not exist.
 */
export function refusePrivate(given: readonly ScopeCategory[], { repository, organization, user }: RequirementInput): void {
  // A door that asks for no scope is none to what is private either.
  const categories = given.length > 0 ? given : (['repository', 'organization', 'user'] as const);
  const privateRepository = repository !== undefined && !isPublicRepository(repository);
  const account = organization ?? user;
  for (const category of categories) {
    if (privateRepository && category === 'repository') throw forbidden('token scope is limited to public repos');
    if (privateRepository && (category === 'issue' || category === 'notification')) throw notFound();
    if (category === 'organization' && account?.type === 'organization' && account.visibility !== 'public') {
      throw forbidden('token scope is limited to public orgs');
    }
    if ((category === 'user' || category === 'activitypub') && account?.type === 'individual' && account.visibility !== 'public') {
      throw forbidden(`token scope is limited to public ${category === 'user' ? 'users' : 'activitypub'}`);
    }
    if (category === 'package' && account?.visibility === 'private') throw forbidden('token scope is limited to public packages');
  }
}
