import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { Team } from '../database/tables/organizations.ts';
import { forbidden, type HttpError, MovedError, notFound, notFoundBecause } from '../http/errors.ts';
import type { Loader, RequirementInput } from '../http/route.ts';
import { findTeam, findTeamByName, isOrganizationMember } from './find-organization.ts';
import { findMovedRepository, findRepositoryOf, type Repository } from './find-repository.ts';
import { findRenamedUser, findUser } from './find-user.ts';
import { isVisibleTo } from './organization-visibility.ts';
import { accountAccess, type RepositoryAccess, repositoryAccess } from './repository-access.ts';
import { isUserVisible } from './user-visibility.ts';

/** The repository in a path, and the caller's access to it. */
export interface LoadedRepository {
  readonly repository: Repository;
  readonly access: RepositoryAccess;
}

/** What loaders may have found, for the requirements. */
export interface Loaded extends RequirementInput, Partial<LoadedRepository> {
  readonly organization?: User;
  readonly team?: Team;
  readonly user?: User;
}

/** `:owner/:repo` */
export const loadRepository: Loader<LoadedRepository> = async ({ owner: ownerName = '', repo: name = '' }, context, url) => {
  const owner = context.actor?.lower_name === ownerName.toLowerCase() ? context.actor : await findUser(context.db, ownerName);
  if (!owner) {
    await redirectToUser(context, ownerName, url);
    throw notFound([`user redirect does not exist [name: ${ownerName.toLowerCase()}]`], 'GetUserByName');
  }
  const repository = await findRepositoryOf(context.db, owner, name);
  if (!repository) {
    const moved = await findMovedRepository(context.db, owner.id, name);
    // A redirect must not reveal the new name to a caller who may not see the repository.
    if (moved && (await repositoryAccess(context, moved, context.actor)).isVisible) {
      throw new MovedError(
        replaced(url, `${encodeURIComponent(ownerName)}/${encodeURIComponent(name)}`, `${moved.owner.name}/${moved.name}`),
      );
    }
    throw notFound();
  }
  const access = await accountAccess(context, repository, context.actor);
  if (!access.isVisible) throw notFound();
  return { repository, access };
};

/** `:template_owner/:template_repo` */
export const loadTemplate: Loader<LoadedRepository> = ({ template_owner: owner = '', template_repo: repo = '' }, context, url) =>
  loadRepository({ owner, repo }, context, url);

/** `:org` */
export const loadOrganization: Loader<{ organization: User }> = async ({ org: name = '' }, context, url) => {
  const organization = await findUser(context.db, name);
  if (organization?.type !== 'organization') {
    await redirectToUser(context, name, url);
    throw notFound([`user redirect does not exist [name: ${name.toLowerCase()}]`], 'GetOrgByName');
  }
  return { organization };
};

/** `:id` of a team, with its organization */
export const loadTeam: Loader<{ team: Team; organization: User }> = async ({ id }, context) => {
  const found = await findTeam(context.db, Number(id));
  if (!found) throw notFound();
  return found;
};

/** `:org/…/:team`, a team of the organization by its name */
export const loadNamedTeam: Loader<{ team: Team; organization: User }> = async ({ team: name = '', ...params }, context, url) => {
  const { organization } = await loadOrganization(params, context, url);
  const team = await findTeamByName(context.db, organization.id, name);
  if (!team) throw notFound();
  return { team, organization };
};

/** `:username`, a user or an organization, for any caller */
export const loadUser: Loader<{ user: User }> = async ({ username: name = '' }, context, url) => {
  if (context.actor?.lower_name === name.toLowerCase()) return { user: context.actor };
  const user = await findUser(context.db, name);
  if (!user) {
    await redirectToUser(context, name, url);
    throw notFoundBecause(`user redirect does not exist [name: ${name.toLowerCase()}]`);
  }
  return { user };
};

/** {@link loadUser} for users that the caller may see */
export const loadVisibleUser: Loader<{ user: User }> = async (params, context, url) => {
  const { user } = await loadUser(params, context, url);
  if (user.type !== 'individual') return { user };
  const { actor } = context;
  const hidden = (user.visibility === 'private' && actor?.id !== user.id && !actor?.is_admin) || (user.visibility === 'limited' && !actor);
  if (!hidden) return { user };
  if (context.signIn.token?.publicOnly) throw forbidden('token scope is limited to public users');
  throw notFound(null, 'Visit Project');
};

/**
 * The user that a later part of a path names; a former name redirects to the current one.
 * @param url the requested URL
 * @throws HttpError 404
 */
export async function loadUserByName(context: Context, name: string, url: string): Promise<User> {
  const user = await findUser(context.db, name);
  if (user) return user;
  await redirectToUser(context, name, new URL(url));
  throw unknownUser(name);
}

/**
 * {@link loadUserByName} without redirects from former names.
 * @throws HttpError 404
 */
export async function findPresentUser(context: Context, name: string): Promise<User> {
  const user = await findUser(context.db, name);
  if (!user) throw unknownUser(name);
  return user;
}

/**
 * {@link loadUserByName} for every caller: a user who is hidden from the caller counts as missing.
 * @throws HttpError 404
 */
export async function findVisibleUser(context: Context, name: string, url: string): Promise<User> {
  const user = await loadUserByName(context, name, url);
  if (await isUserVisible(context.db, user, context.actor)) return user;
  throw unknownUser(name);
}

function unknownUser(name: string): HttpError {
  return notFound([`user does not exist [uid: 0, name: ${name}]`], 'GetUserByName');
}

async function redirectToUser(context: Context, oldName: string, url: URL): Promise<void> {
  const user = await findRenamedUser(context.db, oldName);
  if (!user) return;
  const isMember =
    user.type === 'organization' && context.actor !== null && (await isOrganizationMember(context.db, user.id, context.actor.id));
  if (!isVisibleTo(user, context.actor, isMember)) return;
  throw new MovedError(replaced(url, encodeURIComponent(oldName), encodeURIComponent(user.name)), 307);
}

function replaced(url: URL, from: string, to: string): string {
  const path = url.pathname.replace(new RegExp(`(?<=/)${RegExp.escape(from)}(?=/|$|[.](?:keys|gpg|png|rss|atom)$)`, 'i'), () => to);
  return path + url.search;
}
