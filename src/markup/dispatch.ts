import { MessageChannel } from 'node:worker_threads';
import { escapeHtml } from '../text/escape-html.ts';
import { WorkerLimitError } from '../workers/errors.ts';
import type { CALLS, Calls, Detail, Result } from './calls.ts';
import type { MarkupContext } from './context.ts';
import { RenderLimitError } from './deadline.ts';
import { type LookupName, serveLookups } from './lookups-port.ts';
import type * as task from './markup-task.ts';
import { plainText } from './plain-text.ts';

/** From this many characters on a text is not work for this thread: it takes a millisecond for each thousand, or more. */
const LARGE_LENGTH = 8192;

/** Time limit on this thread, in milliseconds; after it, a worker starts again. */
const PATIENCE_MS = 20;

const TASK = new URL('./markup-task.ts', import.meta.url);
/** The rendering stops by itself before; the rest is for its lookups and for slow machines. */
const DEADLINE_MS = 10_000;

let calls: typeof CALLS | undefined;

/** The result for a text that cannot be read in time. */
const PLAIN: { [Name in keyof Calls]: (text: string) => Result<Name> } = {
  document: (text) => ({ html: plainText(text), headings: [], contents: 'none' }),
  raw: plainText,
  file: (text) => ({ html: plainText(text), headings: [], contents: 'none' }),
  short: escapeHtml,
  description: escapeHtml,
  namesInMarkdown: () => ({ mentions: [], references: [] }),
  namesInText: () => ({ mentions: [], references: [] }),
};

/**
 * Runs a call on a text: on this thread when it is short and takes no longer than a few milliseconds, or when the context has no workers;
 * else in a worker.
 * @throws WorkersBusyError when no worker is free in time
 */
export async function dispatch<Name extends keyof Calls>(
  name: Name,
  text: string,
  context: MarkupContext,
  detail: Detail<Name>,
): Promise<Result<Name>> {
  if (isForWorkers(context) && text.length >= LARGE_LENGTH) return inWorker(name, text, context, detail);
  // The parsers take a tenth of a second to load, so that is done when they are first needed. To import them again takes 10 µs each time.
  calls ??= (await import('./calls.ts')).CALLS;
  const call = calls[name] as (text: string, context: MarkupContext, detail: Detail<Name>) => Promise<Result<Name>>;
  if (!isForWorkers(context)) return call(text, context, detail);
  try {
    return await call(text, { ...context, patience: PATIENCE_MS }, detail);
  } catch (error) {
    if (error instanceof RenderLimitError) return inWorker(name, text, context, detail);
    throw error;
  }
}

/** A function of the settings cannot be sent to another thread. */
const isForWorkers = ({ workers, settings }: MarkupContext): boolean => workers !== undefined && settings?.mediaUrl === undefined;

async function inWorker<Name extends keyof Calls>(
  name: Name,
  text: string,
  { workers, lookups, ...context }: MarkupContext,
  detail: Detail<Name>,
): Promise<Result<Name>> {
  const channel = lookups && new MessageChannel();
  const served = channel && serveLookups(lookups, channel.port1);
  const names = Object.keys(lookups ?? {}) as LookupName[];
  const payload = { name, text, context, detail, lookups: names, port: channel?.port2 };
  try {
    return (await workers?.run<typeof task>(TASK, payload, {
      deadlineMs: DEADLINE_MS,
      transfer: channel ? [channel.port2] : [],
    })) as Result<Name>;
  } catch (error) {
    if (error instanceof WorkerLimitError) return PLAIN[name](text);
    served?.rethrow();
    throw error;
  } finally {
    channel?.port1.close();
  }
}
