import { now } from '../../clock.ts';
import type { Db } from '../../database/database.ts';
import type { SourceReaction } from '../source/source.ts';
import type { Attribution } from './people.ts';
import type { Target } from './run.ts';

/** A reaction and its user. */
export interface AttributedReaction extends Attribution {
  readonly content: string;
}

/** Reactions to one issue or comment; more are left out. */
const MAX_REACTIONS = 10_000;
const ROWS = 100;

/** Attributes the reactions. */
export async function attributeReactions({ people }: Target, reactions: readonly SourceReaction[]): Promise<AttributedReaction[]> {
  const attributed: AttributedReaction[] = [];
  for (const { author, content } of reactions.slice(0, MAX_REACTIONS))
    if (/^[\w+-]{1,40}$/.test(content)) attributed.push({ ...(await people.attribute(author)), content });
  return attributed;
}

/** Writes the reactions to an issue, or to a comment of it. */
export async function insertReactions(
  db: Db,
  on: { issueId: number; commentId: number | null },
  reactions: readonly AttributedReaction[],
): Promise<void> {
  const time = now();
  for (let at = 0; at < reactions.length; at += ROWS) {
    const rows = reactions.slice(at, at + ROWS).map(({ author_id, ...reaction }) => ({
      ...reaction,
      issue_id: on.issueId,
      comment_id: on.commentId,
      user_id: author_id,
      created_at: time,
    }));
    await db
      .insertInto('reactions')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
