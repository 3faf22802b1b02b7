import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openForm } from '../../http/bodies/form.ts';
import type { Content } from '../blobs/content.ts';
import { invalid } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { receiveBody, requireForm } from '../protocol/receive.ts';
import { maxFileSize } from '../registry/limits.ts';

/** What a client sends of a release. */
export interface ReleaseForm {
  readonly archive: Content | undefined;
  readonly metadata: Buffer | undefined;
}

const ARCHIVE = 'source-archive';
const METADATA = 'metadata';
/** Bytes. */
const MAX_METADATA = 256 * 1024;
const MAX_AROUND = 1024 * 1024;

/**
 * Reads the form of a release while it arrives. Clients send the archive as a file, or as a field of its media type without a name.
 * @throws PackageError `type-size`, 400
 */
export async function receiveForm(call: PackageCall): Promise<ReleaseForm> {
  requireForm(call, 'unable to read source-archive file');
  const maxSize = maxFileSize(call.context, 'swift');
  const around = Math.min(maxSize + MAX_METADATA + MAX_AROUND, Number.MAX_SAFE_INTEGER);
  return await receiveBody(call, around, (content) => readForm(call, content, maxSize));
}

async function readForm({ context, contents, request }: PackageCall, content: Readable, maxSize: number): Promise<ReleaseForm> {
  const limits = { files: 10, fields: 10, fieldSize: MAX_METADATA, fileSize: Math.min(maxSize + 1, Number.MAX_SAFE_INTEGER) };
  const form = openForm(request.raw, limits, { isPartAFile: (name) => name === ARCHIVE || name === METADATA });
  const parts = new Map<string, { content: PassThrough; result: Promise<Content | Buffer> }>();
  form.on('file', (name, stream) => {
    if ((name !== ARCHIVE && name !== METADATA) || parts.has(name)) return void stream.resume();
    const part = new PassThrough();
    // What its reader does not want is read to the end all the same, so that the form ends.
    part.on('error', () => {}).on('close', () => stream.unpipe(part).resume());
    stream.pipe(part);
    const result = name === ARCHIVE ? contents.store(context, part, { maxSize }) : readAll(part);
    result.catch(() => part.destroy());
    parts.set(name, { content: part, result });
  });
  try {
    await pipeline(content, form);
  } catch (error) {
    for (const part of parts.values()) part.content.destroy(error as Error);
    await Promise.allSettled([...parts.values()].map(({ result }) => result));
    throw content.errored ?? invalid(`the form cannot be read: ${(error as Error).message}`);
  }
  await Promise.allSettled([...parts.values()].map(({ result }) => result));
  return { archive: (await parts.get(ARCHIVE)?.result) as Content, metadata: (await parts.get(METADATA)?.result) as Buffer };
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_METADATA) throw invalid(`the metadata has more than ${MAX_METADATA} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
