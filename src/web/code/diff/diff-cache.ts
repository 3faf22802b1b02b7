import { createHash } from 'node:crypto';
import type { GitCache } from '../../../git/objects/cache.ts';
import type { GitRepository } from '../../../git/repository.ts';
import type { ShownFile } from './diff-task.ts';

/** Size limit of a cached diff, in bytes. Larger ones are rarely read, and would evict many others. */
const MAX_KEPT = 512 * 1024;
/** Bytes of a line besides its code. */
const LINE = 120;

/** The key of a diff's lines. */
interface Asked {
  readonly ids: readonly [base: string, head: string];
  readonly whitespace: string | undefined;
  readonly context: number;
  readonly file: string | undefined;
  readonly folded: ReadonlySet<string>;
}

/** Cache of the lines of diffs between two commits, which never change. A diff is cached once all of its pieces are complete. */
export class DiffCache {
  readonly #cache: GitCache;
  readonly #repository: GitRepository;
  readonly #key: string;
  #files: ShownFile[] | undefined = [];
  #bytes = 0;

  constructor(cache: GitCache, repository: GitRepository, { ids, whitespace, context, file, folded }: Asked) {
    this.#cache = cache;
    this.#repository = repository;
    const paths = createHash('sha1')
      .update(JSON.stringify([file, ...folded]))
      .digest('base64url');
    this.#key = `shown-diff ${ids.join(' ')} ${whitespace ?? ''} ${context} ${paths}`;
  }

  read(): readonly ShownFile[] | undefined {
    return this.#cache.get<readonly ShownFile[]>(this.#repository, this.#key);
  }

  /** Adds a piece, and returns it. */
  add(piece: readonly ShownFile[]): readonly ShownFile[] {
    this.#bytes += bytesOf(piece);
    if (this.#bytes > MAX_KEPT || piece.some(({ isHurried }) => isHurried)) this.#files = undefined;
    this.#files?.push(...piece);
    return piece;
  }

  /** Stores all pieces in the cache. */
  write(): void {
    if (this.#files) this.#cache.set(this.#repository, this.#key, this.#files, this.#bytes);
  }
}

function bytesOf(piece: readonly ShownFile[]): number {
  const lines = piece.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines));
  return lines.reduce((sum, { html }) => sum + 2 * html.length + LINE, 500);
}
