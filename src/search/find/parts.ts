import type { CacheBudget } from '../../caches/budget.ts';
import type { Context } from '../../context.ts';
import type { Storage } from '../../storage/storage.ts';
import type { CodeIndex } from '../index/rows.ts';

/** Where an index is, and its parts. */
export type IndexPlace = Pick<CodeIndex, 'key' | 'texts_bytes' | 'table_bytes'>;

interface Part {
  readonly bytes: number;
  readonly memory: Promise<SharedArrayBuffer | undefined>;
}

/** The parts that a process keeps in memory, the one that was used longest ago first. */
class PartCache {
  readonly #budget: CacheBudget;
  readonly #parts = new Map<string, Part>();
  #bytes = 0;

  constructor(budget: CacheBudget) {
    this.#budget = budget;
    budget.add(this);
  }

  get bytes(): number {
    return this.#bytes;
  }

  read(key: string, bytes: number, maxBytes: number, load: () => Promise<SharedArrayBuffer | undefined>) {
    const known = this.#parts.get(key);
    if (known) this.#parts.delete(key);
    else this.#bytes += bytes;
    const part = known ?? { bytes, memory: load() };
    this.#parts.set(key, part);
    // Failed and missing reads are not cached.
    if (!known) part.memory.then((memory) => memory ?? this.forget(key)).catch(() => this.forget(key));
    for (const oldest of this.#parts.keys()) {
      if (this.#bytes <= maxBytes) break;
      this.forget(oldest);
    }
    if (!known) this.#budget.settle();
    return part.memory;
  }

  evict(): void {
    for (const oldest of this.#parts.keys()) {
      this.forget(oldest);
      break;
    }
  }

  forget(key: string): void {
    this.#bytes -= this.#parts.get(key)?.bytes ?? 0;
    this.#parts.delete(key);
  }
}

const partsOf = new WeakMap<Storage, PartCache>();

function cacheOf({ storage, caches }: Pick<Context, 'storage' | 'caches'>): PartCache {
  const cache = partsOf.get(storage) ?? new PartCache(caches);
  partsOf.set(storage, cache);
  return cache;
}

/** The table of an index; undefined if its bytes are missing. */
export function readTable(context: Pick<Context, 'storage' | 'settings' | 'caches'>, place: IndexPlace) {
  return readPart(context, place, { name: 'table', start: place.texts_bytes, length: place.table_bytes });
}

/** The compressed texts of an index; undefined if its bytes are missing. */
export function readTexts(context: Pick<Context, 'storage' | 'settings' | 'caches'>, place: IndexPlace) {
  return readPart(context, place, { name: 'texts', start: 0, length: place.texts_bytes });
}

/** Takes an index out of memory. */
export function forgetParts(context: Pick<Context, 'storage' | 'caches'>, { key }: Pick<CodeIndex, 'key'>): void {
  for (const name of ['table', 'texts']) cacheOf(context).forget(`${key} ${name}`);
}

async function readPart(
  context: Pick<Context, 'storage' | 'settings' | 'caches'>,
  { key }: IndexPlace,
  { name, start, length }: { name: string; start: number; length: number },
): Promise<SharedArrayBuffer | undefined> {
  if (length === 0) return new SharedArrayBuffer(0);
  const { storage, settings } = context;
  return await cacheOf(context).read(`${key} ${name}`, length, settings.codeSearch.memory, async () => {
    const blob = await storage.get(key, { start, end: start + length - 1 });
    if (!blob) return undefined;
    const memory = new SharedArrayBuffer(length);
    const bytes = new Uint8Array(memory);
    let at = 0;
    for await (const chunk of blob.stream as AsyncIterable<Buffer>) {
      if (at + chunk.length > length) break;
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return at === length ? memory : undefined;
  });
}
