import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { CacheBudget } from '../../caches/budget.ts';
import { ownBytes } from '../../text/own-bytes.ts';
import { ProcessPool } from '../processes/process-pool.ts';
import { streamGit } from '../processes/stream.ts';
import { type GitRepository, isObjectId } from '../repository.ts';
import { ByteBudget } from './byte-budget.ts';
import { GitCache } from './cache.ts';
import { type CatFileParser, objectReaders } from './cat-file.ts';
import { readLooseObject } from './loose-object.ts';
import { type GitObject, type ObjectInfo, ObjectTooLargeError, type ObjectType } from './object.ts';

/** Limits of a {@link GitPool}. */
export interface GitPoolOptions {
  /** Maximum number of long-lived git processes, over all repositories. */
  maxProcesses?: number;
  /** A process without output for so many milliseconds is ended, whether idle or stuck. */
  quietMs?: number;
  /** Size limit of the cache of parsed commits, trees, small blobs and computed results, in bytes. */
  cacheBytes?: number;
  /** The budget that it shares with other caches. */
  cacheBudget?: CacheBudget;
}

/** Larger commits and tags count as missing, larger trees are refused: no real one is that large. */
export const MAX_STRUCTURE_SIZE: Readonly<Record<Exclude<ObjectType, 'blob'>, number>> = {
  commit: 1024 * 1024,
  tag: 1024 * 1024,
  tree: 16 * 1024 * 1024,
};

/** Larger objects wait for their part of a budget that all callers share. */
const SMALL_OBJECT = 128 * 1024;

/** Budget of larger objects in memory at the same time, raw and parsed. */
const READING_BYTES = 256 * 1024 * 1024;

/** Memory of a parsed commit, tree or tag at most, per byte of the object. */
const PARSED_FACTOR = 8;

/** Blobs up to this size are cached. */
const SMALL_BLOB = 32 * 1024;

/** Loose objects that are read from a repository before a process is started for it, and the number of repositories with such a count. */
const MAX_LOOSE_READS = 32;
const MAX_REMEMBERED = 1000;

interface Parsed<T> {
  readonly value: T;
  /** Its estimated memory. */
  readonly bytes: number;
}

/**
 * Reads the objects of all repositories, through one long-lived `git cat-file` for each repository in use.
 * A server has one pool, passes it to everything that reads, and closes it when it stops.
 */
export class GitPool {
  /** The cache of parsed objects and computed results. */
  readonly cache: GitCache;
  /** The long-lived git processes. */
  readonly processes: ProcessPool;
  readonly #reading = new ByteBudget(READING_BYTES);
  /** The number of loose objects read without a process, by the path of the repository. */
  readonly #looseReads = new Map<string, number>();

  constructor(options: GitPoolOptions = {}) {
    this.processes = new ProcessPool(options.maxProcesses ?? 16, options.quietMs ?? 30_000);
    this.cache = new GitCache(options.cacheBytes ?? 128 * 1024 * 1024, options.cacheBudget);
  }

  /** The type and size of an object; `undefined` if there is none of this id. */
  async info(repository: GitRepository, oid: string): Promise<ObjectInfo | undefined> {
    if (!isObjectId(oid, repository.objectFormat)) return undefined;
    const cached = this.cache.get<ObjectInfo>(repository, `info ${oid}`);
    if (cached) return cached;
    const info = this.#loose(repository, oid) ?? (await this.#request(repository, (git) => git.info(oid)));
    if (!info) return undefined;
    const { type, size } = info;
    this.cache.set(repository, `info ${oid}`, { oid, type, size }, 60);
    return { oid, type, size };
  }

  /**
   * The one commit whose id begins with `prefix` (4 or more hexadecimal digits), also through a tag's id;
   * `undefined` if there is none or more than one.
   */
  async commitByPrefix(repository: GitRepository, prefix: string): Promise<string | undefined> {
    if (!/^[0-9a-f]{4,64}$/.test(prefix)) return undefined;
    const info = await this.#request(repository, (git) => git.info(`${prefix}^{commit}`));
    // In git's order a branch whose name looks like an id comes first; that is not what was requested.
    return info?.oid.startsWith(prefix) ? info.oid : undefined;
  }

  /** The one object whose id begins with `prefix` (4 or more hexadecimal digits); `undefined` if there is none or more than one. */
  async objectByPrefix(repository: GitRepository, prefix: string): Promise<ObjectInfo | undefined> {
    if (!/^[0-9a-f]{4,64}$/.test(prefix)) return undefined;
    const info = await this.#request(repository, (git) => git.info(prefix));
    return info?.oid.startsWith(prefix) ? info : undefined;
  }

  /**
   * An object with its content, read into memory; `undefined` if there is none of this id.
   * @throws ObjectTooLargeError if it has more than `maxSize` bytes
   */
  async read(repository: GitRepository, oid: string, options: { maxSize: number }): Promise<GitObject | undefined> {
    const { maxSize } = options;
    const cached = this.cache.get<GitObject>(repository, `blob ${oid}`);
    if (cached) return cached;
    const info = await this.info(repository, oid);
    if (!info) return undefined;
    if (info.size > maxSize) throw new ObjectTooLargeError(info, maxSize);
    const object = this.#loose(repository, oid) ?? (await this.#contents(repository, info, maxSize));
    if (object?.type !== 'blob' || object.size > SMALL_BLOB) return object;
    const { type, size } = object;
    const kept: GitObject = { oid, type, size, data: ownBytes(object.data) };
    this.cache.set(repository, `blob ${oid}`, kept, size + 400);
    return kept;
  }

  /**
   * A commit, tree or tag, parsed once and cached; `undefined` if there is no object of this id or it has another type. Concurrent
   * callers share one read.
   * @param parse makes the value and estimates its memory
   * @throws ObjectTooLargeError for trees beyond {@link MAX_STRUCTURE_SIZE}; commits and tags beyond it count as missing
   */
  async parsed<T>(
    repository: GitRepository,
    type: Exclude<ObjectType, 'blob'>,
    oid: string,
    parse: (object: GitObject) => Parsed<T> | Promise<Parsed<T>>,
  ): Promise<T | undefined> {
    const key = `${type} ${oid}`;
    const cached = this.cache.get<T>(repository, key);
    if (cached) return cached;
    if (!isObjectId(oid, repository.objectFormat)) return undefined;
    // An object that is known to have another type is not read at all: it might be a large blob.
    const known = this.cache.get<ObjectInfo>(repository, `info ${oid}`);
    if (known && known.type !== type) return undefined;
    return this.cache.share(repository, key, async () => {
      const max = MAX_STRUCTURE_SIZE[type];
      try {
        // git sends all of an object before its end is known: a very large one is read once only.
        if (known && known.size > SMALL_OBJECT) throw new ObjectTooLargeError(known, SMALL_OBJECT);
        const small = this.#loose(repository, oid) ?? (await this.#request(repository, (git) => git.contents(oid, SMALL_OBJECT)));
        return small && (await this.#keepParsed(repository, type, small, parse));
      } catch (error) {
        if (!(error instanceof ObjectTooLargeError)) throw error;
        this.cache.set(repository, `info ${oid}`, { oid, type: error.type, size: error.size }, 60);
        if (error.type !== type) return undefined;
        if (error.size > max && type !== 'tree') return undefined;
        if (error.size > max) throw new ObjectTooLargeError(error, max);
        return this.#reading.with(PARSED_FACTOR * error.size, async () => {
          const large = await this.#request(repository, (git) => git.contents(oid, max));
          return large && (await this.#keepParsed(repository, type, large, parse));
        });
      }
    });
  }

  async #keepParsed<T>(
    repository: GitRepository,
    type: ObjectType,
    object: GitObject,
    parse: (object: GitObject) => Parsed<T> | Promise<Parsed<T>>,
  ): Promise<T | undefined> {
    const { oid, size } = object;
    if (object.type !== type) {
      this.cache.set(repository, `info ${oid}`, { oid, type: object.type, size }, 60);
      return undefined;
    }
    const { value, bytes } = await parse(object);
    this.cache.set(repository, `${type} ${oid}`, value, bytes);
    return value;
  }

  #contents(repository: GitRepository, { oid, size }: ObjectInfo, maxSize: number): Promise<GitObject | undefined> {
    const read = () => this.#request(repository, (git) => git.contents(oid, maxSize));
    return size <= SMALL_OBJECT ? read() : this.#reading.with(size, read);
  }

  /** The content of a blob as a stream that holds little of it; the stream fails if there is no such blob. */
  createReadStream(repository: GitRepository, oid: string): Readable {
    if (!isObjectId(oid, repository.objectFormat)) throw new TypeError('not an object id');
    return streamGit(repository, ['cat-file', 'blob', oid]);
  }

  /** Ends the repository's processes and drops its cache: before it is deleted or moved, and after packs were deleted. */
  async forget(repository: Pick<GitRepository, 'path'>): Promise<void> {
    this.cache.forget(repository);
    await this.processes.forget(repository);
  }

  /** {@link forget} for every repository. */
  async forgetAll(): Promise<void> {
    this.cache.forgetAll();
    await this.processes.forgetAll();
  }

  /** Ends all processes. Nothing can be read afterwards. */
  close(): Promise<void> {
    return this.processes.close();
  }

  /** Reads an object of a repository without a process: the few that are read from a new one are not worth starting it. */
  #loose(repository: GitRepository, oid: string): GitObject | undefined {
    if (repository.quarantine || this.processes.has(objectReaders, repository)) return undefined;
    const reads = this.#looseReads.get(repository.path) ?? 0;
    if (reads >= MAX_LOOSE_READS) {
      this.#looseReads.delete(repository.path);
      return undefined;
    }
    if (this.#looseReads.size >= MAX_REMEMBERED) this.#looseReads.clear();
    this.#looseReads.set(repository.path, reads + 1);
    return readLooseObject(join(repository.path, 'objects'), oid);
  }

  #request<T>(repository: GitRepository, read: (git: CatFileParser) => Promise<T>): Promise<T> {
    return this.processes.request(objectReaders, repository, read);
  }
}
