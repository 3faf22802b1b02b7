import { findRepository } from '../../access/find-repository.ts';
import { ghost } from '../../accounts/users/ghost.ts';
import { enqueueTrigger, type PossibleTriggers, possibleTriggers } from '../../actions/triggers/enqueue.ts';
import { isOfDefaultBranch, isOfPull, isReview, triggerNames } from '../../actions/triggers/events.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Events, EventType } from '../../events/events.ts';
import { presentLabel } from '../../issues/labels/present.ts';
import type { Completion } from './completion.ts';

/** The workflows of a repository, which get the payloads of its events as webhooks do. */
export interface WorkflowReceiver {
  readonly repositoryId: number;
  readonly actorId: number;
  /** The pull request, or issue, that it is about. */
  readonly issueId: number | null;
  readonly possible: PossibleTriggers;
  readonly type: EventType;
  readonly event: Events[EventType];
}

/** Events that start no workflow, and those of refs, which have a way of their own. */
const WITHOUT: ReadonlySet<EventType> = new Set([
  'refs.changed',
  'commit.status',
  'repository.created',
  'workflow-job.changed',
  'release.deleted',
]);

/** Whether, and how, the workflows of a repository get an event that is about to be committed. */
export async function workflowReceiver<T extends EventType>(
  context: Context,
  type: T,
  event: Events[T] & { repositoryId: number },
): Promise<WorkflowReceiver | undefined> {
  const { actorId, issueId = null, isPull } = event as { actorId?: number; issueId?: number; isPull?: boolean };
  if (WITHOUT.has(type) || actorId === undefined) return undefined;
  const { repositoryId } = event;
  const possible = await possibleTriggers(context, repositoryId, actorId);
  if (!possible) return undefined;
  // Each run comes with several of these.
  if (type === 'workflow-run.changed' && !canStart(possible, 'workflow_run')) return undefined;
  // A pull request may have workflows of its own.
  const mayBePull = issueId !== null && isPull !== false;
  return possible.hasOwn || mayBePull ? { repositoryId, actorId, issueId, possible, type, event } : undefined;
}

/** Whether an event may start a workflow. Those of pull requests, and of tags, can have other workflows than the default branch. */
function canStart({ hasOwn, names }: PossibleTriggers, event: string): boolean {
  if (isOfPull(event)) return true;
  return hasOwn && (names === undefined || !isOfDefaultBranch(event) || triggerNames(event).some((name) => names.has(name)));
}

/** The parts of payloads that are used here. */
interface KnownPayload {
  readonly number?: number;
  readonly release?: { readonly tag_name: string };
  readonly pull_request?: { readonly merge_commit_sha?: string | null; readonly head?: { readonly sha: string } | null } | null;
}

/** Enqueues an event for the workflows, with its payload as it is now. */
export async function enqueueForWorkflows(
  context: Context,
  receiver: WorkflowReceiver,
  event: string,
  delivery: { readonly completion?: Completion; readonly payload: (viewer?: User) => Promise<object> },
): Promise<void> {
  if (triggerNames(event).length === 0 || !canStart(receiver.possible, event)) return;
  // Pull requests are presented as to an anonymous visitor.
  const payload = { ...(await delivery.payload(ghost)), ...(await changedLabels(context, receiver)) };
  const { repositoryId, actorId, issueId } = receiver;
  await enqueueTrigger(context, {
    repositoryId,
    event,
    actorId,
    ref: await refOf(context, receiver, event, payload),
    issueId,
    payload: JSON.stringify(payload),
    completion: delivery.completion,
  });
}

/** The ref whose workflows run; null for the default branch. */
async function refOf({ db }: Context, { type, event }: WorkflowReceiver, name: string, payload: KnownPayload): Promise<string | null> {
  if (name === 'release') return `refs/tags/${payload.release?.tag_name}`;
  if (!isOfPull(name)) return null;
  if (type === 'pull.merged') return payload.pull_request?.merge_commit_sha ?? null;
  if (isReview(name) && 'reviewId' in event) {
    const review = await db.selectFrom('reviews').select('commit_id').where('id', '=', event.reviewId).executeTakeFirst();
    return review?.commit_id || (payload.pull_request?.head?.sha ?? null);
  }
  return `refs/pull/${payload.number}/head`;
}

/** The labels that came and went, which webhooks do not have. */
async function changedLabels(context: Context, { type, event, repositoryId }: WorkflowReceiver): Promise<object> {
  if (type !== 'issue.labels-changed') return {};
  const { added, removed } = event as Events['issue.labels-changed'];
  const repository = await findRepository(context.db, repositoryId);
  const ids = [...added, ...removed];
  if (!repository || ids.length === 0) return {};
  const rows = await context.db.selectFrom('labels').selectAll().where('id', 'in', ids).orderBy('id').execute();
  const shown = (wanted: readonly number[]) =>
    rows.filter(({ id }) => wanted.includes(id)).map((label) => presentLabel(context, label, repository));
  return { changes: { added_labels: shown(added), removed_labels: shown(removed) } };
}
