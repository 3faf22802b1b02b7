import { findUserById } from '../../access/find-user.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { AutoMergeRow } from '../../database/tables/pulls.ts';
import type { Events } from '../../events/events.ts';
import type { GitMergeStyle } from '../../git/merge/merge-styles.ts';
import { conflict, forbidden, notFound } from '../../http/errors.ts';
import { changingIssue, findIssuesById } from '../../issues/find.ts';
import { addEvent } from '../../issues/timeline/events.ts';
import { findPullOfIssue, type Pull } from '../find.ts';
import { checkedPull } from '../merge/checked-pull.ts';
import { mayMergePull, requireMergeable } from '../merge/ready.ts';
import { wantAutoMerge } from './follow.ts';

/** The options of a scheduled merge. */
export interface AutoMergeOptions {
  readonly style: GitMergeStyle;
  readonly message: string;
  readonly deletesBranch: boolean;
}

/**
 * Schedules the merge of a pull request in the caller's name, for when its base allows it.
 * @throws HttpError 404, 405, 412 as for a merge, except for missing checks and reviews; 409 when a merge is scheduled already
 */
export async function planMerge(context: Context, given: Pull, { style, message, deletesBranch }: AutoMergeOptions): Promise<void> {
  const actor = signedInActor(context);
  const pull = await checkedPull(context, given);
  await requireMergeable(context, pull, { kind: 'automatic', force: false });
  await changingIssue(context, pull.issue, async (context, issue) => {
    const row = await context.db
      .insertInto('pull_auto_merges')
      .values({ pull_id: pull.id, actor_id: actor.id, style, message, delete_branch: deletesBranch, created_at: now() })
      .onConflict((clash) => clash.doNothing())
      .returning('pull_id')
      .executeTakeFirst();
    if (!row) throw conflict(`pull request is already scheduled to auto merge when checks succeed [pull_id: ${pull.id}]`);
    await addEvent(context, issue, 'pull_scheduled_merge');
    await wantAutoMerge(context, pull);
  });
}

/**
 * Cancels a scheduled merge, for the user who scheduled it and for those who may merge.
 * @throws HttpError 403, 404 when none is scheduled
 */
export async function cancelMerge(context: Context, pull: Pull): Promise<void> {
  const actor = signedInActor(context);
  const planned = await findPlanned(context, pull);
  if (!planned) throw notFound();
  if (planned.actor_id !== actor.id && !(await mayMergePull(context, pull, actor))) {
    throw forbidden('user has no permission to cancel the scheduled auto merge');
  }
  await takeBack(context, pull);
}

/**
 * New commits or a new base by a user who may not merge cancel a scheduled merge: its user has not seen the commits, or has not agreed to
 * that base. In the transaction of the change, so that nothing is merged in between.
 */
export async function dropAfterStrangersChange(payload: Events['pull.synchronized' | 'pull.retargeted'], context: Context): Promise<void> {
  const issue = (await findIssuesById(context.db, [payload.issueId])).get(payload.issueId);
  const pull = issue && (await findPullOfIssue(context.db, issue));
  const planned = pull && (await findPlanned(context, pull));
  if (!planned || planned.actor_id === payload.actorId) return;
  const actor = await findUserById(context.db, payload.actorId);
  if (actor && (await mayMergePull(context, pull, actor))) return;
  await takeBack({ ...context, actor: actor ?? null }, pull);
}

async function takeBack(context: Context, pull: Pull): Promise<void> {
  await changingIssue(context, pull.issue, async (context, issue) => {
    const { numDeletedRows } = await context.db.deleteFrom('pull_auto_merges').where('pull_id', '=', pull.id).executeTakeFirst();
    if (Number(numDeletedRows) === 0) throw notFound();
    await addEvent(context, issue, 'pull_cancel_scheduled_merge');
  });
}

/** The scheduled merge of a pull request. */
export async function findPlanned({ db }: Pick<Context, 'db'>, { id }: Pick<Pull, 'id'>): Promise<AutoMergeRow | undefined> {
  return db.selectFrom('pull_auto_merges').selectAll().where('pull_id', '=', id).executeTakeFirst();
}
