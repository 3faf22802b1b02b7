import type { Context } from '../../context.ts';
import type { Storage } from '../../storage/storage.ts';
import type { CodeIndex } from '../index/rows.ts';

/** Where an index is, and how it is parted. */
export type IndexPlace = Pick<CodeIndex, 'key' | 'texts_bytes' | 'table_bytes'>;

interface Part {
  readonly bytes: number;
  readonly memory: Promise<SharedArrayBuffer | undefined>;
}

/** The parts that a process keeps in memory, the one that was used longest ago first. */
class PartCache {
  readonly #parts = new Map<string, Part>();
  #bytes = 0;

  read(key: string, bytes: number, maxBytes: number, load: () => Promise<SharedArrayBuffer | undefined>) {
    const known = this.#parts.get(key);
    if (known) this.#parts.delete(key);
    else this.#bytes += bytes;
    const part = known ?? { bytes, memory: load() };
    this.#parts.set(key, part);
    // What fails, or is not there, is looked for again.
    if (!known) part.memory.then((memory) => memory ?? this.forget(key)).catch(() => this.forget(key));
    for (const oldest of this.#parts.keys()) {
      if (this.#bytes <= maxBytes) break;
      this.forget(oldest);
    }
    return part.memory;
  }

  forget(key: string): void {
    this.#bytes -= this.#parts.get(key)?.bytes ?? 0;
    this.#parts.delete(key);
  }
}

const caches = new WeakMap<Storage, PartCache>();

function cacheOf(storage: Storage): PartCache {
  const cache = caches.get(storage) ?? new PartCache();
  caches.set(storage, cache);
  return cache;
}

/** The table of an index; undefined where its bytes are gone. */
export function readTable(context: Pick<Context, 'storage' | 'settings'>, place: IndexPlace) {
  return readPart(context, place, { name: 'table', start: place.texts_bytes, length: place.table_bytes });
}

/** The texts of an index, compressed; undefined where its bytes are gone. */
export function readTexts(context: Pick<Context, 'storage' | 'settings'>, place: IndexPlace) {
  return readPart(context, place, { name: 'texts', start: 0, length: place.texts_bytes });
}

/** Takes an index out of memory. */
export function forgetParts({ storage }: Pick<Context, 'storage'>, { key }: Pick<CodeIndex, 'key'>): void {
  for (const name of ['table', 'texts']) cacheOf(storage).forget(`${key} ${name}`);
}

async function readPart(
  { storage, settings }: Pick<Context, 'storage' | 'settings'>,
  { key }: IndexPlace,
  { name, start, length }: { name: string; start: number; length: number },
): Promise<SharedArrayBuffer | undefined> {
  if (length === 0) return new SharedArrayBuffer(0);
  return await cacheOf(storage).read(`${key} ${name}`, length, settings.codeSearch.memory, async () => {
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
