import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/**
 * More in `issue_counts`: how many issues of a repository were last changed in each piece of time (`updated`, by the number of
 * 65,536 seconds since 1970), so that lists since or before a moment count whole pieces; and how many comments there are (`comment`,
 * of which the state of the issue does not matter).
 */
export const momentCounts: SchemaMigration = {
  name: '0123-moment-counts',
  async up(kit) {
    // For lists of all repositories.
    await kit.index('issues', ['updated_at', 'repository_id', 'is_closed', 'is_pull']);
    for (const select of [
      'select repository_id, UPDATED, is_pull, is_closed, count(*) from issues as seen group by 1, 2, 3, 4, 5',
      "select repository_id, 'comment', 0, is_pull, false, sum(comments_count) from issues as seen group by repository_id, is_pull",
    ]) {
      await sql.raw(`${INSERT} ${select.replace('UPDATED', updated('seen'))}`).execute(kit.db);
    }
    await kit.trigger(
      'issue_moments_begin',
      'after insert on issues',
      countUpdated('new', '1') + countComments('new', 'new.comments_count'),
    );
    await kit.trigger(
      'issue_moments_end',
      'before delete on issues',
      countUpdated('old', '-1') + countComments('old', '-old.comments_count'),
    );
    await kit.trigger(
      'issue_moments_change',
      'after update of updated_at, is_closed, is_pull on issues',
      countUpdated('old', '-1') + countUpdated('new', '1'),
      'old.updated_at / 65536 <> new.updated_at / 65536 or old.is_closed <> new.is_closed or old.is_pull <> new.is_pull',
    );
    await kit.trigger(
      'issue_comments_change',
      'after update of comments_count, is_pull on issues',
      countComments('old', '-old.comments_count') + countComments('new', 'new.comments_count'),
      'old.comments_count <> new.comments_count or old.is_pull <> new.is_pull',
    );
  },
};

const INSERT = 'insert into issue_counts (repository_id, mark, mark_id, is_pull, is_closed, count)';
const UPSERT = `on conflict (repository_id, mark, mark_id, is_pull, is_closed)
  do update set count = issue_counts.count + excluded.count`;

const updated = (row: string) => `'updated', ${row}.updated_at / 65536`;
// What goes with its repository is not counted off: the counts go as well.
const count = (row: string, values: string) => `${INSERT} select ${row}.repository_id, ${values}
  where exists (select 1 from repositories where id = ${row}.repository_id) ${UPSERT};`;
const countUpdated = (row: string, change: string) => count(row, `${updated(row)}, ${row}.is_pull, ${row}.is_closed, ${change}`);
const countComments = (row: string, change: string) => count(row, `'comment', 0, ${row}.is_pull, false, ${change}`);
