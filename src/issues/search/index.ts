import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { indexedWords, words } from './words.ts';

/** Words of a question that are looked for; who asks for more gets what these find. */
const MAX_ASKED = 32;

const inRow = (list: readonly string[]) => list.join(' ');
const distinct = (...lists: (readonly string[])[]) => [...new Set(lists.flat())];
/** Framed, so that a phrase is found as a whole and nowhere inside of words. */
const framed = (list: readonly string[]) => ` ${inRow(list)} `;

/** Stands for the repository among the words: no word has a colon. A search in one repository goes through its texts alone. */
const placeWord = (repositoryId: number) => `:${repositoryId}`;

/** Makes an issue findable by what its title and body say now. */
export async function indexIssue(
  { db, database }: Context,
  issue: { id: number; repository_id: number; title: string; body: string },
): Promise<void> {
  const [title, body] = [indexedWords(issue.title), indexedWords(issue.body)];
  const place = issue.repository_id;
  await (database.dialect === 'sqlite'
    ? sql`insert or replace into issue_words (rowid, repository, title, body)
          values (${issue.id}, ${String(place)}, ${inRow(title)}, ${inRow(body)})`
    : sql`insert into issue_words (issue_id, title, body, words)
          values (${issue.id}, ${framed(title)}, ${framed(body)}, ${[placeWord(place), ...distinct(title, body)]})
          on conflict (issue_id) do update set title = excluded.title, body = excluded.body, words = excluded.words`
  ).execute(db);
}

/** Makes an issue findable by what a comment says now. */
export async function indexComment(
  { db, database }: Context,
  comment: { id: number; issue_id: number; repository_id: number; body: string },
): Promise<void> {
  const body = indexedWords(comment.body);
  const place = comment.repository_id;
  await (database.dialect === 'sqlite'
    ? sql`insert or replace into comment_words (rowid, repository, body) values (${comment.id}, ${String(place)}, ${inRow(body)})`
    : sql`insert into comment_words (comment_id, issue_id, body, words)
          values (${comment.id}, ${comment.issue_id}, ${framed(body)}, ${[placeWord(place), ...distinct(body)]})
          on conflict (comment_id) do update set body = excluded.body, words = excluded.words`
  ).execute(db);
}

/**
 * The ids of the issues whose title, body or one of whose comments has the words of `question` next to each other in this order,
 * as a query; undefined when the question has no words: nothing has them.
 * @param repositoryId the one repository that is searched; all when left out
 */
export function issuesWithWords(
  { database }: Pick<Context, 'database'>,
  question: string,
  repositoryId?: number,
): RawBuilder<number> | undefined {
  const asked = words(question).slice(0, MAX_ASKED);
  if (asked.length === 0) return undefined;
  return database.dialect === 'sqlite' ? inSqlite(asked, repositoryId) : inPostgres(asked, repositoryId);
}

function inSqlite(asked: readonly string[], repositoryId: number | undefined): RawBuilder<number> {
  const place = repositoryId === undefined ? '' : `repository : "${repositoryId}" AND `;
  const phrase = `"${inRow(asked)}"`;
  return sql<number>`(select rowid from issue_words where issue_words match ${`${place}{title body} : ${phrase}`}
    union select comments.issue_id from comment_words join comments on comments.id = comment_words.rowid
      where comment_words match ${`${place}body : ${phrase}`})`;
}

function inPostgres(asked: readonly string[], repositoryId: number | undefined): RawBuilder<number> {
  const all = [...(repositoryId === undefined ? [] : [placeWord(repositoryId)]), ...distinct(asked)];
  const phrase = `%${framed(asked)}%`;
  return asked.length === 1
    ? sql<number>`(select issue_id from issue_words where words @> ${all}::text[]
        union select issue_id from comment_words where words @> ${all}::text[])`
    : sql<number>`(select issue_id from issue_words where words @> ${all}::text[] and (title like ${phrase} or body like ${phrase})
        union select issue_id from comment_words where words @> ${all}::text[] and body like ${phrase})`;
}
