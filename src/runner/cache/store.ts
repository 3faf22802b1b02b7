import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, type ReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isPlain, textAt } from '../plain.ts';

/** The key of a cache. */
export interface CacheKey {
  readonly key: string;
  /** A digest of the paths and the compression, which its client makes. */
  readonly version: string;
}

/** A cache that is complete. */
export interface CacheEntry extends CacheKey {
  /** Its folder, relative to that of all caches. */
  readonly path: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** A request is refused; the message is for its client. */
export class CacheError extends Error {
  override readonly name = 'CacheError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Size limit of one cache, and of all caches of a runner together, in bytes. */
const MAX_ENTRY = 10 * 2 ** 30;
const MAX_TOTAL = 20 * 2 ** 30;
/** Caches of one branch that are looked through. */
const MAX_ENTRIES = 1000;
const CONTENT = 'content';
const META = 'meta.json';

/** The caches of a runner, in folders: one for each scope, which is a branch of a repository, and one in it for each cache. */
export class CacheStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The newest cache of the first scope that has one: with the first key itself, or with a key that begins like one of them. */
  async find(scopes: readonly string[], keys: readonly string[], version: string): Promise<CacheEntry | undefined> {
    for (const scope of scopes) {
      const entries = (await this.#entries(scope)).filter((entry) => entry.version === version).sort((a, b) => b.createdAt - a.createdAt);
      const [first] = keys;
      const found =
        entries.find(({ key }) => key === first) ??
        keys.map((start) => entries.find(({ key }) => key.startsWith(start))).find((entry) => entry);
      if (!found) continue;
      // The least recently used caches are deleted first.
      const now = new Date();
      await utimes(join(this.#folder, found.path, META), now, now);
      return found;
    }
    return undefined;
  }

  /** Whether a scope has this cache already: caches do not change. */
  async has(scope: string, { key, version }: CacheKey): Promise<boolean> {
    return (await this.#entries(scope)).some((entry) => entry.key === key && entry.version === version);
  }

  /** Begins a cache; returns its folder, relative to that of all caches. */
  async begin(): Promise<string> {
    const path = join('incoming', randomUUID());
    await mkdir(join(this.#folder, path), { recursive: true, mode: 0o700 });
    await writeFile(join(this.#folder, path, CONTENT), '', { mode: 0o600 });
    return path;
  }

  /**
   * Writes bytes of a cache that was begun.
   * @throws CacheError
   */
  async write(path: string, start: number, content: Readable): Promise<void> {
    let end = start;
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        end += chunk.length;
        if (end > MAX_ENTRY) done(new CacheError(413, `a cache has at most ${MAX_ENTRY} bytes`));
        else done(null, chunk);
      },
    });
    await pipeline(content, counted, createWriteStream(join(this.#folder, path, CONTENT), { flags: 'r+', start }));
  }

  /**
   * Makes a cache that was begun one that is found.
   * @throws CacheError when it is not as large as its client says
   */
  async commit(path: string, scope: string, { key, version }: CacheKey, size: number): Promise<void> {
    const folder = join(this.#folder, path);
    const written = (await stat(join(folder, CONTENT))).size;
    if (written !== size) throw new CacheError(400, `the cache has ${written} bytes, and not ${size}`);
    await writeFile(join(folder, META), JSON.stringify({ key, version, size, createdAt: Date.now() }), { mode: 0o600 });
    const home = join(this.#folder, digest(scope));
    await mkdir(home, { recursive: true, mode: 0o700 });
    const target = join(home, digest(`${key}\n${version}`));
    await rm(target, { recursive: true, force: true });
    await rename(folder, target);
    await this.#removeOldest();
  }

  /** Forgets a cache that was begun. */
  async discard(path: string): Promise<void> {
    await rm(join(this.#folder, path), { recursive: true, force: true });
  }

  /** The bytes of a cache. */
  read({ path }: CacheEntry): ReadStream {
    return createReadStream(join(this.#folder, path, CONTENT));
  }

  /** Deletes the unfinished uploads of an earlier process. */
  async clean(): Promise<void> {
    await rm(join(this.#folder, 'incoming'), { recursive: true, force: true });
  }

  async #entries(scope: string): Promise<CacheEntry[]> {
    const home = digest(scope);
    const names = await readdir(join(this.#folder, home)).catch(() => []);
    const found = await Promise.all(names.slice(0, MAX_ENTRIES).map((name) => this.#entry(join(home, name))));
    return found.filter((entry) => entry !== undefined);
  }

  async #entry(path: string): Promise<CacheEntry | undefined> {
    try {
      const meta: unknown = JSON.parse(await readFile(join(this.#folder, path, META), 'utf8'));
      if (!isPlain(meta)) return undefined;
      const { size, createdAt } = meta;
      return { path, key: textAt(meta, 'key'), version: textAt(meta, 'version'), size: Number(size), createdAt: Number(createdAt) };
    } catch {
      return undefined;
    }
  }

  async #removeOldest(): Promise<void> {
    const scopes = (await readdir(this.#folder)).filter((name) => name !== 'incoming');
    const all: { path: string; size: number; usedAt: number }[] = [];
    for (const scope of scopes) {
      for (const name of await readdir(join(this.#folder, scope))) {
        const path = join(this.#folder, scope, name);
        const [content, meta] = await Promise.all([CONTENT, META].map((file) => stat(join(path, file)).catch(() => undefined)));
        all.push({ path, size: content?.size ?? 0, usedAt: meta?.mtimeMs ?? 0 });
      }
    }
    let total = all.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of all.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= MAX_TOTAL) return;
      await rm(path, { recursive: true, force: true });
      total -= size;
    }
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
