import { forbidden, notFound } from '../http/errors.ts';
import type { ScopeCategory } from '../http/route.ts';
import { isPublicRepository } from './find-repository.ts';
import type { Loaded } from './load.ts';

/**
 * Refuses private resources to a token that is limited to public ones.
 * Repositories are refused with 403; their issues and notifications with 404.
 */
export function refusePrivate(
  given: readonly ScopeCategory[],
  { repository, organization, user }: Pick<Loaded, 'repository' | 'organization' | 'user'>,
): void {
  // A route without a scope gives no access to private resources either.
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
