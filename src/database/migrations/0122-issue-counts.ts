import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/**
 * How many issues and pull requests of a repository have a mark: an author, a milestone, a label, somebody who is assigned or mentioned.
 * Kept by triggers, so that lists need not count what may be most of a million. Changes of a repository's issues take turns, so nobody
 * waits for these rows who would not wait anyway.
 */
export const issueCounts: SchemaMigration = {
  name: '0122-issue-counts',
  async up(kit) {
    await kit.table(
      'issue_counts',
      {
        repository_id: 'ref:repositories',
        mark: 'text',
        mark_id: 'integer',
        is_pull: 'boolean',
        is_closed: 'boolean',
        count: 'integer=0',
      },
      { primaryKey: ['repository_id', 'mark', 'mark_id', 'is_pull', 'is_closed'] },
    );
    await kit.index('issue_counts', ['mark', 'mark_id']);
    const counted = `${INSERT} select repository_id, mark, mark_id, is_pull, is_closed, count(*)
         from (${OWN.map((own) => own('issues', 'from issues')).join(' union all ')} union all ${LINKED.map(
           ([mark, table, column]) =>
             `select repository_id, '${mark}' as mark, ${column} as mark_id, is_pull, is_closed
                from ${table} join issues on issues.id = ${table}.issue_id`,
         ).join(' union all ')}) as marked
         group by repository_id, mark, mark_id, is_pull, is_closed`;
    await sql.raw(counted).execute(kit.db);
    await kit.trigger('issue_counts_begin', 'after insert on issues', countIssue('new', '1', false));
    await kit.trigger('issue_counts_end', 'before delete on issues', countIssue('old', '-1', true));
    await kit.trigger(
      'issue_counts_change',
      `after update of ${COLUMNS} on issues`,
      countIssue('old', '-1', true) + countIssue('new', '1', true),
      COLUMNS.map((column) => `old.${column} <> new.${column} or (old.${column} is null) <> (new.${column} is null)`).join(' or '),
    );
    for (const [mark, table, column] of LINKED) {
      await kit.trigger(`${table}_counts_begin`, `after insert on ${table}`, countLink('new', '1', mark, column));
      await kit.trigger(`${table}_counts_end`, `after delete on ${table}`, countLink('old', '-1', mark, column));
    }
  },
};

const INSERT = 'insert into issue_counts (repository_id, mark, mark_id, is_pull, is_closed, count)';
const UPSERT = `on conflict (repository_id, mark, mark_id, is_pull, is_closed)
  do update set count = issue_counts.count + excluded.count`;

/** Marks that the issue itself has. */
const OWN = [
  (row: string, from: string) => `select ${row}.repository_id, 'author' as mark, ${row}.author_id as mark_id, ${row}.is_pull,
    ${row}.is_closed ${from}`,
  (row: string, from: string) => `select ${row}.repository_id, 'milestone', ${row}.milestone_id, ${row}.is_pull, ${row}.is_closed
    ${from} where ${row}.milestone_id is not null`,
];
/** Marks that other tables give to issues. */
const LINKED = [
  ['label', 'issue_labels', 'label_id'],
  ['assignee', 'issue_assignees', 'user_id'],
  ['mention', 'issue_mentions', 'user_id'],
] as const;

const linked = (row: string) =>
  LINKED.map(
    ([mark, table, column]) => `select ${row}.repository_id, '${mark}', ${column}, ${row}.is_pull, ${row}.is_closed
      from ${table} where issue_id = ${row}.id`,
  );
// What goes with its repository is not counted off: the counts go as well.
const isThere = (repository: string) => `exists (select 1 from repositories where id = ${repository})`;

/** Counts all marks of an issue. */
const countIssue = (row: string, change: string, withLinked: boolean) => `
  ${INSERT} select marked.*, ${change}
    from (${[...OWN.map((own) => own(row, '')), ...(withLinked ? linked(row) : [])].join(' union all ')}) as marked
    where ${isThere(`${row}.repository_id`)} ${UPSERT};`;
/** Counts a mark that an issue is given or loses; that of an issue that goes was counted with it. */
const countLink = (row: string, change: string, mark: string, column: string) => `
  ${INSERT} select repository_id, '${mark}', ${row}.${column}, is_pull, is_closed, ${change} from issues
    where id = ${row}.issue_id and ${isThere('issues.repository_id')} ${UPSERT};`;

const COLUMNS = ['repository_id', 'author_id', 'milestone_id', 'is_pull', 'is_closed'];
