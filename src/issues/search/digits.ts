import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';

/** Longer numbers are found by their first digits. */
const MAX_DIGITS = 15;
/** Maximum number of different suffixes of numbers in one text that are indexed; the rest is found by whole numbers only. */
const MAX_ENDS = 500;

/** Whether a search is for a number: it finds issues by any part of a number in their texts, and by their own. */
export function isNumber(words: string): boolean {
  return words.length <= MAX_DIGITS && /^\d+$/.test(words);
}

/** All suffixes of the numbers in texts, `12` and `2` for `12`: each part of a number is a prefix of one. */
export function endsOfNumbers(...texts: readonly string[]): string[] {
  const ends = new Set<string>();
  for (const text of texts) {
    for (const { 0: run } of text.matchAll(/\d+/g)) {
      for (let start = 0; start < run.length; start++) {
        ends.add(run.slice(start, start + MAX_DIGITS));
        if (ends.size >= MAX_ENDS) return [...ends];
      }
    }
  }
  return [...ends];
}

/** The text with the numbers: a comment, or the issue's own texts for 0. */
interface Place {
  readonly issueId: number;
  readonly commentId: number;
  readonly repositoryId: number;
}

/** Up to so many suffixes are written one by one: for SQLite that is faster than reading them from a list. */
const FEW = 4;

const insertOne = prepared((db, issue_id: number, comment_id: number, repository_id: number, digits: string) =>
  db.insertInto('issue_numbers').values({ issue_id, comment_id, repository_id, digits }),
);
const remove = prepared((db, issueId: number, commentId: number) =>
  db.deleteFrom('issue_numbers').where('issue_id', '=', issueId).where('comment_id', '=', commentId),
);

/** Indexes the current numbers of an issue's texts or a comment. */
export async function indexNumbers({ db, database }: Context, place: Place, ...texts: readonly string[]): Promise<void> {
  const { issueId, commentId, repositoryId } = place;
  await remove(db, issueId, commentId);
  const ends = endsOfNumbers(...texts);
  if (ends.length <= FEW) {
    for (const digits of ends) await insertOne(db, issueId, commentId, repositoryId, digits);
    return;
  }
  const rows = database.dialect === 'sqlite' ? sql`json_each(${JSON.stringify(ends)})` : sql`unnest(${ends}::text[]) as value`;
  await sql`insert into issue_numbers (issue_id, comment_id, repository_id, digits)
    select ${issueId}, ${commentId}, ${repositoryId}, value from ${rows}`.execute(db);
}

/** A query for the ids of the issues whose texts contain these digits. */
export function issuesWithDigits(digits: string, repositoryId?: number): RawBuilder<number> {
  const within = repositoryId === undefined ? sql`` : sql`repository_id = ${repositoryId} and `;
  // `:` follows `9`, so this range contains everything with this prefix.
  return sql<number>`(select issue_id from issue_numbers where ${within}digits >= ${digits} and digits < ${`${digits}:`})`;
}
