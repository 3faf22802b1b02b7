import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { type ByteRange, bytesOfRange } from '../../http/byte-range.ts';
import { combineCrc32 } from '../archives/combine-crc32.ts';
import { deflated, GZIP_HEADER, gzipTrailer, plainPart } from './block-parts.ts';
import { BlockStore, type CachedPart, readParts } from './block-store.ts';
import { type BlockDocument, blocksOf, type ListedVersion, makeParts } from './blocks.ts';
import { obsoleteParts } from './obsolete-parts.ts';

/** A stored part of a document, as it is sent. */
export interface PlannedPart {
  readonly id: number;
  readonly size: number;
}

/** How a document is sent: its own bytes, or one member of gzip. */
export type DocumentForm = 'plain' | 'gzip';

/** The composition of a document: texts, and stored parts. */
export interface DocumentPlan {
  readonly form: DocumentForm;
  readonly size: number;
  /** Changes with the bytes. */
  readonly etag: string;
  readonly pieces: readonly (Uint8Array | readonly PlannedPart[])[];
}

/** Bytes of parts per read. */
const READ_AHEAD = 1024 * 1024;
/** What the parts of a form are stored as. */
const STORED_AS = { plain: 'plain', gzip: 'deflate' } as const;

/** The versions of a document, as stored blocks. */
export interface CachedBlocks {
  /** All parts in order; missing ones are built. The digest changes with their bytes before compression. */
  plan(form?: DocumentForm): Promise<{ parts: CachedPart[]; digest: string }>;
  /** Removes blocks that are no longer in the document, some time after their removal from it. */
  removeOthers(): Promise<void>;
}

/** {@link CachedBlocks} of a document; nothing is read before they are planned. */
export function cachedBlocks<Version extends ListedVersion>(context: Context, document: BlockDocument<Version>): CachedBlocks {
  return {
    plan: async (form = 'plain') => {
      const storedAs = STORED_AS[form];
      const store = await BlockStore.open(context, document, storedAs);
      const hash = createHash('sha256');
      const all: CachedPart[] = [];
      for (const block of blocksOf(document.versions)) {
        const { signature } = block;
        const parts =
          store.cached(signature) ?? (await Array.fromAsync(store.add(signature, makeParts(context, document, block, storedAs))));
        hash.update(`${signature} ${parts.map(({ size, crc }) => `${size}:${crc}`).join(' ')}\n`);
        for (const { id, size, crc, stored } of parts) all.push({ id, size, crc, stored });
      }
      return { parts: all, digest: hash.digest('hex') };
    },
    removeOthers: async () => {
      for (const form of Object.values(STORED_AS)) {
        const store = await BlockStore.open(context, document, form);
        for (const { signature } of blocksOf(document.versions)) store.want(signature);
        await store.removeOthers((unwanted, wanted) => obsoleteParts.removable(unwanted, wanted));
      }
    },
  };
}

/**
 * A document of texts and blocks. After a publication it is served from its blocks, one of which is new, and only later written as a
 * file: so the time that a reader waits does not grow with its bytes.
 */
export class ComposedDocument {
  readonly #pieces: readonly (string | CachedBlocks)[];

  constructor(pieces: readonly (string | CachedBlocks)[]) {
    this.#pieces = pieces;
  }

  async plan(form: DocumentForm = 'plain'): Promise<DocumentPlan> {
    const hash = createHash('sha256');
    const pieces: (Uint8Array | PlannedPart[])[] = [];
    const all: Pick<CachedPart, 'size' | 'crc'>[] = [];
    for (const piece of this.#pieces) {
      if (typeof piece === 'string') {
        const text = plainPart(piece);
        hash.update(`${text.size}\n`).update(text.content);
        pieces.push(form === 'gzip' ? await deflated(text.content) : text.content);
        all.push(text);
      } else {
        const { parts, digest } = await piece.plan(form);
        hash.update(digest);
        pieces.push(parts.map(({ id, stored }) => ({ id, size: stored })));
        all.push(...parts);
      }
    }
    const etag = hash.digest('hex');
    if (form === 'plain') return { form, size: sizeOf(pieces), etag, pieces };
    const member = [GZIP_HEADER, ...pieces, trailerOf(all)];
    return { form, size: sizeOf(member), etag: `${etag}-gzip`, pieces: member };
  }

  /** Removes blocks that are no longer in it, some time after their removal from it. */
  async removeOthers(): Promise<void> {
    for (const piece of this.#pieces) if (typeof piece !== 'string') await piece.removeOthers();
  }
}

/** The name of a document's compressed form, beside that of itself. */
export function gzipName(name: string): string {
  return `${name}.gz`;
}

function sizeOf(pieces: DocumentPlan['pieces']): number {
  return pieces.reduce((size, piece) => size + (piece instanceof Uint8Array ? piece.length : sumOf(piece)), 0);
}

function sumOf(parts: readonly { readonly size: number }[]): number {
  return parts.reduce((sum, { size }) => sum + size, 0);
}

function trailerOf(parts: readonly Pick<CachedPart, 'size' | 'crc'>[]): Uint8Array {
  const crc = parts.reduce((crc, part) => combineCrc32(crc, part.crc, part.size), 0);
  return gzipTrailer(crc, sumOf(parts));
}

/** A part of a document was removed since it was planned. */
export class PartRemovedError extends Error {
  override readonly name = 'PartRemovedError';
}

/**
 * The bytes of a document, or of the range; a stream if they are many.
 * @throws PartRemovedError; the stream can also fail with it
 */
export async function openPlan(db: Db, plan: DocumentPlan, range?: ByteRange): Promise<Buffer | Readable> {
  if (!range) return await openPieces(db, plan);
  const { start, pieces, size } = piecesOfRange(plan, range);
  return await openPieces(db, { pieces, size }, { start: range.start - start, end: range.end - start });
}

type Pieces = Pick<DocumentPlan, 'pieces' | 'size'>;

async function openPieces(db: Db, { pieces, size }: Pieces, range?: ByteRange): Promise<Buffer | Readable> {
  const chunks = readPlan(db, { pieces });
  if (size <= READ_AHEAD) {
    const whole = Buffer.concat(await Array.fromAsync(chunks));
    return range ? whole.subarray(range.start, range.end + 1) : whole;
  }
  // The header of gzip, a text and the first part: if that exists, the others usually do.
  const begin = [await chunks.next(), await chunks.next(), await chunks.next()];
  const all = (async function* () {
    for (const { value } of begin) if (value) yield value;
    yield* chunks;
  })();
  return Readable.from(range ? bytesOfRange(all, range) : all, { objectMode: false });
}

/** The pieces that have bytes of a range, so that no others are read, and where they begin in the document. */
function piecesOfRange(plan: DocumentPlan, range: ByteRange): Pieces & { start: number } {
  let [start, size, at] = [0, 0, 0];
  const isWanted = (length: number) => {
    const begin = at;
    at += length;
    if (at <= range.start) start = at;
    const isIn = at > range.start && begin <= range.end;
    if (isIn) size += length;
    return isIn;
  };
  const pieces = plan.pieces.map((piece) =>
    piece instanceof Uint8Array ? (isWanted(piece.length) ? piece : []) : piece.filter((part) => isWanted(part.size)),
  );
  return { start, size, pieces };
}

/**
 * The bytes of a document.
 * @throws PartRemovedError
 */
export async function* readPlan(db: Db, { pieces }: Pick<DocumentPlan, 'pieces'>): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) yield piece;
    else yield* readAll(db, piece);
  }
}

async function* readAll(db: Db, parts: readonly PlannedPart[]): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < parts.length; ) {
    const ids: number[] = [];
    for (let size = 0; at < parts.length && size < READ_AHEAD; at++) {
      ids.push(parts[at]?.id ?? 0);
      size += parts[at]?.size ?? 0;
    }
    const found = new Map((await readParts(db, ids)).map((row) => [row.id, row.content]));
    for (const id of ids) {
      const content = found.get(id);
      if (!content) throw new PartRemovedError('a part of an index was removed while it was read');
      if (content.length > 0) yield content;
    }
  }
}
