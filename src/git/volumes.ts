import { randomFill, randomUUID } from 'node:crypto';
import { readFile, rename, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RepositoryWriters } from './writers.ts';

/** The volume of `repository.path`, which every instance has. */
export const DEFAULT_VOLUME = 'default';

/** A folder of repositories, as in the settings. */
export interface VolumePlace {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** It gets no new repositories. */
  readonly isClosed?: boolean;
}

/** The volume is unavailable at the moment, or no setting names it any more. Nothing is known about its repositories. */
export class VolumeUnavailableError extends Error {
  override readonly name = 'VolumeUnavailableError';
  readonly volume: string;
  constructor(volume: string) {
    super(`the volume ${volume} of repositories is not available`);
    this.volume = volume;
  }
}

/** A file that shows that the volume is mounted: the folder of the mount point exists without it, too. */
export const VOLUME_MARKER = '.copse-volume';

/** How long the file system may take to read the marker, in milliseconds; a network mount without its server never returns. */
const CHECK_TIMEOUT_MS = 5000;
/** How long it may take while work that needs no file system is as slow, because the processors are busy. */
const BUSY_TIMEOUT_MS = 30_000;
/** More often than reading a small file passes through libuv's threads. */
const PASSES = 10;
/** How often availability is checked, in milliseconds. */
const CHECK_EVERY_MS = 1000;
/** How long the free space is cached, in milliseconds. */
const SPACE_MS = 10_000;

/** Maximum lag of the clock of file times. */
const CLOCK_GRAIN_MS = 10;

/** A folder of repositories; each is in a folder named by its id. */
export class Volume {
  readonly name: string;
  readonly path: string;
  readonly isClosed: boolean;
  /** Records which of its repositories are written to, by which process. */
  readonly writers: RepositoryWriters;
  #isAvailable = true;
  #checking: Promise<string | undefined> | undefined;
  #space: { at: number; bytes: Promise<number> } | undefined;

  /** @param process the id of this process */
  constructor({ name, path, isClosed = false }: VolumePlace, process: number) {
    this.name = name;
    this.path = path;
    this.isClosed = isClosed;
    this.writers = new RepositoryWriters(path, process);
  }

  /** Whether it was available at the last check. */
  get isAvailable(): boolean {
    return this.#isAvailable;
  }

  /** The path of the repository whose folder has this name, such as `5.wiki.git`. */
  folderOf(name: string): string {
    return join(this.path, (Number.parseInt(name, 10) % 256).toString(16).padStart(2, '0'), name);
  }

  /** Checks whether it is available. */
  check(): Promise<boolean> {
    // If the file system hangs, only one thread waits for it.
    this.#checking ??= readMarker(this.path).finally(() => {
      this.#checking = undefined;
    });
    const done = new AbortController();
    return Promise.race([this.#checking.then((name) => name === this.name), isLate(done.signal)]).then((is) => {
      done.abort();
      this.#isAvailable = is;
      return is;
    });
  }

  /** The free space in bytes, at most some seconds old. */
  freeSpace(): Promise<number> {
    if (!this.#space || performance.now() - this.#space.at > SPACE_MS)
      this.#space = { at: performance.now(), bytes: statfs(this.path).then(({ bavail, bsize }) => bavail * bsize) };
    return this.#space.bytes;
  }

  /** Writes the marker file atomically: another process may start and read it now. */
  async mark(): Promise<void> {
    const temporary = join(this.path, `${VOLUME_MARKER}.${randomUUID()}`);
    await writeFile(temporary, `${this.name}\n`, { flush: true });
    await rename(temporary, join(this.path, VOLUME_MARKER));
  }

  /** Whether it has a folder for repositories. */
  async isUsed(): Promise<boolean> {
    const folders = Array.from({ length: 256 }, (_, part) => join(this.path, part.toString(16).padStart(2, '0')));
    const found = await Promise.all(folders.map((folder) => stat(folder).then(Boolean, () => false)));
    return found.includes(true);
  }

  /** The name in its marker; undefined if there is none. */
  markedName(): Promise<string | undefined> {
    return readMarker(this.path);
  }
}

/** All volumes of repositories. */
export class Volumes {
  readonly all: readonly Volume[];
  /** Files that were last changed before this, in milliseconds since 1970, were not written by this process. */
  readonly startedAt = Date.now() - CLOCK_GRAIN_MS;
  readonly #byName: ReadonlyMap<string, Volume>;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param places the volumes, including the default one
   * @param process the id of this process
   */
  constructor(places: readonly VolumePlace[], process: number) {
    this.all = places.map((place) => new Volume(place, process));
    this.#byName = new Map(this.all.map((volume) => [volume.name, volume]));
  }

  /** @throws VolumeUnavailableError when no setting names it */
  get(name: string): Volume {
    const volume = this.#byName.get(name);
    if (!volume) throw new VolumeUnavailableError(name);
    return volume;
  }

  /** Whether a setting names it. */
  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** The volume of `repository.path`. */
  get default(): Volume {
    return this.get(DEFAULT_VOLUME);
  }

  /**
   * @returns the volume
   * @throws VolumeUnavailableError when it is unavailable right now
   */
  async requireAvailable(name: string): Promise<Volume> {
    const volume = this.get(name);
    if (!(await volume.check())) throw new VolumeUnavailableError(name);
    return volume;
  }

  /** Checks all of them from now on, and calls `onChange` when one becomes available or unavailable. */
  watch(onChange: (volume: Volume) => void): void {
    this.#timer = setInterval(() => {
      for (const volume of this.all) {
        const before = volume.isAvailable;
        void volume.check().then((is) => {
          if (is !== before && volume.isAvailable === is) onChange(volume);
        });
      }
    }, CHECK_EVERY_MS).unref();
  }

  /** Deletes the notes of this process, which writes no more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const volume of this.all) if (volume.isAvailable) await volume.writers.close();
  }
}

/** Returns false once a volume should have been read. */
async function isLate(signal: AbortSignal): Promise<false> {
  await elapsed(CHECK_TIMEOUT_MS, signal);
  if (!signal.aborted) await Promise.race([passThroughThreads(), elapsed(BUSY_TIMEOUT_MS - CHECK_TIMEOUT_MS, signal)]);
  return false;
}

function elapsed(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms).unref();
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}

/** Takes as long as what waits for libuv's threads already, and for the event loop. */
async function passThroughThreads(): Promise<void> {
  for (let pass = 0; pass < PASSES; pass++) await promisify(randomFill)(new Uint8Array(1));
}

async function readMarker(path: string): Promise<string | undefined> {
  return await readFile(join(path, VOLUME_MARKER), 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
}
