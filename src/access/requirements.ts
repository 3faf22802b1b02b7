import type { Context } from '../context.ts';
import type { UnitName } from '../database/tables/repositories.ts';
import { forbidden, locked, notFound, unauthorized } from '../http/errors.ts';
import type { Requirement } from '../http/route.ts';
import { joined } from '../text/joined.ts';
import { isOrganizationMember, isOrganizationOwner, isTeamMember } from './find-organization.ts';
import type { Repository } from './find-repository.ts';
import type { Loaded } from './load.ts';
import { isOrganizationVisible } from './organization-visibility.ts';

/**
 * The requirements of routes, one function each. Access to a route is refused only here;
 * rules that depend on the object itself are with the object.
 */

const isSiteAdmin = (context: Context): boolean => context.actor?.is_admin ?? false;

type Check = (input: Loaded, context: Context) => void | Promise<void>;

function requirement(name: string, check: Check, options: Pick<Requirement, 'ofCaller' | 'status'> = {}): Requirement {
  return { name, check, ...options };
}

function repositoryOf({ repository, access }: Loaded) {
  if (!repository || !access) throw new Error('the route has no repository in its path');
  return { repository, access };
}

function organizationOf({ organization }: Loaded) {
  if (!organization) throw new Error('the route has no organization in its path');
  return organization;
}

/** tok: any sign-in. */
export const signedIn = requirement(
  'tok',
  (_, { actor }) => {
    if (!actor) throw unauthorized('token is required');
  },
  { ofCaller: true },
);

/** site-admin. */
export const siteAdmin = requirement(
  'site-admin',
  (_, context) => {
    if (!isSiteAdmin(context)) throw forbidden('user should be the site admin');
  },
  { ofCaller: true },
);

/** owner: of the repository, or a site administrator. */
export const repositoryOwner = requirement('owner', (input, context) => {
  if (!repositoryOf(input).access.isOwner && !isSiteAdmin(context)) throw forbidden('user should be the owner of the repo');
});

/** self-or-admin: the user in the path, or a site administrator. */
export const selfOrAdmin = requirement('self-or-admin', ({ user }, context) => {
  if (!isSiteAdmin(context) && user?.id !== context.actor?.id) {
    throw forbidden('doer should be the site admin or be same as the contextUser');
  }
});

/** basic: a basic authorization header, or a reverse proxy's header where that is enabled. */
export const basicSignIn = requirement('basic', (_, { signIn }) => {
  if (!signIn.basic && signIn.method !== 'proxy') throw unauthorized('auth required');
});

/** repo-admin. */
export const repositoryAdmin = requirement('repo-admin', (input, context) => {
  if (!repositoryOf(input).access.isAdmin && !isSiteAdmin(context)) {
    throw forbidden('user should be an owner or a collaborator with admin write of a repository');
  }
});

/** repo-write[units]: of any of the units. */
export function canWrite(...units: UnitName[]): Requirement {
  return requirement('repo-write', (input, context) => {
    const { access } = repositoryOf(input);
    if (!units.some((unit) => access.canWrite(unit)) && !access.isAdmin && !isSiteAdmin(context)) {
      throw forbidden('user should have a permission to write to a repo');
    }
  });
}

/** repo-read[unit]. */
export function canRead(unit: UnitName): Requirement {
  return requirement('repo-read', (input, context) => {
    const { access } = repositoryOf(input);
    if (!access.canRead(unit) && !access.isAdmin && !isSiteAdmin(context)) {
      throw forbidden('user should have specific read permission or be a repo admin or a site admin');
    }
  });
}

/** any-read: of any unit. */
export const anyRead = requirement('any-read', (input, context) => {
  if (!repositoryOf(input).access.hasAnyUnit && !isSiteAdmin(context)) {
    throw forbidden('user should have any permission to read repository or permissions of site admin');
  }
});

/** not-archived. */
export const notArchived = requirement('not-archived', (input) => refuseArchived(repositoryOf(input).repository), { status: 423 });

/** @throws HttpError 423 for an archived repository */
export function refuseArchived(repository: Repository): void {
  if (repository.is_archived) throw locked(`${fullName(repository)} is archived`);
}

/** The repository has a commit. */
export const notEmpty = requirement('not-empty', (input) => {
  if (repositoryOf(input).repository.is_empty) throw notFound(null, 'repository is empty');
});

/** The repository can be changed by the API: it is neither archived nor a mirror. */
export const editable = requirement(
  'editable',
  (input) => {
    const { repository } = repositoryOf(input);
    if (repository.is_archived || repository.is_mirror) throw locked(`${fullName(repository)} is not allowed to edit`);
  },
  { status: 423 },
);

/** issues-on, pulls-on, wiki-on: the unit is enabled and readable. */
export function unitOn(...units: UnitName[]): Requirement {
  return requirement('unit-on', (input) => {
    const { access, repository } = repositoryOf(input);
    // Nothing can be pulled into a repository without a commit, or into a mirror.
    const has = (unit: UnitName) => unit !== 'pulls' || !(repository.is_empty || repository.is_mirror);
    if (!units.some((unit) => has(unit) && access.canRead(unit))) throw notFound();
  });
}

/** attach-on. */
export const attachmentsOn = requirement('attach-on', (_, { settings }) => {
  if (!settings.attachments.enabled) throw notFound();
});

/** webhooks-on. */
export const webhooksOn = requirement('webhooks-on', (_, { settings }) => {
  if (!settings.webhooks.enabled) throw forbidden('webhooks disabled by administrator');
});

/** oauth2-on: applications may sign users in through the instance. */
export const oauth2On = requirement('oauth2-on', (_, { settings }) => {
  if (!settings.oauth2.enabled) throw notFound();
});

/** Stars can be disabled for the whole instance. */
export const starsOn = requirement('stars-on', (_, { settings }) => {
  if (!settings.repository.starsEnabled) throw forbidden('stars disabled by administrator');
});

/** The heatmap can be disabled for the whole instance. */
export const heatmapOn = requirement('heatmap-on', (_, { settings }) => {
  if (!settings.users.heatmapEnabled) throw notFound();
});

/** explore: signed in, if the instance requires that for exploring. */
export const explore = requirement('explore', (_, { actor, settings }) => {
  if (!actor && (settings.access.requireSignInView || settings.access.requireSignInExplore)) {
    throw unauthorized('you must be signed in to search for users');
  }
});

/** org-visible: the caller may see the organization; for others it does not exist. */
export function orgVisible(message = 'not found'): Requirement {
  return requirement('org-visible', async (input, context) => {
    if (!(await isOrganizationVisible(context, organizationOf(input), context.actor))) throw notFound(null, message);
  });
}

/** org-owner: of the organization, or a site administrator; on a route of a team it does not exist for others. */
export const orgOwner = requirement('org-owner', async (input, context) => {
  if (isSiteAdmin(context)) return;
  if (context.actor && (await isOrganizationOwner(context.db, organizationOf(input).id, context.actor.id))) return;
  throw input.team ? notFound() : forbidden('Must be an organization owner');
});

/** org-member: of the organization, or a site administrator; on a route of a team it does not exist for others. */
export const orgMember = requirement('org-member', async (input, context) => {
  if (isSiteAdmin(context)) return;
  if (context.actor && (await isOrganizationMember(context.db, organizationOf(input).id, context.actor.id))) return;
  throw input.team ? notFound() : forbidden('Must be an organization member');
});

/** team-member: of the team, an owner of its organization, or a site administrator; for non-members of the organization the team does not exist. */
export const teamMember = requirement('team-member', async (input, context) => {
  const { db, actor } = context;
  const { team } = input;
  if (!team) throw new Error('the route has no team in its path');
  if (isSiteAdmin(context)) return;
  if (!actor) throw notFound();
  if (await isOrganizationOwner(db, team.organization_id, actor.id)) return;
  if (await isTeamMember(db, team.id, actor.id)) return;
  throw (await isOrganizationMember(db, team.organization_id, actor.id)) ? forbidden('Must be a team member') : notFound();
});

/** Whether the caller may add server-side scripts that run with each push, in repositories that they administer. */
export function mayEditGitHooks({ actor, settings }: Pick<Context, 'actor' | 'settings'>): boolean {
  return settings.git.hooksEnabled && actor !== null && (actor.is_admin || actor.allow_git_hook);
}

/** git-hook: allowed to edit Git hooks. */
export const gitHookEditor = requirement('git-hook', (_, context) => {
  if (!mayEditGitHooks(context)) throw forbidden('must be allowed to edit Git hooks');
});

/** `owner/name` for messages. */
export function fullName(repository: Repository): string {
  return joined(repository.owner.name, '/', repository.name);
}
