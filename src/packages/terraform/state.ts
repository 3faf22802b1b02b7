import type { Context } from '../../context.ts';
import { WorkerLimitError } from '../../workers/errors.ts';
import { type Content, readBlob } from '../blobs/content.ts';
import { invalid } from '../errors.ts';
import { run, type StateHead } from './state-task.ts';

/** Size limit of a state in bytes. */
export const MAX_STATE = 32 * 1024 * 1024;
/** Bytes that are read at once; a worker thread reads more. */
const SHORT = 64 * 1024;
const TASK = new URL('./state-task.ts', import.meta.url);
const DEADLINE_MS = 10_000;

/**
 * The serial of a state (https://developer.hashicorp.com/terraform/language/state/backends), by which its versions are stored.
 * @throws PackageError 400; WorkersBusyError
 */
export async function readSerial(context: Context, blob: Content): Promise<number> {
  const head = await readHead(context, await readBlob(context, blob, MAX_STATE));
  if (!head) throw invalid('the state is not a JSON object with a serial and a lineage');
  if (head.serial === 0) throw invalid('state serial is missing');
  if (head.lineage === '') throw invalid('state lineage is missing');
  return head.serial;
}

async function readHead({ workers }: Context, bytes: Buffer): Promise<StateHead | undefined> {
  if (bytes.length <= SHORT) return run(bytes);
  try {
    return await workers.run<typeof import('./state-task.ts')>(TASK, bytes, { deadlineMs: DEADLINE_MS });
  } catch (error) {
    if (error instanceof WorkerLimitError) return undefined;
    throw error;
  }
}
