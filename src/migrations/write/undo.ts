import { type Context, inTransaction } from '../../context.ts';

/** The tables that steps of a migration fill. */
export type StepTable = 'milestones' | 'labels' | 'releases' | 'issues';

/** Rows of one transaction. */
const BATCH = 200;

/** Deletes the rows that an interrupted attempt wrote after its last checkpoint: those of a repository with a higher id, and their files. */
export async function removeAfter(context: Context, repositoryId: number, table: StepTable, lastId: number): Promise<void> {
  for (;;) {
    const rows = await context.db
      .selectFrom(table)
      .select('id')
      .where('repository_id', '=', repositoryId)
      .where('id', '>', lastId)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    if (rows.length === 0) return;
    await remove(
      context,
      table,
      rows.map(({ id }) => id),
    );
  }
}

async function remove(context: Context, table: StepTable, ids: readonly number[]): Promise<void> {
  await inTransaction(context, async (context) => {
    const { db } = context;
    if (table === 'issues' || table === 'releases') {
      const column = table === 'issues' ? 'issue_id' : 'release_id';
      const files = await db.deleteFrom('attachments').where(column, 'in', ids).returning('uuid').execute();
      if (files.length > 0) await context.jobs.add(context, 'attachments.remove', { uuids: files.map(({ uuid }) => uuid) });
    }
    await db.deleteFrom(table).where('id', 'in', ids).execute();
  });
}
