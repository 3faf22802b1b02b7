import { createInterface } from 'node:readline';
import type { GitPool } from '../objects/objects.ts';
import { streamGit } from '../processes/stream.ts';
import type { GitRepository } from '../repository.ts';
import { type LfsPointer, MAX_LFS_POINTER_SIZE, parseLfsPointer } from './lfs-pointer.ts';

/** Which pointers to find: those that one commit reaches and others do not. */
export interface PointerRange {
  readonly from: string;
  /** Ids of commits. */
  readonly without: readonly string[];
}

interface Bounds {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Every pointer of Git LFS among the blobs of a repository, or of a range of commits; duplicates are possible. All small blobs are read, so
 * it is too slow for a request.
 * @throws GitError; GitLimitError when it takes longer than `timeoutMs`; the reason of `signal`
 */
export async function* lfsPointers(
  repository: GitRepository,
  pool: GitPool,
  range: PointerRange | undefined,
  { timeoutMs, signal }: Bounds,
): AsyncGenerator<LfsPointer> {
  const output = range ? rangeBlobs(repository, range, timeoutMs) : streamGit(repository, ALL_OBJECTS, { timeoutMs });
  const lines = createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY });
  // The line reader hides errors of its input.
  let failure: unknown;
  output.on('error', (error) => {
    failure = error;
    lines.close();
  });
  try {
    for await (const line of lines) {
      signal?.throwIfAborted();
      const oid = range ? line : smallBlob(line);
      const blob = oid === undefined ? undefined : await pool.read(repository, oid, { maxSize: MAX_LFS_POINTER_SIZE });
      const pointer = blob && parseLfsPointer(blob.data);
      if (pointer) yield pointer;
    }
  } finally {
    output.destroy();
  }
  if (failure !== undefined) throw failure;
}

const ALL_OBJECTS = ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objecttype) %(objectsize) %(objectname)'];
const SMALL_BLOBS = `--filter=combine:object:type=blob+blob:limit=${MAX_LFS_POINTER_SIZE}`;

function rangeBlobs(repository: GitRepository, { from, without }: PointerRange, timeoutMs: number) {
  const input = [from, ...without.map((oid) => `^${oid}`)].map((line) => `${line}\n`).join('');
  return streamGit(repository, ['rev-list', '--objects', '--no-object-names', SMALL_BLOBS, '--filter-provided-objects', '--stdin'], {
    timeoutMs,
    input,
  });
}

function smallBlob(line: string): string | undefined {
  const [type, size, oid] = line.split(' ');
  return type === 'blob' && Number(size) < MAX_LFS_POINTER_SIZE ? oid : undefined;
}
