import { findUserById } from '../../access/find-user.ts';
import { branchRule } from '../../code/protections/rules.ts';
import type { Context } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { findPullById } from '../find.ts';
import { haveChecksSucceeded } from '../merge/blockers.ts';
import { deleteMergedBranch } from '../merge/delete-branch.ts';
import { mergePull } from '../merge/merge.ts';
import { findPlanned } from './auto-merge.ts';

/**
 * Runs a scheduled merge, if the rules allow it by now: in the name of the user who scheduled it, with their current rights. Otherwise it
 * stays scheduled.
 */
export async function doPlanned({ pullId }: Jobs['pull.auto-merge'], context: Context): Promise<void> {
  const pull = await findPullById(context.db, pullId);
  const planned = pull && (await findPlanned(context, pull));
  const actor = planned && (await findUserById(context.db, planned.actor_id));
  if (!planned || !actor?.is_active || actor.prohibit_login || pull.issue.is_closed || pull.issue.repository.is_archived) return;
  if (planned.style === 'manually-merged') return;
  // Most wake-ups are one check of several: git need not run then.
  const rule = await branchRule(context, pull.issue.repository, pull.base_branch);
  if (!(await haveChecksSucceeded(context, pull, rule))) return;
  const asActor = { ...context, actor };
  const { style, message } = planned;
  try {
    await mergePull(asActor, pull, { style, message, force: false, expectedHead: '', isAutomatic: true });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    context.log.info({ pull: pull.id, reason: error.message }, 'a planned merge cannot be done yet');
    return;
  }
  if (planned.delete_branch) await deleteMergedBranch(asActor, pull);
}
