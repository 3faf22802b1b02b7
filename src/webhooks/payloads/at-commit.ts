import { asInternal, beforeCommit, type Context } from '../../context.ts';
import type { Webhook } from '../../database/tables/webhooks.ts';
import type { Events, EventType } from '../../events/events.ts';
import type { WithinHandler } from '../../feature.ts';
import { activeHooks } from '../deliveries/enqueue.ts';

/** An event whose transaction is about to be committed. */
export interface CommittingEvent<T extends EventType> {
  readonly type: T;
  readonly payload: Events[T];
}

/** Events that happen in a repository. */
type RepositoryEventType = { [T in EventType]: Events[T] extends { repositoryId: number } ? T : never }[EventType];

/**
 * Tells hooks of events at the end of their transaction: receivers learn what it was like then, whatever happens right after, and
 * only those hooks are told that are there by then. Where there is no hook, that is one query.
 */
export function atCommit<T extends RepositoryEventType>(
  types: readonly T[],
  handle: (event: CommittingEvent<T>, context: Context, hooks: readonly Webhook[]) => Promise<void>,
): { readonly [K in T]: WithinHandler<K> } {
  const handlerOf = (type: T) => (payload: Events[T], context: Context) =>
    beforeCommit(context, async () => {
      const hooks = await activeHooks(context, payload as Events[RepositoryEventType] & { ownerId?: undefined });
      if (hooks.length > 0) await handle({ type, payload }, asInternal(context), hooks);
    });
  return Object.fromEntries(types.map((type) => [type, handlerOf(type)])) as unknown as { readonly [K in T]: WithinHandler<K> };
}
