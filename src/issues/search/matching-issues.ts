import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { distinct, framed, inRow, repositoryWord } from './index.ts';
import { words } from './words.ts';

/** The maximum number of words of a search; further ones are ignored. */
const MAX_ASKED = 32;

/** Words that must be adjacent and in this order. */
export type SearchWords = readonly [string, ...string[]];

/** The words of a search; undefined if it has none, so nothing matches. */
export function searchWords(question: string): SearchWords | undefined {
  const [first, ...rest] = words(question).slice(0, MAX_ASKED);
  return first === undefined ? undefined : [first, ...rest];
}

/**
 * A query for the ids of the issues with these words, adjacent and in this order, in the title, the body or a comment.
 * In SQLite they are sorted, as `id`.
 * @param repositoryId the repository to search; all when left out
 */
export function issuesWithWords({ database }: Pick<Context, 'database'>, terms: SearchWords, repositoryId?: number): RawBuilder<number> {
  return database.dialect === 'sqlite'
    ? inSqlite((columns) => sql`${matchOf(columns, terms, repositoryId)}`)
    : inPostgres(terms, repositoryId);
}

/** @param match the condition on columns of the word index */
function inSqlite(match: (columns: string) => RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select rowid as id from issue_words where issue_words match ${match('{title body}')}
    union select comments.issue_id from comment_words join comments on comments.id = comment_words.rowid
      where comment_words match ${match('body')})`;
}

/** The words without the repository's pseudo-word if it has most issues of the instance: comparing it would take longer than reading the rest. */
function matchMostly(columns: string, terms: SearchWords, repositoryId: number | undefined): RawBuilder<unknown> {
  const everywhere = sql`${matchOf(columns, terms)}`;
  if (repositoryId === undefined) return everywhere;
  const own = sql`select issues_count + pulls_count from repositories where id = ${repositoryId}`;
  return sql`iif(3 * (select max(id) from issues) < 4 * (${own}), ${everywhere}, ${matchOf(columns, terms, repositoryId)})`;
}

function matchOf(columns: string, terms: SearchWords, repositoryId?: number): string {
  const inRepository = repositoryId === undefined ? '' : `repository : "${repositoryId}" AND `;
  return `${inRepository}${columns} : "${inRow(terms)}"`;
}

function inPostgres(terms: SearchWords, repositoryId: number | undefined): RawBuilder<number> {
  return sql<number>`(select issue_id from issue_words where ${hasWords('issue_words', terms, repositoryId)}
    union select issue_id from comment_words where ${hasWords('comment_words', terms, repositoryId)})`;
}

const TEXTS = { issue_words: ['title', 'body'], comment_words: ['body'] } as const;

/** The condition that a row of PostgreSQL's index has the words. */
function hasWords(table: keyof typeof TEXTS, terms: SearchWords, repositoryId?: number): RawBuilder<SqlBool> {
  const all = [...(repositoryId === undefined ? [] : [repositoryWord(repositoryId)]), ...distinct(terms)];
  const some = sql<SqlBool>`${sql.ref(`${table}.words`)} @> ${all}::text[]`;
  if (terms.length === 1) return some;
  const phrase = `%${framed(terms)}%`;
  const texts = TEXTS[table].map((text) => sql`${sql.ref(`${table}.${text}`)} like ${phrase}`);
  return sql<SqlBool>`(${some} and (${sql.join(texts, sql` or `)}))`;
}

/**
 * Those of some issues that have the words: PostgreSQL only reads their texts, SQLite those between the smallest and the largest
 * of their ids.
 * @param ids at least one
 */
export async function havingWords({ db, database }: Context, terms: SearchWords, ids: readonly number[]): Promise<Set<number>> {
  const query = database.dialect === 'sqlite' ? amongInSqlite(terms, ids) : amongInPostgres(terms, ids);
  const { rows } = await query.execute(db);
  return new Set(rows.map(({ id }) => id));
}

function amongInSqlite(terms: SearchWords, ids: readonly number[]): RawBuilder<{ id: number }> {
  const commented = sql`issue_id in (select value from json_each(${JSON.stringify(ids)}))`;
  // The engine ignores limits that are not integers, and numbers are bound as floats.
  const bound = (id: number) => sql`cast(${id} as integer)`;
  return sql`select rowid as id from issue_words where issue_words match ${matchOf('{title body}', terms)}
        and rowid between ${bound(Math.min(...ids))} and ${bound(Math.max(...ids))}
    union all select issue_id from comments where ${commented} and id in (
      select rowid from comment_words where comment_words match ${matchOf('body', terms)}
        and rowid between (select min(id) from comments where ${commented}) and (select max(id) from comments where ${commented}))`;
}

function amongInPostgres(terms: SearchWords, ids: readonly number[]): RawBuilder<{ id: number }> {
  // With `is true`, PostgreSQL does not use the index of words, which would scan all rows that have them.
  return sql`select issue_id as id from issue_words where issue_id = any (${ids}::bigint[]) and (${hasWords('issue_words', terms)}) is true
    union all select comments.issue_id from comments join comment_words on comment_words.comment_id = comments.id
      where comments.issue_id = any (${ids}::bigint[]) and (${hasWords('comment_words', terms)}) is true`;
}

/**
 * The repository, kind and state of each issue with the words, as rows of `id`, `repository_id`, `is_pull` and `is_closed`: the columns
 * needed to count them, which PostgreSQL stores beside the words. In SQLite also `created_at`, for sorting; and there the result may
 * contain some of other repositories.
 */
export function kindsWithWords({ database }: Pick<Context, 'database'>, terms: SearchWords, repositoryId?: number): RawBuilder<object> {
  const kind = (id: string, table: string) => {
    const columns = ['repository_id', 'is_pull', 'is_closed'].map((column) => sql.ref(`${table}.${column}`));
    return sql`${sql.ref(`${table}.${id}`)} as id, ${sql.join(columns)}`;
  };
  if (database.dialect === 'sqlite') {
    // A cross join keeps its order: SQLite would otherwise gather the ids first, and scan them afterwards.
    const found = inSqlite((columns) => matchMostly(columns, terms, repositoryId));
    return sql`(select ${kind('id', 'issues')}, issues.created_at from (${found}) as found cross join issues on issues.id = found.id)`;
  }
  const own = hasWords('issue_words', terms, repositoryId);
  return sql`(select ${kind('issue_id', 'issue_words')} from issue_words where ${own}
    union all select ${kind('issue_id', 'issue_words')} from issue_words where not ${own}
      and issue_id in (select issue_id from comment_words where ${hasWords('comment_words', terms, repositoryId)}))`;
}
