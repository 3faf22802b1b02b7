import { type Loaded, loadOrganization, loadRepository } from '../access/load.ts';
import { orgOwner, repositoryOwner, signedIn, siteAdmin } from '../access/requirements.ts';
import { signedInActor } from '../accounts/sign-in/actor.ts';
import type { Context } from '../context.ts';
import type { Loader, Requirement, ScopeCategory } from '../http/route.ts';
import type { ActionScope } from './scope.ts';

/** The common parts of the routes of secrets, variables and runners at one level. */
interface Level {
  readonly common: {
    readonly scope: ScopeCategory;
    readonly needs: readonly Requirement[];
    readonly refusesPublicOnly?: boolean;
    readonly loads?: Loader<unknown>;
    readonly redirects?: readonly (301 | 307)[];
  };
  /** The prefix of paths. */
  readonly path: string;
  /** `Repo` in `getRepoVariable`. */
  readonly name: 'Repo' | 'Org' | 'User' | 'Admin';
  /** `repo` in `repoListActionsSecrets`. */
  readonly prefix: 'repo' | 'org' | 'user' | 'admin';
  /** The owner in summaries. */
  readonly of: string;
  readonly parameters: Record<string, { description: string }>;
  scopeOf(input: Loaded, context: Context): ActionScope;
}

/** Of a repository. */
export const repositoryLevel: Level = {
  common: { scope: 'repository', needs: [signedIn, repositoryOwner], loads: loadRepository, redirects: [301, 307] },
  path: '/repos/:owner/:repo/actions',
  name: 'Repo',
  prefix: 'repo',
  of: 'a repository',
  parameters: {},
  scopeOf: ({ repository }) => ({ repositoryId: repository?.id ?? 0 }),
};

/** Of an organization. */
export const organizationLevel: Level = {
  common: { scope: 'organization', needs: [signedIn, orgOwner], loads: loadOrganization, redirects: [307] },
  path: '/orgs/:org/actions',
  name: 'Org',
  prefix: 'org',
  of: 'an organization',
  parameters: { org: { description: 'name of the organization' } },
  scopeOf: ({ organization }) => ({ ownerId: organization?.id ?? 0 }),
};

/** Of the caller. */
export const userLevel: Level = {
  common: { scope: 'user', needs: [signedIn], refusesPublicOnly: true },
  path: '/user/actions',
  name: 'User',
  prefix: 'user',
  of: 'the caller',
  parameters: {},
  scopeOf: (_, context) => ({ ownerId: signedInActor(context).id }),
};

/** Of the instance. */
export const instanceLevel: Level = {
  common: { scope: 'admin', needs: [signedIn, siteAdmin] },
  path: '/admin/actions',
  name: 'Admin',
  prefix: 'admin',
  of: 'the instance',
  parameters: {},
  scopeOf: () => ({ instance: true }),
};

export type { Level };
