import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { WorkerLimitError } from '../../workers/errors.ts';
import { randomAccess, readZip } from '../archives/zip.ts';
import { type Content, openBlob } from '../blobs/content.ts';
import { invalid } from '../errors.ts';
import type { Bytes } from './bzip2-task.ts';
import { readDocuments } from './documents.ts';
import { type CondaDocuments, type CondaPackage, parseDocuments } from './metadata.ts';

const TASK = new URL('./bzip2-task.ts', import.meta.url);
const DEADLINE_MS = 300_000;
/** Size limit of the part of a package that describes it, which is read into memory, in bytes. */
const MAX_INFO = 32 * 1024 * 1024;

/**
 * Reads a package: a tar archive of bzip2, or a zip archive of tar archives of zstd.
 * @throws PackageError 400
 */
export async function readPackage(context: Context, blob: Content, isConda: boolean): Promise<CondaPackage> {
  return parseDocuments(isConda ? await readConda(context, blob) : await readBzip2(context, blob), isConda);
}

async function readConda(context: Context, blob: Content): Promise<CondaDocuments> {
  let info: Buffer | undefined;
  await readZip(
    randomAccess(context, blob),
    async ({ path, read }) => {
      if (!path.startsWith('info-') || !path.endsWith('.tar.zst')) return undefined;
      info = await read();
      return 'stop';
    },
    { maxEntryBytes: MAX_INFO },
  );
  if (!info) throw invalid('package structure is invalid');
  return await readDocuments(Readable.from([info]), 'zstd');
}

async function readBzip2(context: Context, blob: Content): Promise<CondaDocuments> {
  const stream = await openBlob(context, blob);
  const { port1, port2 } = new MessageChannel();
  const parts = stream.iterator();
  port1.onmessage = () => void sendNext(parts, port1);
  try {
    const options = { background: true, deadlineMs: DEADLINE_MS, transfer: [port2 as never] };
    const read = await context.workers.run<typeof import('./bzip2-task.ts')>(TASK, { port: port2 as never }, options);
    if ('refused' in read) throw invalid(read.refused);
    return read;
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
