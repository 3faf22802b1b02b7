import { type EventHandler, inTransaction, internalContext, type Services } from '../context.ts';
import { traced } from '../tracing/operations.ts';
import { type Delivery, finish } from './deliveries.ts';
import type { Events, EventType, StoredEvent } from './events.ts';

/** How long a transaction adds further events, in milliseconds: other writers wait for it. */
const TAKE_MS = 5;

/** A handler that runs only a few statements: its waiting events share a transaction, which also deletes their deliveries. */
export interface BriefHandler<T extends EventType> extends EventHandler<T> {
  readonly isBrief: true;
}

/** Marks a handler as brief. */
export function brief<T extends EventType>(handle: (...args: Parameters<EventHandler<T>>) => Promise<void>): BriefHandler<T> {
  return Object.assign((...args: Parameters<EventHandler<T>>) => handle(...args), { isBrief: true } as const);
}

/** The event of a delivery, as a handler gets it. */
export function storedEvent({ id, type, payload, created_at }: Delivery): StoredEvent {
  return { id, type: type as EventType, payload: payload as Events[EventType], createdAt: created_at };
}

/**
 * Handles the first of these deliveries whose handlers are brief, as many as fit into a short transaction, and deletes them in it.
 * @returns their number; also 0 when one fails: then each has to be handled separately
 */
export async function handOnTogether(
  services: Services,
  deliveries: readonly Delivery[],
  handlerOf: (delivery: Delivery) => EventHandler<EventType> | undefined,
): Promise<number> {
  const handlers = deliveries.map(handlerOf);
  const end = handlers.findIndex((handle, at) => !handle || !('isBrief' in handle) || deliveries[at]?.attempts !== 0);
  const wanted = end < 0 ? deliveries : deliveries.slice(0, end);
  if (wanted.length === 0) return 0;
  try {
    return await inTransaction(internalContext(services), async (context) => {
      const until = performance.now() + TAKE_MS;
      const done: Delivery[] = [];
      for (const [at, delivery] of wanted.entries()) {
        await traced(`event ${delivery.subscriber}`, {}, async () => handlers[at]?.(storedEvent(delivery), context), 'consumer');
        done.push(delivery);
        if (performance.now() > until) break;
      }
      await finish(context.db, done);
      return done.length;
    });
  } catch (error) {
    // The one that fails is logged when it is handled separately.
    services.log.debug({ err: error }, 'events are handed on one by one');
    return 0;
  }
}
