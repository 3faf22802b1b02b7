import { type LoadedRepository, loadNamedTeam, loadOrganization, loadRepository, loadVisibleUser } from '../access/load.ts';
import type { User } from '../database/tables/accounts.ts';
import type { Team } from '../database/tables/organizations.ts';
import { pageLoading, type Visit } from './page.ts';

/** A page with `:owner/:repo` in its path. */
export const repositoryPage = pageLoading(loadRepository);
/** A page with `:org` in its path. */
export const organizationPage = pageLoading(loadOrganization);
/** A page with `:org` and `:team` in its path. */
export const teamPage = pageLoading(loadNamedTeam);
/** A page with `:username` in its path, a user or an organization that the caller may see. */
export const accountPage = pageLoading(loadVisibleUser);
/** A page about nothing that its path names. */
export const plainPage = pageLoading(async () => ({}));

/** The request of a page of a repository. */
export type RepositoryVisit = Visit & LoadedRepository;
/** The request of a page of an organization. */
export type OrganizationVisit = Visit & { readonly organization: User };
/** The request of a page of a team. */
export type TeamVisit = OrganizationVisit & { readonly team: Team };
/** The request of a page of an account. */
export type AccountVisit = Visit & { readonly user: User };
