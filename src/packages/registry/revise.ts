import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';

const revise = prepared((db, id: number) =>
  db
    .updateTable('package_versions')
    .set((row) => ({ revision: row('revision', '+', 1) }))
    .where('id', '=', id),
);

/** Records that a version is shown differently from now on, as part of the transaction that changes it. */
export async function reviseVersion(db: Db, versionId: number): Promise<void> {
  await revise(db, versionId);
}
