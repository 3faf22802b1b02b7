import type { CacheBudget } from '../../caches/budget.ts';
import type { Context } from '../../context.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import type { Storage } from '../../storage/storage.ts';
import { ownBytes } from '../../text/own-bytes.ts';
import { PackageError } from '../errors.ts';
import { openBlob, readStream } from './content.ts';

/** Size limit of a cached content, in bytes. */
const MAX_CONTENT = 256 * 1024;
/** Size limit of one of the two generations, in bytes. */
const MAX_GENERATION = 4 * 1024 * 1024;

/** Recently read contents: a hit moves a content to the young generation; when it is full, the old one is dropped. */
class ContentCache {
  readonly #budget: CacheBudget;
  #young = new Map<string, Buffer>();
  #old = new Map<string, Buffer>();
  #youngBytes = 0;
  #oldBytes = 0;

  constructor(budget: CacheBudget) {
    this.#budget = budget;
    budget.add(this);
  }

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes;
  }

  get(key: string): Buffer | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  add(key: string, bytes: Buffer): void {
    if (this.#young.has(key)) return;
    if (this.#youngBytes + bytes.length > MAX_GENERATION) this.evict();
    this.#young.set(key, bytes);
    this.#youngBytes += bytes.length;
    this.#budget.settle();
  }

  evict(): void {
    this.#old = this.#young;
    this.#oldBytes = this.#youngBytes;
    this.#young = new Map();
    this.#youngBytes = 0;
  }
}

const cacheOf = new WeakMap<Storage, ContentCache>();

/**
 * All bytes of a content, from the cache; undefined for one that is too large for it. Opening its file takes longer than everything else.
 * Bytes are stored under a random key and never change there; access has been checked before.
 * @throws PackageError 404 if they are missing
 */
export async function readCached(
  { storage, caches }: Pick<Context, 'storage' | 'caches'>,
  content: Pick<PackageBlobRow, 'blob' | 'size'>,
): Promise<Buffer | undefined> {
  if (content.size > MAX_CONTENT) return undefined;
  const cache = cacheOf.get(storage) ?? new ContentCache(caches);
  cacheOf.set(storage, cache);
  const bytes = cache.get(content.blob) ?? ownBytes(await readStream(await openBlob({ storage }, content)));
  if (bytes.length !== content.size) throw new PackageError('no-file');
  cache.add(content.blob, bytes);
  return bytes;
}
