import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { IssueRow } from '../../database/tables/issues.ts';
import { unprocessable } from '../../http/errors.ts';
import { changingIssue, type Issue } from '../find.ts';
import { addEvent } from '../timeline/events.ts';

/** The scope of pins: the issues, or the pull requests, of one repository. */
type Board = Pick<IssueRow, 'repository_id' | 'is_pull'>;

/** The pinned issues or pull requests of a repository, in order. */
export async function listPinned({ db }: Context, repository: Repository, kind: 'issues' | 'pulls'): Promise<Issue[]> {
  const rows = await pinned(db, { repository_id: repository.id, is_pull: kind === 'pulls' })
    .selectAll()
    .orderBy('pin_order')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, repository }));
}

/** Whether one more can be pinned. */
export async function canPinMore({ db, settings }: Context, board: Board): Promise<boolean> {
  const { count } = await pinned(db, board)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count) < settings.issues.maxPinned;
}

/**
 * Pins an issue after the others.
 * @throws HttpError 422 if it is pinned already, and at the limit
 */
export async function pinIssue(context: Context, issue: Issue): Promise<void> {
  await changingIssue(context, issue, async (context, issue) => {
    if (issue.pin_order > 0) throw unprocessable('the issue is already pinned');
    if (!(await canPinMore(context, issue))) throw unprocessable('the max number of pinned issues has been reached');
    const { last } = await pinned(context.db, issue)
      .select((select) => select.fn.max('pin_order').as('last'))
      .executeTakeFirstOrThrow();
    await place(context.db, issue, Number(last ?? 0) + 1);
    await addEvent(context, issue, 'pin');
  });
}

/** Unpins an issue; the positions of the others stay. */
export async function unpinIssue(context: Context, issue: Issue): Promise<void> {
  await changingIssue(context, issue, async (context, issue) => {
    if (issue.pin_order === 0) return;
    await place(context.db, issue, 0);
    await addEvent(context, issue, 'unpin');
  });
}

/**
 * Moves a pinned issue to a position, from 1; those between are shifted.
 * @throws HttpError 422 for a position before the first, and for an issue that is not pinned
 */
export async function movePin(context: Context, issue: Issue, position: number): Promise<void> {
  if (position < 1) throw unprocessable("the position can't be lower than 1");
  await changingIssue(context, issue, async ({ db }, issue) => {
    const from = issue.pin_order;
    if (from === 0) throw unprocessable('the issue is not pinned');
    const [first, last, by] = position < from ? [position, from - 1, 1] : [from + 1, position, -1];
    await db
      .updateTable('issues')
      .set((row) => ({ pin_order: row('pin_order', '+', by) }))
      .where('repository_id', '=', issue.repository_id)
      .where('is_pull', '=', issue.is_pull)
      .where('pin_order', '>=', first)
      .where('pin_order', '<=', last)
      .execute();
    await place(db, issue, position);
  });
}

function pinned(db: Db, { repository_id: repositoryId, is_pull: isPull }: Board) {
  return db.selectFrom('issues').where('repository_id', '=', repositoryId).where('is_pull', '=', isPull).where('pin_order', '>', 0);
}

async function place(db: Db, issue: Issue, order: number): Promise<void> {
  await db.updateTable('issues').set({ pin_order: order }).where('id', '=', issue.id).execute();
}
