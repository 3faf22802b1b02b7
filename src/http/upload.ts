import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../context.ts';
import { BlobTooLargeError } from '../storage/storage.ts';
import { HttpError, unprocessable } from './errors.ts';
import { openForm } from './form.ts';

/** A file that comes with a form. */
export interface UploadedFile {
  /** As the client says; empty when it says none. */
  readonly name: string;
  readonly content: Readable;
}

/** Bytes of a form around its file. */
const MAX_AROUND = 1024 * 1024;
const MAX_FIELDS = 1000;

/**
 * Hands the file of a form's field, or its first file, to `store` while it arrives; other files and fields are skipped. When the client goes before its end,
 * the content fails, so that nothing is kept of it.
 * @param maxSize bytes that the file may have
 * @param onField called with the other fields, before and after the file
 * @throws HttpError 422 for what is no form or has no such file, 413 for a file that is too large
 */
export async function receiveFile<R>(
  request: IncomingMessage,
  { settings }: Pick<Context, 'settings'>,
  { field, maxSize, onField }: { field?: string; maxSize: number; onField?: (name: string, value: string) => void },
  store: (file: UploadedFile) => Promise<R>,
): Promise<R> {
  const tooLarge = () => tooLargeFor(maxSize);
  if (Number(request.headers['content-length'] ?? 0) > maxSize + MAX_AROUND) throw tooLarge();
  const form = openForm(request, {
    files: settings.limits.uploadsPerRequest,
    fields: MAX_FIELDS,
    fieldSize: MAX_AROUND,
    fileSize: maxSize + 1,
  });
  let content: PassThrough | undefined;
  let stored: Promise<R> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      form.on('file', (name, stream, filename) => {
        if ((field !== undefined && name !== field) || content) {
          stream.resume();
          return;
        }
        const through = new PassThrough();
        content = through;
        // It may fail before anybody reads it; a later reader gets the error all the same.
        through.on('error', () => {});
        stream.pipe(through);
        // What its reader does not want is read to the end all the same, so that the form ends.
        through.on('close', () => stream.unpipe(through).resume());
        stream.on('limit', () => reject(tooLarge()));
        stored = store({ name: filename ?? '', content: through });
        stored.catch(() => through.destroy());
      });
      let left = MAX_AROUND;
      form.on('field', (name, value) => {
        left -= name.length + value.length;
        if (onField && left < 0) reject(unprocessable(`[]: the fields have more than ${MAX_AROUND} bytes`));
        else onField?.(name, value);
      });
      form.on('finish', resolve);
      form.on('error', (error: unknown) => reject(unprocessable(`[]: ${(error as Error).message}`)));
      request.on('close', () => request.complete || reject(new Error('the client has gone before the end of its form')));
      request.on('error', reject).pipe(form);
    });
  } catch (error) {
    content?.destroy(error as Error);
    await stored?.catch(() => {});
    throw error;
  }
  if (!stored) throw unprocessable(`[]: the form has no file${field === undefined ? '' : ` ${field}`}`);
  return stored.catch((error: unknown) => {
    throw error instanceof BlobTooLargeError ? tooLarge() : error;
  });
}

/**
 * Hands the whole body of a request to `store` as a file without a name, while it arrives. When the client goes before its end, the
 * content fails, so that nothing is kept of it.
 * @param maxSize bytes that the file may have
 * @throws HttpError 413 for a file that is too large
 */
export async function receiveBytes<R>(
  request: IncomingMessage,
  { maxSize }: { maxSize: number },
  store: (file: UploadedFile) => Promise<R>,
): Promise<R> {
  if (Number(request.headers['content-length'] ?? 0) > maxSize) throw tooLargeFor(maxSize);
  const content = new PassThrough();
  const through = pipeline(request, content).catch(() => {});
  try {
    return await store({ name: '', content });
  } catch (error) {
    content.destroy();
    throw error instanceof BlobTooLargeError ? tooLargeFor(maxSize) : error;
  } finally {
    await through;
  }
}

function tooLargeFor(maxSize: number): HttpError {
  return new HttpError(413, `attachment exceeds limit ${maxSize}`, { headers: { connection: 'close' } });
}
