import { findRepositoryOf, isPublicRepository, type Repository } from '../../access/find-repository.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { forbidden, notFound } from '../../http/errors.ts';

/**
 * A repository of the organization of a team.
 * @throws HttpError 404, and 403 for a token that is limited to public ones
 */
export async function findTeamRepository(context: Context, organization: User, name: string): Promise<Repository> {
  const repository = await findRepositoryOf(context.db, organization, name);
  if (!repository) throw notFound();
  if (!isPublicRepository(repository) && context.signIn.token?.publicOnly) throw forbidden('token scope is limited to public repos');
  return repository;
}

/**
 * The same for changes: only administrators of a repository decide which teams have it.
 * @throws HttpError 403, 404
 */
export async function findAdministered(context: Context, organization: User, name: string): Promise<Repository> {
  const repository = await findTeamRepository(context, organization, name);
  const access = await repositoryAccess(context, repository, context.actor);
  if (!access.isAdmin) throw forbidden('Must have admin-level access to the repository');
  return repository;
}
