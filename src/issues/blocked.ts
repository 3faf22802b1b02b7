import { repositoryAccess } from '../access/repository-access.ts';
import { isBlockedByAny } from '../accounts/blocks/blocked.ts';
import { signedInActor } from '../accounts/sign-in/actor.ts';
import type { Context } from '../context.ts';
import { forbidden } from '../http/errors.ts';
import type { Issue } from './find.ts';

/**
 * Refuses users blocked by the author of the issue or the owner of the repository, unless they administer it.
 * @throws HttpError 403
 */
export async function refuseBlocked(context: Context, { author_id: authorId, repository }: Issue): Promise<void> {
  const actor = signedInActor(context);
  if (!(await isBlockedByAny(context.db, [authorId, repository.owner_id], actor))) return;
  if (!(await repositoryAccess(context, repository, actor)).isAdmin) throw forbidden('user is blocked');
}
