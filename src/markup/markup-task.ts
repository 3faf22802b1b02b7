import type { MessagePort } from 'node:worker_threads';
import { CALLS, type Calls } from './calls.ts';
import type { MarkupContext } from './context.ts';
import { unhurried } from './deadline.ts';
import { type LookupName, remoteLookups } from './lookups-port.ts';

/** A call as it is sent to a worker: the context without its functions, and a port for them. */
export interface MarkupTask {
  readonly name: keyof Calls;
  readonly text: string;
  readonly context: MarkupContext;
  readonly detail: unknown;
  readonly lookups: readonly LookupName[];
  readonly port: MessagePort | undefined;
}

/** Runs a call. */
export async function run({ name, text, context, detail, lookups, port }: MarkupTask): Promise<unknown> {
  const call = CALLS[name] as (text: string, context: MarkupContext, detail: unknown) => Promise<unknown>;
  try {
    const ownContext = port ? { ...context, lookups: remoteLookups(lookups, port) } : context;
    return await unhurried(() => call(text, ownContext, detail));
  } finally {
    port?.close();
  }
}
