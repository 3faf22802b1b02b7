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
 * Enqueues deliveries at the end of the transaction of an event: the payload shows the state of that moment, and only the hooks of that
 * moment get it. Without hooks this takes one query.
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
