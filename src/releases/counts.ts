import type { Context } from '../context.ts';

/** Counts the releases that everybody sees, for the row of their repository: part of every change of releases. */
export async function countReleases({ db }: Pick<Context, 'db'>, repositoryId: number): Promise<void> {
  await db
    .updateTable('repositories')
    .set((row) => ({
      releases_count: row
        .selectFrom('releases')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('repository_id', '=', repositoryId)
        .where('is_draft', '=', false),
    }))
    .where('id', '=', repositoryId)
    .execute();
}
