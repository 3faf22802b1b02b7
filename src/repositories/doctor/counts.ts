import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Finding } from './finding.ts';

/** Stored counts: the column, and the number it must have, as SQL over the row `t`. */
const COUNTS: readonly { table: string; column: string; count: string }[] = [
  { table: 'repositories', column: 'stars_count', count: 'select count(*) from stars where repository_id = t.id' },
  {
    table: 'repositories',
    column: 'watchers_count',
    count: "select count(*) from watches where repository_id = t.id and mode <> 'ignored'",
  },
  {
    table: 'repositories',
    column: 'forks_count',
    count: "select count(*) from repositories as forks where fork_id = t.id and state <> 'deleting'",
  },
  {
    table: 'repositories',
    column: 'releases_count',
    count: 'select count(*) from releases where repository_id = t.id and not is_draft',
  },
  { table: 'users', column: 'stars_count', count: 'select count(*) from stars where user_id = t.id' },
  {
    table: 'users',
    column: 'repos_count',
    count: "select count(*) from repositories where owner_id = t.id and state <> 'deleting'",
  },
  { table: 'topics', column: 'repos_count', count: 'select count(*) from repository_topics where topic_id = t.id' },
  { table: 'teams', column: 'repos_count', count: 'select count(*) from team_repositories where team_id = t.id' },
];

/** Stored counts that are wrong. */
export async function* countFindings({ db }: Context): AsyncGenerator<Finding> {
  for (const { table, column, count } of COUNTS) {
    const counted = sql.raw(`(${count})`);
    const stored = sql.ref(column);
    const { rows } = await sql<{ id: number; stored: number; counted: number }>`
      select t.id, t.${stored} as stored, ${counted} as counted from ${sql.table(table)} as t where t.${stored} <> ${counted} order by t.id`.execute(
      db,
    );
    for (const row of rows) {
      yield {
        text: `${table} ${row.id}: ${column} is ${row.stored}, not ${row.counted}`,
        fix: async () => {
          await sql`update ${sql.table(table)} as t set ${stored} = ${counted} where t.id = ${row.id}`.execute(db);
        },
      };
    }
  }
}
