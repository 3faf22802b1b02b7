import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import { canWriteIssue, type Issue } from '../find.ts';

/** Whether time tracking is enabled in a repository. */
export function tracksTime({ settings }: Pick<Context, 'settings'>, { units }: Repository): boolean {
  return settings.issues.timeTrackingEnabled && (units.issues?.timeTracking ?? settings.issues.defaultTimeTracking);
}

/** Whether the caller may track time on an issue; if only contributors may: writers, its author and its assignees. */
export async function mayTrackTime(context: Context, issue: Issue, access: RepositoryAccess): Promise<boolean> {
  const { settings, db } = context;
  const { units } = issue.repository;
  if (!tracksTime(context, issue.repository)) return false;
  const contributorsOnly = units.issues?.onlyContributorsTrackTime ?? settings.issues.defaultContributorsOnlyTrackTime;
  const actor = signedInActor(context);
  if (!contributorsOnly || canWriteIssue(access, issue) || issue.author_id === actor.id) return true;
  const assigned = await db
    .selectFrom('issue_assignees')
    .select('id')
    .where('issue_id', '=', issue.id)
    .where('user_id', '=', actor.id)
    .executeTakeFirst();
  return assigned !== undefined;
}

/** The 403 for users who may not track time; it has no message. */
export function trackingForbidden(): HttpError {
  return new HttpError(403, 'time may not be tracked here', { body: '' });
}
