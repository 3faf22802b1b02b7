import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '../processes/process.ts';
import { type GitRepository, whileWriting } from '../repository.ts';
import { sweepLeftovers } from './leftovers.ts';
import {
  countLooseObjects,
  countLooseRefs,
  countPacks,
  hasLooseBytes,
  lacksBitmap,
  needsFull,
  noteFull,
  refreshObjects,
} from './maintenance-needs.ts';

/** Thresholds of maintenance. */
export interface MaintenanceOptions {
  /** The (estimated) number of loose objects from which they are packed. */
  looseObjects?: number;
  /** The size of loose objects in bytes from which they are packed. */
  looseBytes?: number;
  /** The number of packs from which the smaller ones are joined. */
  packs?: number;
  /** The number of loose refs from which they are packed. */
  looseRefs?: number;
  /** Joins everything into one pack, unless there is nothing new since the last time. */
  full?: boolean;
  /**
   * With `full`: objects that have been unreachable for longer are deleted; 0 for all unreachable ones. Left out: none are, for example where
   * other repositories borrow objects.
   */
  expireUnreachableMs?: number;
  /** Timeout of each git process. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** The result of maintenance. */
export interface MaintenanceResult {
  /** How many files of killed processes were deleted. */
  swept: number;
  packedRefs: boolean;
  /** Packs were deleted: long-lived readers should reopen the repository. */
  repacked: boolean;
}

/** The problems of a repository; empty for none. */
export interface FsckResult {
  /** git's messages, the first thousand lines. */
  problems: readonly string[];
}

const DEFAULT_TIMEOUT_MS = 30 * 60 * 1000;
const LOOSE_BYTES = 16 * 1024 * 1024;
const MAX_PROBLEMS = 1000;
/** One thread and little memory: maintenance runs beside the requests. */
const MODEST = ['-c', 'pack.threads=1', '-c', 'pack.windowMemory=128m', '-c', 'pack.deltaCacheSize=64m'];

/**
 * Maintains the speed of a repository: packs refs, joins packs so that their number stays small however often it is pushed to,
 * and writes the commit graph with Bloom filters for paths. Safe beside readers and writers; small numbers of files are left for later.
 */
export async function maintain(repository: GitRepository, options: MaintenanceOptions = {}): Promise<MaintenanceResult> {
  return await whileWriting(repository, () => maintainNow(repository, options));
}

async function maintainNow(repository: GitRepository, options: MaintenanceOptions): Promise<MaintenanceResult> {
  const { looseObjects = 500, looseBytes = LOOSE_BYTES, packs = 15, looseRefs = 100 } = options;
  const full = options.full === true && (options.expireUnreachableMs === 0 || (await needsFull(repository)));
  const git = (args: readonly string[]) => run(repository, args, options);
  const swept = await sweepLeftovers(repository);
  const packedRefs = full || (await countLooseRefs(repository)) >= looseRefs;
  if (packedRefs) await git(['pack-refs', '--all', '--prune']);
  const repacked =
    full ||
    (await countLooseObjects(repository)) >= looseObjects ||
    (await hasLooseBytes(repository, looseBytes)) ||
    (await countPacks(repository)) >= packs ||
    (!borrows(repository) && (await lacksBitmap(repository)));
  if (full && options.expireUnreachableMs !== 0) await refreshObjects(repository);
  if (repacked) {
    await git([...MODEST, 'repack', ...(full ? fullRepack(repository, options) : incrementalRepack(repository))]);
    await git(['commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress', ...(full ? [] : ['--split'])]);
  }
  // Objects that expire at once may never have been in a pack.
  if (full && options.expireUnreachableMs === 0) await git(['prune', '--expire=now']);
  if (full) await noteFull(repository);
  return { swept, packedRefs, repacked };
}

/** Checks every object and ref. */
export async function fsck(
  repository: Pick<GitRepository, 'path'>,
  options: Pick<MaintenanceOptions, 'timeoutMs' | 'signal'> = {},
): Promise<FsckResult> {
  // The exit code is a bit set with one bit for each kind of problem; other bits mean that git failed.
  const { timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
  const okCodes = Array.from({ length: 127 }, (_, index) => index + 1);
  const { code, stdout, stderr } = await runGit(['fsck', '--full', '--no-dangling', '--no-progress'], {
    memory: 'unbounded',
    cwd: repository.path,
    timeoutMs,
    okCodes,
    ...(signal ? { signal } : {}),
  });
  if (code === 0) return { problems: [] };
  const problems = `${stdout.toString()}\n${stderr}`.split('\n').filter(Boolean).slice(0, MAX_PROBLEMS);
  return { problems: problems.length > 0 ? problems : [`git fsck ended with ${code}`] };
}

/** Packs whose sizes double from one to the next stay as they are; the others and loose objects become one. */
function incrementalRepack(repository: GitRepository): string[] {
  return ['-d', '-l', '-q', '--geometric=2', '--write-midx', ...(borrows(repository) ? [] : ['--write-bitmap-index'])];
}

function fullRepack(repository: GitRepository, { expireUnreachableMs }: MaintenanceOptions): string[] {
  const expiry = expireUnreachableMs === undefined ? [] : [`--cruft-expiration=${expiryTime(expireUnreachableMs)}`];
  return ['-a', '-d', '-l', '-q', '--cruft', ...expiry, ...(borrows(repository) ? [] : ['--write-bitmap-index'])];
}

function expiryTime(ageMs: number): string {
  return ageMs === 0 ? 'now' : `@${Math.floor((Date.now() - ageMs) / 1000)} +0000`;
}

/** Whether objects are borrowed from another repository: then a bitmap, which needs all objects that a commit reaches, cannot be written. */
function borrows(repository: GitRepository): boolean {
  return existsSync(join(repository.path, 'objects/info/alternates'));
}

async function run(repository: GitRepository, args: readonly string[], options: Pick<MaintenanceOptions, 'timeoutMs' | 'signal'>) {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
  return await runGit(args, { cwd: repository.path, timeoutMs, memory: 'unbounded', ...(signal ? { signal } : {}) });
}
