import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';

const lock = prepared((db, id: number) => db.selectFrom('packages').select('id').where('id', '=', id).forNoKeyUpdate());

/**
 * Locks a package until the end of the transaction, so that publications and deletions of one package see each other.
 * Otherwise a version could be deleted with a file that is being added to it.
 */
export async function lockPackage(db: Db, packageId: number): Promise<void> {
  await lock(db, packageId);
}
