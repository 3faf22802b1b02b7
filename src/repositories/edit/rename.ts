import type { Repository } from '../../access/find-repository.ts';
import { type Context, inTransaction } from '../../context.ts';
import { isUniqueViolation } from '../../database/database.ts';
import { unprocessable } from '../../http/errors.ts';
import { checkRepositoryName } from '../names.ts';

/**
 * Renames a repository; the old name redirects to it until somebody else takes it.
 * A change of case only is not a new name.
 * @throws HttpError 422 for a name that is malformed, reserved or taken
 */
export async function renameRepository(context: Context, repository: Repository, name: string): Promise<void> {
  const lowerName = name.toLowerCase();
  if (lowerName === repository.lower_name) {
    if (name !== repository.name) await context.db.updateTable('repositories').set({ name }).where('id', '=', repository.id).execute();
    return;
  }
  checkRepositoryName(name, 'ChangeRepositoryName: ');
  const taken = () => unprocessable(`repository already exists [uname: ${repository.owner.name}, name: ${lowerName}]`);
  try {
    await inTransaction(context, async (context) => {
      const { db } = context;
      const other = await db
        .selectFrom('repositories')
        .select('id')
        .where('owner_id', '=', repository.owner_id)
        .where('lower_name', '=', lowerName)
        .executeTakeFirst();
      if (other) throw taken();
      await db.updateTable('repositories').set({ name, lower_name: lowerName }).where('id', '=', repository.id).execute();
      await redirect(context, repository, lowerName);
      await context.events.emit(context, 'repository.renamed', {
        repositoryId: repository.id,
        oldName: repository.name,
        actorId: context.actor?.id ?? repository.owner_id,
      });
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw taken();
    throw error;
  }
}

/** Redirects from the former name and owner of a repository, and removes redirects from its new name. */
export async function redirect(
  { db }: Context,
  repository: Repository,
  newLowerName: string,
  newOwnerId = repository.owner_id,
): Promise<void> {
  await db.deleteFrom('repository_redirects').where('owner_id', '=', newOwnerId).where('lower_name', '=', newLowerName).execute();
  await db
    .insertInto('repository_redirects')
    .values({ owner_id: repository.owner_id, lower_name: repository.lower_name, repository_id: repository.id })
    .onConflict((conflict) => conflict.columns(['owner_id', 'lower_name']).doUpdateSet({ repository_id: repository.id }))
    .execute();
}
