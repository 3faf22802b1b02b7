import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';

/** Longer numbers are found by their first digits. */
const MAX_DIGITS = 15;
/** Different ends of numbers in one text that are indexed; the rest of a longer one is found by whole numbers alone. */
const MAX_ENDS = 500;

/** Whether a search is for a number: it finds issues by any part of a number in their texts, and by their own. */
export function isNumber(words: string): boolean {
  return words.length <= MAX_DIGITS && /^\d+$/.test(words);
}

/** All ends of the numbers in texts, `12` being `12` and `2`: each part of a number is the beginning of one. */
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

/** Where the numbers stand: in a comment, or in the issue's own texts for 0. */
interface Place {
  readonly issueId: number;
  readonly commentId: number;
  readonly repositoryId: number;
}

/** So many ends are written one by one: for SQLite that takes less than to read them from a list. */
const FEW = 4;

const insertOne = prepared((db, issue_id: number, comment_id: number, repository_id: number, digits: string) =>
  db.insertInto('issue_numbers').values({ issue_id, comment_id, repository_id, digits }),
);
const remove = prepared((db, issueId: number, commentId: number) =>
  db.deleteFrom('issue_numbers').where('issue_id', '=', issueId).where('comment_id', '=', commentId),
);

/** Makes an issue findable by the numbers that its texts or a comment have now. */
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

/** The ids of the issues whose texts have these digits in a row, as a query. */
export function issuesWithDigits(digits: string, repositoryId?: number): RawBuilder<number> {
  const within = repositoryId === undefined ? sql`` : sql`repository_id = ${repositoryId} and `;
  // `:` follows `9`, so this is what begins with the digits.
  return sql<number>`(select issue_id from issue_numbers where ${within}digits >= ${digits} and digits < ${`${digits}:`})`;
}
