import { channel, tracingChannel } from 'node:diagnostics_channel';

/** Values of one kind that say more about an operation. Never secrets, nor what people wrote. */
export type Attributes = Record<string, string | number | boolean>;

/** Something that takes time and is worth a line in a trace. */
export interface Operation {
  /** Of few values, such as the pattern of a route. It may be set until the operation ends. */
  name: string;
  /** A request to this server, a part of something else, a request to another server, or what was queued. The first and the last begin a trace. */
  readonly kind: 'server' | 'internal' | 'client' | 'consumer';
  readonly attributes: Attributes;
  /** The headers that name the trace it belongs to, where they are believed. */
  readonly carrier?: Readonly<Record<string, unknown>>;
}

/** A statement of the database that was run. */
export interface Statement {
  /** With placeholders for its values. */
  readonly text: string;
  readonly milliseconds: number;
}

/** Where operations are published. Nothing is done for them while nobody subscribes. */
export const operations = tracingChannel<Operation, object>('copse.operation');

/** Where statements are published, as {@link Statement}. */
export const statements = channel('copse.database.statement');

/** Runs a part of what this server does as an operation of its own. */
export function traced<T>(name: string, attributes: Attributes, run: () => Promise<T>, kind: Operation['kind'] = 'internal'): Promise<T> {
  return operations.hasSubscribers ? operations.tracePromise(run, { name, kind, attributes }) : run();
}

/** Begins an operation, and calls `next` within it. {@link endOperation} ends it. */
export function beginOperation(operation: Operation, next: () => void): void {
  operations.start.runStores(operation, next);
}

/** Ends what {@link beginOperation} began. */
export function endOperation(operation: Operation): void {
  operations.asyncEnd.publish(operation);
}
