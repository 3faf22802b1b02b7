import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { receiveFile, type UploadedFile } from '../../http/bodies/upload.ts';
import { SNIFFED_BYTES } from '../../http/media-type.ts';
import { allowedName } from './allowed.ts';

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
  const name = allowedName(allowedTypes, given, await headOf(content));
  return { name, ...(await storeBytes(storage, content, maxSize)) };
}

/** What {@link receiveAttachment} takes. */
export interface AttachmentWanted {
  /** The name by the query, which goes before that of the form. */
  readonly name: string | undefined;
  readonly allowedTypes: readonly string[];
  /** Bytes. */
  readonly maxSize: number;
}

/**
 * Stores the file of a form. Its name may come after it, in a field `name`, so it is checked at the end.
 * @throws HttpError as {@link receiveFile}; 422 for a name or type that is not allowed
 */
export async function receiveAttachment(
  request: IncomingMessage,
  context: Pick<Context, 'settings' | 'storage'>,
  { name: asked, allowedTypes, maxSize }: AttachmentWanted,
): Promise<StoredFile> {
  let field = asked;
  const onField = (name: string, value: string) => {
    if (name === 'name') field ??= value;
  };
  const wanted = { field: 'attachment', maxSize, onField };
  const { head, given, ...stored } = await receiveFile(request, context, wanted, async ({ name: given, content }) => {
    const head = await headOf(content);
    return { head, given, ...(await storeBytes(context.storage, content, maxSize)) };
  });
  try {
    const name = allowedName(allowedTypes, field || given, head);
    return { name, ...stored };
  } catch (error) {
    await context.storage.delete(attachmentKey(stored.uuid));
    throw error;
  }
}

async function storeBytes(storage: Context['storage'], content: Readable, maxSize: number): Promise<{ uuid: string; size: number }> {
  const uuid = randomUUID();
  const { size } = await storage.put(attachmentKey(uuid), content, { maxSize });
  return { uuid, size };
}

/** The beginning of a stream, which stays unread. */
async function headOf(stream: Readable): Promise<Buffer> {
  while (!stream.destroyed) {
    const chunk = stream.read() as Buffer | null;
    if (chunk) {
      stream.unshift(chunk);
      // A copy: the storage may free the chunk.
      return Buffer.from(chunk.subarray(0, SNIFFED_BYTES));
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
