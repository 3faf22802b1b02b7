import type { Context } from '../../context.ts';
import { WorkerLimitError } from '../../workers/errors.ts';
import { type Content, openBlob } from '../blobs/content.ts';
import { invalid } from '../errors.ts';
import type { Bytes } from './bzip2-tar-task.ts';
import type { WantedFiles } from './find-files.ts';

const TASK = new URL('./bzip2-tar-task.ts', import.meta.url);
const DEADLINE_MS = 300_000;

/**
 * `findFiles` for a stored archive that is compressed with bzip2: a worker reads it.
 * @throws PackageError 400
 */
export async function findInBzip2Tar(context: Context, blob: Content, wanted: WantedFiles): Promise<Map<string, Uint8Array>> {
  const stream = await openBlob(context, blob);
  const { port1, port2 } = new MessageChannel();
  const parts = stream.iterator();
  port1.onmessage = () => void sendNext(parts, port1);
  try {
    const task = { port: port2 as never, wanted };
    const options = { background: true, deadlineMs: DEADLINE_MS, transfer: [port2 as never] };
    const result = await context.workers.run<typeof import('./bzip2-tar-task.ts')>(TASK, task, options);
    if ('found' in result) return result.found;
    throw invalid(result.refusal);
  } catch (error) {
    throw error instanceof WorkerLimitError ? invalid('the archive takes too long to read') : error;
  } finally {
    port1.close();
    stream.destroy();
  }
}

async function sendNext(parts: AsyncIterator<Buffer>, port: MessagePort): Promise<void> {
  // Bytes that cannot be read end the archive, which is invalid then.
  const { value, done } = await parts.next().catch(() => ({ value: undefined, done: true }));
  const bytes: Bytes = done ? null : (value ?? null);
  port.postMessage(bytes);
}
