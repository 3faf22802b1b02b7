import { asInternal, beforeCommit, type Context } from '../../context.ts';
import type { Events, EventType, IssueEvent } from '../../events/events.ts';
import type { WithinHandler } from '../../feature.ts';
import { activeHooks, type Receivers } from '../deliveries/enqueue.ts';
import { workflowReceiver } from '../deliveries/workflows.ts';

/** An event whose transaction is about to be committed. */
export interface CommittingEvent<T extends EventType> {
  readonly type: T;
  readonly payload: Events[T];
}

/** The order of those of an issue, or a pull request, that is being opened; all others come with the one of its opening. */
const WHILE_OPENING: Partial<Record<EventType, number>> = {
  'issue.assigned': -1,
  'review.requested': -1,
  'issue.labels-changed': 1,
  'issue.milestone-changed': 2,
  'issue.closed': 3,
};
const PULLS_ARE_ASSIGNED = 3;

function rankOf(type: EventType, { isNew, isPull }: Partial<IssueEvent>): number {
  // The tag of a release is deleted before it.
  if (!isNew) return type === 'release.deleted' ? 1 : 0;
  return type === 'issue.assigned' && isPull !== false ? PULLS_ARE_ASSIGNED : (WHILE_OPENING[type] ?? 0);
}

/**
 * A merge and what a commit closes or reopens: one after the other, each with the counts of its moment, and before the push. And a pull
 * request whose head is being deleted, while it is still there.
 */
function isAtOnce(type: EventType, payload: object): boolean {
  if (type === 'issue.closed' && 'isHeadBeingDeleted' in payload) return true;
  return type === 'pull.merged' || ((type === 'issue.closed' || type === 'issue.reopened') && 'commitId' in payload);
}

/** Events that happen in a repository. */
type RepositoryEventType = { [T in EventType]: Events[T] extends { repositoryId: number } ? T : never }[EventType];

/**
 * Enqueues deliveries at the end of the transaction of an event: the payload shows the state of that moment, and only the hooks of that
 * moment get it, and the workflows of the repository. Without either this takes two queries.
 */
export function atCommit<T extends RepositoryEventType>(
  types: readonly T[],
  handle: (event: CommittingEvent<T>, context: Context, receivers: Receivers) => Promise<void>,
): { readonly [K in T]: WithinHandler<K> } {
  const handlerOf = (type: T) => (payload: Events[T], context: Context) =>
    isAtOnce(type, payload) ? run(type, payload, context)() : beforeCommit(context, run(type, payload, context), rankOf(type, payload));
  const run = (type: T, payload: Events[T], context: Context) => async () => {
    const hooks = await activeHooks(context, payload as Events[RepositoryEventType] & { ownerId?: undefined });
    const workflows = await workflowReceiver(context, type, payload as Events[T] & { repositoryId: number });
    if (hooks.length > 0 || workflows) await handle({ type, payload }, asInternal(context), { hooks, workflows });
  };
  return Object.fromEntries(types.map((type) => [type, handlerOf(type)])) as unknown as { readonly [K in T]: WithinHandler<K> };
}
