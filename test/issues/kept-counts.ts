import { sql } from 'kysely';
import type { Db } from '../../src/database/database.ts';

/** What `issue_counts` keeps against counting anew: the rows that differ. */
export async function wronglyKept(db: Db): Promise<unknown[]> {
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
  return rows;
}
