import type { Database } from '../../database/database.ts';
import { writeCommentWords, writeIssueWords } from '../../issues/search/index.ts';
import type { Row, TableShape } from './shape.ts';

/** Texts of one transaction. */
const BATCH = 100;

/**
 * Indexes the words of issues or comments again, whose ids are the rows of `table`.
 * @param table one of WORD_TABLES
 */
export async function indexWords(
  { db, dialect }: Pick<Database, 'db' | 'dialect'>,
  table: TableShape,
  rows: readonly Row[],
): Promise<void> {
  const ids = rows.map(([id]) => Number(id));
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = ids.slice(at, at + BATCH);
    await db.transaction().execute(async (db) => {
      if (table.name === 'issue_words') {
        const issues = await db.selectFrom('issues').select(['id', 'repository_id', 'title', 'body']).where('id', 'in', batch).execute();
        for (const issue of issues) await writeIssueWords({ db, dialect }, issue);
      } else {
        const comments = await db
          .selectFrom('comments')
          .innerJoin('issues', 'issues.id', 'comments.issue_id')
          .select(['comments.id', 'comments.issue_id', 'issues.repository_id', 'comments.body'])
          .where('comments.id', 'in', batch)
          .execute();
        for (const comment of comments) await writeCommentWords({ db, dialect }, comment);
      }
    });
  }
}
