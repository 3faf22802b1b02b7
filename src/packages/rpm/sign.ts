import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { type Content, openBlob, readStream } from '../blobs/content.ts';
import { storeBlob } from '../blobs/store.ts';
import { invalid } from '../errors.ts';
import { openPgpSigner } from '../indexes/openpgp.ts';
import { readExtents } from './header.ts';

/** Tags of the signature header (https://rpm-software-management.github.io/rpm/manual/tags.html#signature-tags). */
const REGION = 62;
const [HEADER_SIGNATURE, WHOLE_SIGNATURE] = [268, 1002];
/** Signatures that are replaced, and space that was left for them. */
const REPLACED = [REGION, 267, HEADER_SIGNATURE, WHOLE_SIGNATURE, 1005, 1008];
const BINARY = 7;
const ENTRY = 16;
/** Bytes of a signature header: that of a package has some kilobytes. */
const MAX_SIGNATURE = 1024 * 1024;
/** To how many bytes values of a type are aligned. */
const ALIGNMENT: Readonly<Record<number, number>> = { 3: 2, 4: 4, 5: 8 };
const WIDTHS: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1 };

/** A value of a header, as it is stored. */
interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly data: Buffer;
}

/**
 * Signs a package with the key of its owner, in place of the signatures that it has; its headers have been read already.
 * @returns the content of the signed package
 * @throws PackageError 400
 */
export async function signPackage(context: Context, owner: User, blob: Content, maxSize: number): Promise<Content> {
  const part = (start: number, end = blob.size) => openBlob(context, blob, { start, end: end - 1 });
  const { signature, header } = await readExtents(async (start, length) =>
    start >= blob.size ? Buffer.alloc(0) : await readStream(await part(start, Math.min(start + length, blob.size))),
  );
  if (signature.end - signature.start > MAX_SIGNATURE) throw invalid('the signature of the package is too large');
  const kept = entriesOf(await readStream(await part(signature.start, signature.end))).filter(({ tag }) => !REPLACED.includes(tag));
  const signer = await openPgpSigner(context, owner, 'rpm');
  const signed = async (tag: number, content: Readable): Promise<Entry> => {
    const data = Buffer.from(await signer.signBinary(content));
    return { tag, type: BINARY, count: data.length, data };
  };
  const ofHeader = await signed(HEADER_SIGNATURE, await part(header.start, header.end));
  const ofAll = await signed(WHOLE_SIGNATURE, await part(header.start));
  const written = writeHeader([...kept, ofHeader, ofAll].sort((a, b) => a.tag - b.tag));
  const padding = Buffer.alloc(-written.length & 7);
  const lead = await readStream(await part(0, signature.start));
  const content = Readable.from(joined(Buffer.concat([lead, written, padding]), await part(header.start)), { objectMode: false });
  return await storeBlob(context, content, { maxSize });
}

async function* joined(start: Buffer, rest: Readable): AsyncGenerator<Buffer> {
  yield start;
  yield* rest as AsyncIterable<Buffer>;
}

/** @throws PackageError 400 */
function entriesOf(bytes: Buffer): Entry[] {
  const count = bytes.readUInt32BE(8);
  const store = bytes.subarray(ENTRY + count * ENTRY);
  return Array.from({ length: count }, (_, index) => {
    const [tag = 0, type = 0, offset = 0, count = 0] = [0, 4, 8, 12].map((part) => bytes.readUInt32BE(ENTRY + index * ENTRY + part));
    const end = offset + lengthOf(store, type, offset, count);
    if (end > store.length) throw invalid('the signature of the package ends early');
    return { tag, type, count, data: store.subarray(offset, end) };
  });
}

function lengthOf(store: Buffer, type: number, offset: number, count: number): number {
  const width = WIDTHS[type];
  if (width !== undefined) return width * count;
  let at = offset;
  for (let index = 0; index < count; index++) {
    const end = at < store.length ? store.indexOf(0, at) : -1;
    if (end < 0) throw invalid('the signature of the package ends early');
    at = end + 1;
  }
  return at - offset;
}

/** A header whose values are all in its region, which is an entry itself with a copy of its head at the end. */
function writeHeader(entries: readonly Entry[]): Buffer {
  const store: Buffer[] = [];
  let size = 0;
  const index = entries.map(({ tag, type, count, data }) => {
    const gap = -size & ((ALIGNMENT[type] ?? 1) - 1);
    store.push(Buffer.alloc(gap), data);
    const offset = size + gap;
    size = offset + data.length;
    return words(tag, type, offset, count);
  });
  const length = entries.length + 1;
  const intro = words(0x8eade801, 0, length, size + ENTRY);
  return Buffer.concat([intro, words(REGION, BINARY, size, ENTRY), ...index, ...store, words(REGION, BINARY, -length * ENTRY, ENTRY)]);
}

function words(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, index) => void bytes.writeUInt32BE(number >>> 0, index * 4));
  return bytes;
}
