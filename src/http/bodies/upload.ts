import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../context.ts';
import { OwnedBytes } from '../../storage/owned-bytes.ts';
import { BlobTooLargeError } from '../../storage/storage.ts';
import { HttpError, unprocessable } from '../errors.ts';
import { openForm } from './form.ts';

/** A file in a form. */
export interface UploadedFile {
  /** The client's name of the file; empty if it sent none. */
  readonly name: string;
  readonly content: Readable;
}

/** Size limit of the form besides its file, in bytes. */
const MAX_AROUND = 1024 * 1024;
const MAX_FIELDS = 1000;

/** A request with a form, or a stream that stands for one. */
export type FormRequest = Readable & Pick<IncomingMessage, 'headers' | 'complete'>;

/** Options of {@link receiveFiles}. */
export interface FilesWanted {
  /** The field of the files; all fields if left out. */
  readonly field?: string;
  /** Size limit of a file in bytes. */
  readonly maxSize: number;
  /** Maximum number of files; further ones are skipped. */
  readonly maxFiles: number;
  /** Called with the other fields, before and after the files. */
  readonly onField?: (name: string, value: string) => void;
}

/**
 * Passes the file of a form's field, or its first file, to `store` while it arrives; other files and fields are skipped.
 * @throws HttpError as {@link receiveFiles}; 422 for a form without such a file
 */
export async function receiveFile<R>(
  request: FormRequest,
  context: Pick<Context, 'settings'>,
  wanted: Omit<FilesWanted, 'maxFiles'>,
  store: (file: UploadedFile) => Promise<R>,
): Promise<R> {
  const [stored] = await receiveFiles(request, context, { ...wanted, maxFiles: 1 }, async (file) => ({ result: await store(file) }));
  if (!stored) throw unprocessable(`[]: the form has no file${wanted.field === undefined ? '' : ` ${wanted.field}`}`);
  return stored.result;
}

/**
 * Passes files of a form to `store` while they arrive. If the client disconnects before their end, the stream of the content fails, so that
 * nothing is stored. If a later file fails, `discard` deletes what was stored before.
 * @throws HttpError 422 for an invalid form, 413 for a file that is too large
 */
export async function receiveFiles<R>(
  request: FormRequest,
  { settings }: Pick<Context, 'settings'>,
  { field, maxSize, maxFiles, onField }: FilesWanted,
  store: (file: UploadedFile) => Promise<R>,
  discard: (stored: R) => Promise<void> = async () => {},
): Promise<R[]> {
  const tooLarge = () => tooLargeFor(maxSize);
  if (Number(request.headers['content-length'] ?? 0) > maxSize * maxFiles + MAX_AROUND) throw tooLarge();
  const form = openForm(request, {
    files: settings.limits.uploadsPerRequest,
    fields: MAX_FIELDS,
    fieldSize: MAX_AROUND,
    fileSize: maxSize + 1,
  });
  const contents: PassThrough[] = [];
  const stored: Promise<R>[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      form.on('file', (name, stream, filename) => {
        if ((field !== undefined && name !== field) || contents.length === maxFiles) {
          stream.resume();
          return;
        }
        const through = new PassThrough();
        contents.push(through);
        // It may fail before anybody reads it; a later reader still gets the error.
        through.on('error', () => {});
        stream.pipe(through);
        // What its reader does not read is read to the end anyway, so that the form ends.
        through.on('close', () => stream.unpipe(through).resume());
        stream.on('limit', () => reject(tooLarge()));
        const storing = store({ name: filename ?? '', content: through });
        stored.push(storing);
        storing.catch(() => through.destroy());
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
    return await Promise.all(stored);
  } catch (error) {
    for (const content of contents) content.destroy(error as Error);
    const ends = await Promise.allSettled(stored);
    for (const end of ends) if (end.status === 'fulfilled') await discard(end.value);
    throw error instanceof BlobTooLargeError ? tooLarge() : error;
  }
}

/**
 * Passes the whole body of a request to `store` as a file without a name, while it arrives. If the client disconnects before its end, the
 * stream of the content fails, so that nothing is stored.
 * @param maxSize size limit of the file in bytes
 * @throws HttpError 413 for a file that is too large
 */
export async function receiveBytes<R>(
  request: IncomingMessage,
  { maxSize }: { maxSize: number },
  store: (file: UploadedFile) => Promise<R>,
): Promise<R> {
  if (Number(request.headers['content-length'] ?? 0) > maxSize) throw tooLargeFor(maxSize);
  const content = new OwnedBytes();
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
