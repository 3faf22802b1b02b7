import type { MessagePort } from 'node:worker_threads';
import type { MarkupLookups } from './context.ts';

/* A worker has no database: the lookups of a text are requested through a port, and run by the thread that sent the text. */

/** The names of the lookups. */
export type LookupName = keyof MarkupLookups;

interface LookupRequest {
  readonly id: number;
  readonly name: LookupName;
  readonly items: readonly unknown[];
}

type Reply = { readonly id: number; readonly found: unknown } | { readonly id: number; readonly failed: true };

type Lookup = (items: readonly unknown[]) => unknown;

/** Runs the lookups that are requested through a port. `rethrow` throws the error of a failed lookup, since errors cannot be sent whole. */
export function serveLookups(lookups: MarkupLookups, port: MessagePort): { rethrow(): void } {
  const errors: unknown[] = [];
  const reply = async ({ id, name, items }: LookupRequest): Promise<Reply> => {
    try {
      const found = await (lookups[name] as Lookup | undefined)?.(items);
      return { id, found: found === undefined || found instanceof Map ? found : [...(found as Iterable<unknown>)] };
    } catch (error) {
      errors.push(error);
      return { id, failed: true };
    }
  };
  port.on('message', (request: LookupRequest) => void reply(request).then((reply) => port.postMessage(reply)));
  return {
    rethrow() {
      if (errors.length > 0) throw errors[0];
    },
  };
}

/** Lookups through a port. */
export function remoteLookups(names: readonly LookupName[], port: MessagePort): MarkupLookups {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  port.on('message', (reply: Reply) => {
    const pending = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('failed' in reply) pending?.reject(new Error('a lookup failed'));
    else pending?.resolve(reply.found);
  });
  const remoteLookup = (name: LookupName): Lookup => {
    return (items) => {
      const request: LookupRequest = { id: ++last, name, items };
      const pending = Promise.withResolvers<unknown>();
      waiting.set(request.id, pending);
      port.postMessage(request);
      return pending.promise;
    };
  };
  return Object.fromEntries(names.map((name) => [name, remoteLookup(name)])) as MarkupLookups;
}
