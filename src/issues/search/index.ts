import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Database } from '../../database/database.ts';
import { indexNumbers } from './digits.ts';
import { indexedWords } from './words.ts';

/** Words joined into a row. */
export const inRow = (list: readonly string[]) => list.join(' ');
/** The words of all lists, each once. */
export const distinct = (...lists: (readonly string[])[]) => [...new Set(lists.flat())];
/** With a space at both ends, so that a phrase only matches whole words. */
export const framed = (list: readonly string[]) => ` ${inRow(list)} `;

/** The pseudo-word of a repository: no word has a colon. A search in one repository only scans its texts. */
export const repositoryWord = (repositoryId: number) => `:${repositoryId}`;

/** Indexes the current title and body of an issue. */
export async function indexIssue(context: Context, issue: IssueTexts): Promise<void> {
  await writeIssueWords({ db: context.db, dialect: context.database.dialect }, issue);
  const place = { issueId: issue.id, commentId: 0, repositoryId: issue.repository_id };
  await indexNumbers(context, place, issue.title, issue.body);
}

/** Indexes the current text of a comment. */
export async function indexComment(context: Context, comment: CommentText): Promise<void> {
  await writeCommentWords({ db: context.db, dialect: context.database.dialect }, comment);
  const place = { issueId: comment.issue_id, commentId: comment.id, repositoryId: comment.repository_id };
  await indexNumbers(context, place, comment.body);
}

interface IssueTexts {
  readonly id: number;
  readonly repository_id: number;
  readonly title: string;
  readonly body: string;
}

interface CommentText {
  readonly id: number;
  readonly issue_id: number;
  readonly repository_id: number;
  readonly body: string;
}

/** The part of {@link indexIssue} that depends on the database. */
export async function writeIssueWords({ db, dialect }: Pick<Database, 'db' | 'dialect'>, issue: IssueTexts): Promise<void> {
  const [title, body] = [indexedWords(issue.title), indexedWords(issue.body)];
  const repositoryId = issue.repository_id;
  await (dialect === 'sqlite'
    ? sql`insert or replace into issue_words (rowid, repository, title, body)
          values (${issue.id}, ${String(repositoryId)}, ${inRow(title)}, ${inRow(body)})`
    : sql`insert into issue_words (issue_id, repository_id, is_pull, is_closed, title, body, words)
          select id, repository_id, is_pull, is_closed, ${framed(title)}, ${framed(body)}, ${[repositoryWord(repositoryId), ...distinct(title, body)]}::text[]
          from issues where id = ${issue.id}
          on conflict (issue_id) do update set title = excluded.title, body = excluded.body, words = excluded.words`
  ).execute(db);
}

/** The part of {@link indexComment} that depends on the database. */
export async function writeCommentWords({ db, dialect }: Pick<Database, 'db' | 'dialect'>, comment: CommentText): Promise<void> {
  const body = indexedWords(comment.body);
  const repositoryId = comment.repository_id;
  await (dialect === 'sqlite'
    ? sql`insert or replace into comment_words (rowid, repository, body) values (${comment.id}, ${String(repositoryId)}, ${inRow(body)})`
    : sql`insert into comment_words (comment_id, issue_id, body, words)
          values (${comment.id}, ${comment.issue_id}, ${framed(body)}, ${[repositoryWord(repositoryId), ...distinct(body)]})
          on conflict (comment_id) do update set body = excluded.body, words = excluded.words`
  ).execute(db);
}
