import type { Repository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';

/**
 * Locks a repository until the transaction ends, so that decisions about its owner and collaborators are serialized.
 * @returns undefined when it has another owner meanwhile, or was deleted
 */
export async function lockRepository(
  { db }: Context,
  { id, owner_id }: Pick<Repository, 'id' | 'owner_id'>,
): Promise<{ is_transferring: boolean } | undefined> {
  return await db
    .updateTable('repositories')
    .set((repositories) => ({ is_transferring: repositories.ref('is_transferring') }))
    .where('id', '=', id)
    .where('owner_id', '=', owner_id)
    .where('state', '=', 'ready')
    .returning('is_transferring')
    .executeTakeFirst();
}
