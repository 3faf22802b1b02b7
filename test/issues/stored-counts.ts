import { PostgresAdapter, sql } from 'kysely';
import type { Db } from '../../src/database/database.ts';

/** What is kept of issues against what they are: the rows of `issue_counts` that differ, and in PostgreSQL those of `issue_words`. */
export async function wrongCounts(db: Db): Promise<unknown[]> {
  const kinds = sql`repository_id, mark, mark_id, is_pull, is_closed`;
  const { rows } = await sql`select ${kinds}, sum(count) from (
      select ${kinds}, count from issue_counts
      union all select repository_id, 'author', author_id, is_pull, is_closed, -1 from issues
      union all select repository_id, 'milestone', milestone_id, is_pull, is_closed, -1 from issues where milestone_id is not null
      union all select repository_id, 'label', label_id, is_pull, is_closed, -1 from issue_labels join issues on issues.id = issue_id
      union all select repository_id, 'assignee', user_id, is_pull, is_closed, -1 from issue_assignees join issues on issues.id = issue_id
      union all select repository_id, 'mention', user_id, is_pull, is_closed, -1 from issue_mentions join issues on issues.id = issue_id
      union all select repository_id, 'updated', updated_at / 65536, is_pull, is_closed, -1 from issues
      union all select repository_id, 'comment', 0, is_pull, ${false}, -comments_count from issues
    ) as rows group by ${kinds} having sum(count) <> 0`.execute(db);
  return [...rows, ...(db.getExecutor().adapter instanceof PostgresAdapter ? await wronglyBesideWords(db) : [])];
}

async function wronglyBesideWords(db: Db): Promise<unknown[]> {
  const { rows } = await sql`select id from issues left join issue_words on issue_id = id
    where (issues.repository_id, issues.is_pull, issues.is_closed)
      is distinct from (issue_words.repository_id, issue_words.is_pull, issue_words.is_closed)`.execute(db);
  return rows;
}
