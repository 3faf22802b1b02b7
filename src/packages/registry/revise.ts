import type { Db } from '../../database/database.ts';

/** Notes that a version is shown in another way from now on, as part of the transaction that changes it. */
export async function reviseVersion(db: Db, versionId: number): Promise<void> {
  await db
    .updateTable('package_versions')
    .set((row) => ({ revision: row('revision', '+', 1) }))
    .where('id', '=', versionId)
    .execute();
}
