import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { indexNumbers } from './digits.ts';
import { indexedWords } from './words.ts';

/** Words as they stand in a row. */
export const inRow = (list: readonly string[]) => list.join(' ');
/** The words of all lists, each once. */
export const distinct = (...lists: (readonly string[])[]) => [...new Set(lists.flat())];
/** Framed, so that a phrase is found as a whole and nowhere inside of words. */
export const framed = (list: readonly string[]) => ` ${inRow(list)} `;

/** Stands for the repository among the words: no word has a colon. A search in one repository goes through its texts alone. */
export const repositoryWord = (repositoryId: number) => `:${repositoryId}`;

/** Makes an issue findable by what its title and body say now. */
export async function indexIssue(
  context: Context,
  issue: { id: number; repository_id: number; title: string; body: string },
): Promise<void> {
  const { db, database } = context;
  const [title, body] = [indexedWords(issue.title), indexedWords(issue.body)];
  const repositoryId = issue.repository_id;
  await (database.dialect === 'sqlite'
    ? sql`insert or replace into issue_words (rowid, repository, title, body)
          values (${issue.id}, ${String(repositoryId)}, ${inRow(title)}, ${inRow(body)})`
    : sql`insert into issue_words (issue_id, repository_id, is_pull, is_closed, title, body, words)
          select id, repository_id, is_pull, is_closed, ${framed(title)}, ${framed(body)}, ${[repositoryWord(repositoryId), ...distinct(title, body)]}::text[]
          from issues where id = ${issue.id}
          on conflict (issue_id) do update set title = excluded.title, body = excluded.body, words = excluded.words`
  ).execute(db);
  await indexNumbers(context, { issueId: issue.id, commentId: 0, repositoryId }, issue.title, issue.body);
}

/** Makes an issue findable by what a comment says now. */
export async function indexComment(
  context: Context,
  comment: { id: number; issue_id: number; repository_id: number; body: string },
): Promise<void> {
  const { db, database } = context;
  const body = indexedWords(comment.body);
  const repositoryId = comment.repository_id;
  await (database.dialect === 'sqlite'
    ? sql`insert or replace into comment_words (rowid, repository, body) values (${comment.id}, ${String(repositoryId)}, ${inRow(body)})`
    : sql`insert into comment_words (comment_id, issue_id, body, words)
          values (${comment.id}, ${comment.issue_id}, ${framed(body)}, ${[repositoryWord(repositoryId), ...distinct(body)]})
          on conflict (comment_id) do update set body = excluded.body, words = excluded.words`
  ).execute(db);
  await indexNumbers(context, { issueId: comment.issue_id, commentId: comment.id, repositoryId }, comment.body);
}
