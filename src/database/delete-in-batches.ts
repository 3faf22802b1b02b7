import type { Db } from './database.ts';

/** Rows that one statement deletes. */
const ROWS = 500;

/**
 * Deletes the rows of a repository in a table, some at a time. One statement for the watches of 100,000 people would hold the thread for a
 * fifth of a second on SQLite.
 */
export async function deleteInBatches(db: Db, table: 'notifications' | 'watches', repositoryId: number): Promise<void> {
  const some = db.selectFrom(table).select('id').where('repository_id', '=', repositoryId).limit(ROWS);
  for (;;) {
    const { numDeletedRows } = await db.deleteFrom(table).where('id', 'in', some).executeTakeFirstOrThrow();
    if (numDeletedRows < ROWS) return;
  }
}
