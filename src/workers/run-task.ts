import { parentPort } from 'node:worker_threads';
import { ownProcessorMs } from './deadline.ts';
import { giveWay, ownOsThread } from './os-thread.ts';

/*
 * The program of a worker thread: it loads the module of each task once and calls its `run`. Besides one task at a time, it only holds
 * the state of those modules.
 */

/** Messages from the pool. */
export interface TaskMessage {
  readonly module: string;
  readonly payload: unknown;
}

/** Messages from the worker. */
export type TaskReply =
  /** The task starts, with the processor time of its thread so far in milliseconds, and the number of the thread if known. */
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
