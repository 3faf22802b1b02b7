import { findUserById } from '../../access/find-user.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { PackageRow } from '../../database/tables/packages.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { deleteVersion } from './delete.ts';
import { findPackagesById, VERSION_COLUMNS } from './find.ts';
import { lockPackage } from './lock.ts';

/** Versions that one transaction deletes, so that other writers wait for some milliseconds. */
const BATCH = 20;
/** When a job deletes what this process did not come to. */
const RETRY_SECONDS = 60;

/**
 * Deletes a package with all its versions, in batches, the first ones first: readers find the newest until the end. If the process ends in
 * between, a job deletes the others. Versions that are published meanwhile stay.
 * @param begin runs in the first transaction, which has locked the package: by throwing it refuses the deletion
 */
export async function deletePackage(
  context: Context,
  row: PackageRow,
  begin: (context: Context) => Promise<void> = async () => {},
): Promise<void> {
  const { deletion, job } = await inTransaction(context, async (context) => {
    const { db, actor } = context;
    await lockPackage(db, row.id);
    await begin(context);
    const versions = db.selectFrom('package_versions').where('package_id', '=', row.id);
    const { last } = await versions.select(({ fn }) => fn.max<number | null>('id').as('last')).executeTakeFirstOrThrow();
    const deletion = { packageId: row.id, lastVersionId: last ?? 0, actorId: actor?.id ?? 0 };
    return { deletion, job: await context.jobs.add(context, 'packages.delete', deletion, { delay: RETRY_SECONDS }) };
  });
  await deleteVersions(context, deletion);
  await context.jobs.cancel(context, job);
}

/** The job that goes on with the deletion of a package. */
export async function resumeDeletion(deletion: Jobs['packages.delete'], context: Context): Promise<void> {
  const actor = await findUserById(context.db, deletion.actorId);
  const found = await findPackagesById(context.db, [deletion.packageId]);
  if (found.size > 0) await deleteVersions({ ...context, actor: actor ?? null }, deletion);
}

async function deleteVersions(context: Context, deletion: Jobs['packages.delete']): Promise<void> {
  while (await deleteBatch(context, deletion));
}

/** @returns whether there may be more versions */
async function deleteBatch(context: Context, { packageId, lastVersionId }: Jobs['packages.delete']): Promise<boolean> {
  return await inTransaction(context, async (context) => {
    const { db } = context;
    await lockPackage(db, packageId);
    const versions = await db
      .selectFrom('package_versions')
      .select(VERSION_COLUMNS)
      .where('package_id', '=', packageId)
      .where('id', '<=', lastVersionId)
      .orderBy('is_internal')
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const version of versions) await deleteVersion(context, version);
    if (versions.length === BATCH) return true;
    await db
      .deleteFrom('packages')
      .where('id', '=', packageId)
      .where((where) =>
        where.not(where.exists(where.selectFrom('package_versions').select('id').whereRef('package_id', '=', 'packages.id'))),
      )
      .execute();
    return false;
  });
}
