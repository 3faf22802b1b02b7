import { GHOST_ID } from '../../accounts/users/ghost.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';

/** Maximum number of stored versions of a text. */
export const MAX_VERSIONS = 20;

/** A text before it is edited. */
export interface EditedText {
  readonly issueId: number;
  /** Null for the text of the issue itself. */
  readonly commentId: number | null;
  readonly authorId: number;
  readonly body: string;
  readonly createdAt: number;
}

/** The time of a version. */
interface Moment {
  readonly id: number;
  readonly written_at: number;
}

/** Records the new text of an edit, and before the first edit the original. Within the change, under the lock of the issues. */
export async function recordVersion({ db, actor }: Context, text: EditedText, body: string): Promise<void> {
  if (body === text.body) return;
  const { issueId, commentId, authorId, createdAt } = text;
  const kept = await db
    .selectFrom('content_versions')
    .select(['id', 'written_at'])
    .where('issue_id', '=', issueId)
    .where('comment_id', commentId === null ? 'is' : '=', commentId)
    .orderBy('written_at')
    .orderBy('id')
    .execute();
  const version = { issue_id: issueId, comment_id: commentId };
  const first = { ...version, author_id: authorId, body: text.body, is_first: true, written_at: createdAt };
  const next = { ...version, author_id: actor?.id ?? GHOST_ID, body, is_first: false, written_at: now() };
  await db
    .insertInto('content_versions')
    .values(kept.length === 0 ? [first, next] : [next])
    .execute();
  const surplus = surplusOf([...kept, { id: 0, written_at: next.written_at }]);
  if (surplus.length > 0) await db.deleteFrom('content_versions').where('id', 'in', surplus).execute();
}

/** The ids of the versions to delete: repeatedly the inner one whose neighbours are closest in time, the older one of several. */
function surplusOf(versions: Moment[]): number[] {
  const gone: number[] = [];
  while (versions.length > MAX_VERSIONS) {
    const gaps = versions.slice(1, -1).map((_, at) => (versions[at + 2]?.written_at ?? 0) - (versions[at]?.written_at ?? 0));
    const [removed] = versions.splice(gaps.indexOf(Math.min(...gaps)) + 1, 1);
    if (removed) gone.push(removed.id);
  }
  return gone;
}
