import type { Db } from '../database/database.ts';
import { StartError } from '../start-error.ts';

/**
 * Refuses to serve an unfinished import: new rows would take the ids of rows that are not imported yet.
 * @throws StartError
 */
export async function refuseUnfinishedImport(db: Db): Promise<void> {
  const row = await db.selectFrom('imports').select('id').where('finished_at', 'is', null).executeTakeFirst();
  if (row) throw new StartError('an import has not been finished: run the same "copse import" again, or begin with an empty data folder');
}
