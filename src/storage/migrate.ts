import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { BLOB_KINDS, type BlobKind, KIND_PREFIXES } from './by-kind.ts';
import type { ListedBlob, Storage } from './storage.ts';

/** Blobs that are copied at a time. */
const PARALLEL = 4;

/** How far a migration is. */
export interface MigrationProgress {
  /** Blobs looked at, of all that were there when it began. */
  done: number;
  readonly total: number;
  copied: number;
  bytes: number;
}

export interface MigrationOptions {
  readonly kinds?: readonly BlobKind[];
  /** Whether a blob is removed from the source when it is safe in the target. */
  readonly remove?: boolean;
  readonly onProgress?: (progress: MigrationProgress) => void;
}

/**
 * Copies all blobs to another storage, and reads each again there to compare its digest. What is there already is not copied again, so it
 * can be repeated after an interruption, and while a server uses both.
 * @throws Error for a blob that is not the same in the target, and StorageUnavailableError
 */
export async function migrateStorage(from: Storage, to: Storage, options: MigrationOptions = {}): Promise<MigrationProgress> {
  const prefixes = (options.kinds ?? BLOB_KINDS).flatMap((kind) => KIND_PREFIXES[kind]);
  const progress: MigrationProgress = { done: 0, total: await countBlobs(from, prefixes), copied: 0, bytes: 0 };
  for (const prefix of prefixes) {
    const blobs = from.list(prefix)[Symbol.asyncIterator]();
    const worker = async () => {
      for (let next = await blobs.next(); !next.done; next = await blobs.next()) {
        const isCopied = await migrateBlob(from, to, next.value);
        if (options.remove) await from.delete(next.value.key);
        progress.done++;
        if (isCopied) progress.copied++;
        if (isCopied) progress.bytes += next.value.size;
        options.onProgress?.(progress);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
  }
  return progress;
}

async function countBlobs(storage: Storage, prefixes: readonly string[]): Promise<number> {
  let count = 0;
  for (const prefix of prefixes) for await (const _blob of storage.list(prefix)) count++;
  return count;
}

/** Returns whether the blob had to be copied. */
async function migrateBlob(from: Storage, to: Storage, { key, size }: ListedBlob): Promise<boolean> {
  if ((await to.info(key))?.size === size) return false;
  const source = await from.get(key);
  if (!source) return false;
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  source.stream.on('error', (error) => hashing.destroy(error));
  try {
    await to.put(key, source.stream.pipe(hashing), { size: source.size });
  } catch (error) {
    source.stream.destroy();
    throw error;
  }
  if ((await digestOf(to, key)) !== hash.digest('hex')) {
    await to.delete(key);
    throw new Error(`${key} was not stored as it was sent`);
  }
  // A server that deletes it deletes it in the source first.
  if (!(await from.info(key))) await to.delete(key);
  return true;
}

async function digestOf(storage: Storage, key: string): Promise<string | undefined> {
  const stored = await storage.get(key);
  if (!stored) return undefined;
  const hash = createHash('sha256');
  for await (const chunk of stored.stream) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
