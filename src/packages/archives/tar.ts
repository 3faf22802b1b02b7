import { pipeline, type Readable } from 'node:stream';
import type { Extract } from 'tar-stream';
import { streamOf } from '../blobs/bytes-stream.ts';
import { invalid, PackageError } from '../errors.ts';
import { type Compression, compressionOf, decompress, decompressSmall } from './decompress.ts';
import { ArchiveBudget, type ArchiveLimits } from './limits.ts';
import { TarGuard } from './tar-guard.ts';

/** Loaded on first use, and only once: to import it again takes longer than to read a small archive. */
let library: typeof import('tar-stream') | undefined;

/** An entry of an archive. */
export interface ArchiveEntry {
  /** As in the archive: never used as a path of the server. */
  readonly path: string;
  readonly isFile: boolean;
  /** Bytes. */
  readonly size: number;
  /**
   * Its bytes; call this before the visitor returns.
   * @throws PackageError 400 for more bytes than `maxEntryBytes`
   */
  readonly read: () => Promise<Buffer>;
  /** Its bytes as a stream, for an archive with random access. */
  readonly open?: () => Promise<Readable>;
}

/** Handles an entry; returns `stop` to leave the rest of the archive unread. */
export type EntryVisitor = (entry: ArchiveEntry) => Promise<'stop' | undefined> | 'stop' | undefined;

/**
 * Reads a tar archive entry by entry, while it arrives.
 * @param compression detected by the first bytes when left out, except for bzip2, which only workers may read
 * @throws PackageError 400 for an invalid archive, and beyond the limits
 */
export async function readTar(
  source: Readable | Buffer,
  visit: EntryVisitor,
  { compression, ...limits }: Partial<ArchiveLimits> & { compression?: Compression } = {},
): Promise<void> {
  const budget = new ArchiveBudget(limits);
  const small = Buffer.isBuffer(source) ? decompressSmall(source, compression ?? compressionOf(source)) : undefined;
  if (small) await readSmall(small, visit, budget);
  else await readStream(Buffer.isBuffer(source) ? streamOf(source) : source, visit, budget, compression);
}

async function readSmall(archive: Buffer, visit: EntryVisitor, budget: ArchiveBudget): Promise<void> {
  const entries = await openEntries();
  try {
    TarGuard.check(archive);
    entries.end(archive);
    await visitEntries(entries, visit, budget);
  } catch (error) {
    throw asInvalid(error);
  } finally {
    entries.destroy();
  }
}

async function readStream(
  source: Readable,
  visit: EntryVisitor,
  budget: ArchiveBudget,
  compression: Compression | undefined,
): Promise<void> {
  const entries = await openEntries();
  let plain: Readable | undefined;
  try {
    const used = compression ?? (await sniff(source));
    if (!compression && used === 'bzip2') throw invalid('the archive is compressed by bzip2');
    plain = decompress(source, used, budget);
    const guarded = pipeline(plain, new TarGuard(), (error) => error && entries.destroy(error));
    guarded.pipe(entries as unknown as NodeJS.WritableStream);
    await visitEntries(entries, visit, budget);
  } catch (error) {
    throw asInvalid(error);
  } finally {
    plain?.destroy();
    source.destroy();
    entries.destroy();
  }
}

async function openEntries(): Promise<Extract> {
  library ??= await import('tar-stream');
  return library.extract();
}

async function visitEntries(entries: Extract, visit: EntryVisitor, budget: ArchiveBudget): Promise<void> {
  for await (const entry of entries) {
    budget.countEntry();
    const { name: path, type, size = 0 } = entry.header;
    const isFile = type === 'file' || type === 'contiguous-file';
    const read = () => readAll(entry as AsyncIterable<Uint8Array>, size, budget.limits);
    if ((await visit({ path, isFile, size, read })) === 'stop') return;
    entry.resume();
  }
}

/** Errors of the libraries are errors of the archive. */
export function asInvalid(error: unknown): unknown {
  const isOfSystem = error instanceof Error && 'syscall' in error;
  return error instanceof PackageError || isOfSystem ? error : invalid(`the archive cannot be read: ${(error as Error).message}`);
}

/** All bytes of an entry. */
export async function readAll(stream: AsyncIterable<Uint8Array>, size: number, { maxEntryBytes }: ArchiveLimits): Promise<Buffer> {
  if (size > maxEntryBytes) throw invalid(`an entry of the archive has more than ${maxEntryBytes} bytes`);
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of stream) {
    total += chunk.length;
    if (total > maxEntryBytes) throw invalid(`an entry of the archive has more than ${maxEntryBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Detects the compression by the first bytes, which stay in the stream. */
async function sniff(source: Readable): Promise<Compression> {
  const head: Buffer[] = [];
  let size = 0;
  while (size < 6) {
    const chunk = source.read() as Buffer | null;
    if (chunk) {
      head.push(chunk);
      size += chunk.length;
    } else if (source.readableEnded || source.destroyed) break;
    else await readableOrEnd(source);
  }
  const bytes = Buffer.concat(head);
  if (bytes.length === 0) return 'none';
  if (!source.readableEnded) source.unshift(bytes);
  return compressionOf(bytes);
}

async function readableOrEnd(source: Readable): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const settle = () => resolve();
  source.once('readable', settle).once('end', settle).once('error', reject);
  try {
    await promise;
  } finally {
    source.off('readable', settle).off('end', settle).off('error', reject);
  }
}
