import { findRepository, type Repository } from '../../access/find-repository.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { PackageRow } from '../../database/tables/packages.ts';
import type { Events } from '../../events/events.ts';
import { badRequest, forbidden } from '../../http/errors.ts';

/**
 * Links a package to a repository of its owner.
 * @throws HttpError 400 for one that is linked already, 403 for a caller who may not write the repository's packages
 */
export async function linkPackage(context: Context, row: PackageRow, repository: Repository): Promise<void> {
  if (row.owner_id !== repository.owner_id) throw forbidden('permission denied');
  await requireWrite(context, repository);
  const linked = await context.db
    .updateTable('packages')
    .set({ repository_id: repository.id })
    .where('id', '=', row.id)
    .where('repository_id', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!linked) throw badRequest('invalid argument');
}

/**
 * Unlinks a package from its repository. A repository that was transferred to another owner has no say in that.
 * @throws HttpError 400 for one that is not linked, 403 for a caller who may not write the packages of a repository of the same owner
 */
export async function unlinkPackage(context: Context, row: PackageRow): Promise<void> {
  if (row.repository_id === null) throw badRequest('invalid argument');
  const repository = await findRepository(context.db, row.repository_id);
  if (repository?.owner_id === row.owner_id) await requireWrite(context, repository);
  await context.db.updateTable('packages').set({ repository_id: null }).where('id', '=', row.id).execute();
}

/** Unlinks all packages of a repository that is deleted. */
export async function unlinkAll({ repositoryId }: Events['repository.deleted'], context: Context): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    await db.updateTable('packages').set({ repository_id: null }).where('repository_id', '=', repositoryId).execute();
  });
}

async function requireWrite(context: Context, repository: Repository): Promise<void> {
  const access = await repositoryAccess(context, repository, context.actor);
  if (!access.canWrite('packages') && !context.actor?.is_admin) throw forbidden('permission denied');
}
