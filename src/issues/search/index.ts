import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { indexedWords, words } from './words.ts';

/** Words of a question that are looked for; who asks for more gets what these find. */
const MAX_ASKED = 32;

const inRow = (list: readonly string[]) => list.join(' ');
const distinct = (...lists: (readonly string[])[]) => [...new Set(lists.flat())];
/** Framed, so that a phrase is found as a whole and nowhere inside of words. */
const framed = (list: readonly string[]) => ` ${inRow(list)} `;

/** Makes an issue findable by what its title and body say now. */
export async function indexIssue({ db, database }: Context, issue: { id: number; title: string; body: string }): Promise<void> {
  const [title, body] = [indexedWords(issue.title), indexedWords(issue.body)];
  await (database.dialect === 'sqlite'
    ? sql`insert or replace into issue_words (rowid, title, body) values (${issue.id}, ${inRow(title)}, ${inRow(body)})`
    : sql`insert into issue_words (issue_id, title, body, words) values (${issue.id}, ${framed(title)}, ${framed(body)}, ${distinct(title, body)})
          on conflict (issue_id) do update set title = excluded.title, body = excluded.body, words = excluded.words`
  ).execute(db);
}

/** Makes an issue findable by what a comment says now. */
export async function indexComment({ db, database }: Context, comment: { id: number; issue_id: number; body: string }): Promise<void> {
  const body = indexedWords(comment.body);
  await (database.dialect === 'sqlite'
    ? sql`insert or replace into comment_words (rowid, body) values (${comment.id}, ${inRow(body)})`
    : sql`insert into comment_words (comment_id, issue_id, body, words) values (${comment.id}, ${comment.issue_id}, ${framed(body)}, ${distinct(body)})
          on conflict (comment_id) do update set body = excluded.body, words = excluded.words`
  ).execute(db);
}

/**
 * The ids of the issues whose title, body or one of whose comments has the words of `question` next to each other in this order,
 * as a query; undefined when the question has no words: nothing has them.
 */
export function issuesWithWords({ database }: Pick<Context, 'database'>, question: string): RawBuilder<number> | undefined {
  const asked = words(question).slice(0, MAX_ASKED);
  if (asked.length === 0) return undefined;
  if (database.dialect === 'sqlite') {
    const phrase = `"${inRow(asked)}"`;
    return sql<number>`(select rowid from issue_words where issue_words match ${phrase}
      union select comments.issue_id from comment_words join comments on comments.id = comment_words.rowid where comment_words match ${phrase})`;
  }
  const all = distinct(asked);
  const phrase = `%${framed(asked)}%`;
  return asked.length === 1
    ? sql<number>`(select issue_id from issue_words where words @> ${all}::text[]
        union select issue_id from comment_words where words @> ${all}::text[])`
    : sql<number>`(select issue_id from issue_words where words @> ${all}::text[] and (title like ${phrase} or body like ${phrase})
        union select issue_id from comment_words where words @> ${all}::text[] and body like ${phrase})`;
}
