import type { Repository } from '../../access/find-repository.ts';
import { type Context, inTransaction } from '../../context.ts';
import { isUniqueViolation } from '../../database/database.ts';
import { unprocessable } from '../../http/errors.ts';
import { checkRepositoryName } from '../names.ts';

/**
 * Gives a repository another name; the old one leads to it from then on, as long as nobody else takes it.
 * Another case of the same name is no other name.
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

/** Leads from the name and owner that a repository has had to it, and from no longer to the name it gets. */
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
