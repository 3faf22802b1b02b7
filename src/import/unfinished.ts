import type { Db } from '../database/database.ts';
import { StartError } from '../start-error.ts';

/**
 * Refuses to serve what is half an import: new things would take the ids of those that are to come.
 * @throws StartError
 */
export async function refuseUnfinishedImport(db: Db): Promise<void> {
  const row = await db.selectFrom('imports').select('id').where('finished_at', 'is', null).executeTakeFirst();
  if (row) throw new StartError('an import has not been finished: run the same "copse import" again, or begin with an empty data folder');
}
