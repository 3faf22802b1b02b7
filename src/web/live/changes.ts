import { afterCommit, type Context } from '../../context.ts';
import type { Events, EventType } from '../../events/events.ts';
import type { Feature, WithinHandler } from '../../feature.ts';
import { subjects } from '../../processes/subjects.ts';

/** Live subjects of the page of an issue or a pull request. */
const OF_ISSUES = [
  ...(['issue.edited', 'issue.closed', 'issue.reopened', 'issue.labels-changed', 'issue.milestone-changed'] as const),
  ...(['issue.assigned', 'issue.unassigned', 'comment.created', 'comment.edited', 'comment.deleted'] as const),
  ...(['pull.synchronized', 'pull.retargeted', 'pull.merged'] as const),
  ...(['review.requested', 'review.submitted', 'review.dismissed', 'review.undismissed', 'review.deleted'] as const),
] as const;

/** After each change the processes learn which subject it is about. */
export const liveChanges: Feature['within'] = {
  ...notifying(OF_ISSUES, ({ issueId }) => [subjects.issue(issueId)]),
  ...notifying(['commit.status'], ({ repositoryId, sha }) => [subjects.statuses(repositoryId, sha)]),
  ...notifying(['workflow-run.changed', 'workflow-job.changed'], ({ repositoryId, runId }) => [
    subjects.run(runId),
    subjects.runs(repositoryId),
  ]),
  ...notifying(['access.reduced', 'repository.deleted'], ({ ownerId }) => (ownerId === undefined ? [] : [subjects.access(ownerId)])),
  ...notifying(['repository.transferred'], ({ oldOwnerId }) => [subjects.access(oldOwnerId)]),
};

function notifying<T extends EventType>(types: readonly T[], subjectsOf: (payload: Events[T]) => string[]): Feature['within'] {
  const notify = async (payload: Events[T], context: Context) => afterCommit(context, () => context.wakeUps.notify(subjectsOf(payload)));
  return Object.fromEntries(types.map((type) => [type, notify as WithinHandler<T>]));
}
