import { Readable } from 'node:stream';
import { readPlainForm } from '../../http/bodies/plain-form.ts';
import { type FilesWanted, receiveFile } from '../../http/bodies/upload.ts';
import { readWholeBody } from '../../http/bodies/whole-body.ts';
import { unprocessable } from '../../http/errors.ts';
import { SMALL_BYTES } from '../blobs/store.ts';
import type { PackageCall } from './format.ts';

/** A file of a form: a small one is in memory completely. */
interface FormFile {
  readonly name: string;
  readonly content: Readable | Buffer;
}

/**
 * Passes the file of a form to `store`, like `receiveFile`. A small form is read without streams, which cost more than its bytes.
 * @throws HttpError 422 for a form without such a file, and as `receiveFile`
 */
export async function receiveFormFile<R>(
  { context, request: { raw } }: Pick<PackageCall, 'context' | 'request'>,
  wanted: Omit<FilesWanted, 'maxFiles'>,
  store: (file: FormFile) => Promise<R>,
): Promise<R> {
  const { headers } = raw;
  const isSmall = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= SMALL_BYTES;
  const body = isSmall ? await readWholeBody(raw, SMALL_BYTES) : undefined;
  if (!body) return await receiveFile(raw, context, wanted, store);
  const parts = readPlainForm(body, headers['content-type'] ?? '');
  const files = parts?.filter(({ fileName }) => fileName !== undefined) ?? [];
  // Which of several files is taken, and how many there may be, is a matter of the reader of forms.
  if (!parts || files.length > 1) {
    return await receiveFile(Object.assign(Readable.from([body]), { headers, complete: true }), context, wanted, store);
  }
  for (const { name, fileName, content } of parts) if (fileName === undefined) wanted.onField?.(name, content.toString('utf8'));
  const file = files.find(({ name }) => wanted.field === undefined || name === wanted.field);
  if (!file) throw unprocessable(`[]: the form has no file${wanted.field === undefined ? '' : ` ${wanted.field}`}`);
  return await store({ name: file.fileName ?? '', content: file.content });
}
