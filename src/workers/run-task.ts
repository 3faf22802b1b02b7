import { parentPort } from 'node:worker_threads';
import { ownProcessorMs } from './deadline.ts';
import { giveWay, ownOsThread } from './os-thread.ts';

/*
 * What a worker thread runs: it loads the module of each task once and calls its `run`. Beside one task at a time it holds nothing but
 * what those modules keep.
 */

/** What the pool sends. */
export interface TaskMessage {
  readonly module: string;
  readonly payload: unknown;
}

/** What the worker sends back. */
export type TaskReply =
  /** The task starts, when its thread has taken so many milliseconds of processor time; with the number of the thread, where it is known. */
  | { readonly startMs: number; readonly osThread?: number | undefined }
  | { readonly result: unknown }
  | { readonly error: { name: string; message: string; stack: string } };

const osThread = ownOsThread();
if (osThread !== undefined) giveWay(osThread);

parentPort?.on('message', (message: TaskMessage) => {
  void reply(message);
});

async function reply({ module, payload }: TaskMessage): Promise<void> {
  try {
    const { run } = (await import(module)) as { run: (payload: unknown) => unknown };
    send({ startMs: ownProcessorMs(), osThread });
    send({ result: await run(payload) });
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    send({ error: { name, message, stack: stack ?? '' } });
  }
}

function send(reply: TaskReply): void {
  parentPort?.postMessage(reply);
}
