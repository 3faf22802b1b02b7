import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { SNIFFED_BYTES } from '../../http/media-type.ts';
import type { UploadedFile } from '../../http/upload.ts';
import { cleanName, refuseForbiddenType } from './allowed.ts';

/** A file whose bytes are stored and that is not attached yet. */
export interface StoredFile {
  readonly uuid: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** The storage key of an attachment. */
export function attachmentKey(uuid: string): string {
  return `attachments/${uuid.slice(0, 2)}/${uuid}`;
}

/**
 * Stores the bytes of a file.
 * @throws HttpError 422 for a name or type that is not allowed
 */
export async function storeFile(
  { storage }: Pick<Context, 'storage'>,
  { name: given, content }: UploadedFile,
  { allowedTypes, maxSize }: { allowedTypes: readonly string[]; maxSize: number },
): Promise<StoredFile> {
  const name = cleanName(given);
  refuseForbiddenType(allowedTypes, name, await headOf(content));
  const uuid = randomUUID();
  const { size } = await storage.put(attachmentKey(uuid), content, { maxSize });
  return { uuid, name, size };
}

/** The beginning of a stream, which stays unread. */
async function headOf(stream: Readable): Promise<Buffer> {
  while (!stream.destroyed) {
    const chunk = stream.read() as Buffer | null;
    if (chunk) {
      stream.unshift(chunk);
      return chunk.subarray(0, SNIFFED_BYTES);
    }
    if (stream.readableEnded) break;
    const stop = new AbortController();
    const { signal } = stop;
    try {
      await Promise.race([once(stream, 'readable', { signal }), once(stream, 'end', { signal }), once(stream, 'close', { signal })]);
    } finally {
      stop.abort();
    }
  }
  return Buffer.alloc(0);
}
