import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sweepLeftovers } from './leftovers.ts';
import { runGit } from './process.ts';
import type { GitRepository } from './repository.ts';

/** When upkeep does what. */
export interface MaintenanceOptions {
  /** Loose objects, estimated, from which on they are packed. */
  looseObjects?: number;
  /** Packs from which on the smaller ones are joined. */
  packs?: number;
  /** Loose refs from which on they are packed. */
  looseRefs?: number;
  /** Joins everything into one pack; for the night. */
  full?: boolean;
  /** With `full`: what has been out of reach for longer is removed. Left out: nothing is, as where other repositories borrow objects. */
  expireUnreachableMs?: number;
  /** For each git process. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** What upkeep has done. */
export interface MaintenanceResult {
  /** Left by killed processes, removed now. */
  swept: number;
  packedRefs: boolean;
  /** Packs have gone: long-lived readers should open the repository anew. */
  repacked: boolean;
}

/** What is wrong with a repository; nothing, if empty. */
export interface FsckResult {
  /** As git says it, the first thousand lines. */
  problems: readonly string[];
}

const DEFAULT_TIMEOUT_MS = 30 * 60 * 1000;
const MAX_PROBLEMS = 1000;
/** Bytes of packs from which on a bitmap pays. */
const BITMAP_FROM_BYTES = 1024 * 1024;
/** One thread and little memory: upkeep runs beside the requests. */
const MODEST = ['-c', 'pack.threads=1', '-c', 'pack.windowMemory=128m', '-c', 'pack.deltaCacheSize=64m'];

/**
 * Keeps a repository fast: packs refs, joins packs so that their number stays small however often it is pushed to,
 * and writes the commit graph with Bloom filters for paths. Safe beside readers and writers; what there is little of is left for later.
 */
export async function maintain(repository: GitRepository, options: MaintenanceOptions = {}): Promise<MaintenanceResult> {
  const { looseObjects = 500, packs = 15, looseRefs = 100, full = false } = options;
  const git = (args: readonly string[]) => run(repository, args, options);
  await repository.beforeWrite?.();
  const swept = await sweepLeftovers(repository);
  const packedRefs = full || (await countLooseRefs(repository)) >= looseRefs;
  if (packedRefs) await git(['pack-refs', '--all', '--prune']);
  const repacked =
    full ||
    (await countLooseObjects(repository)) >= looseObjects ||
    (await countPacks(repository)) >= packs ||
    (await lacksBitmap(repository));
  if (repacked) {
    await git([...MODEST, 'repack', ...(full ? fullRepack(repository, options) : incrementalRepack(repository))]);
    await git(['commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress', ...(full ? [] : ['--split'])]);
  }
  return { swept, packedRefs, repacked };
}

/** Checks every object and ref. */
export async function fsck(repository: GitRepository, options: Pick<MaintenanceOptions, 'timeoutMs' | 'signal'> = {}): Promise<FsckResult> {
  // The exit code is a set of bits, one for each kind of problem; beyond them git could not do its work.
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

/** Packs whose sizes grow twofold from one to the next stay as they are; the others and what is loose become one. */
function incrementalRepack(repository: GitRepository): string[] {
  return ['-d', '-l', '-q', '--geometric=2', '--write-midx', ...(borrows(repository) ? [] : ['--write-bitmap-index'])];
}

function fullRepack(repository: GitRepository, { expireUnreachableMs }: MaintenanceOptions): string[] {
  const expiry =
    expireUnreachableMs === undefined ? [] : [`--cruft-expiration=@${Math.floor((Date.now() - expireUnreachableMs) / 1000)} +0000`];
  return ['-a', '-d', '-l', '-q', '--cruft', ...expiry, ...(borrows(repository) ? [] : ['--write-bitmap-index'])];
}

/** Whether objects are borrowed from another repository: then a bitmap, which must know all that a commit reaches, cannot be written. */
function borrows(repository: GitRepository): boolean {
  return existsSync(join(repository.path, 'objects/info/alternates'));
}

/** Objects are spread evenly over 256 folders, so one of them tells, as for `git gc --auto`. */
async function countLooseObjects(repository: GitRepository): Promise<number> {
  return 256 * (await readdir(join(repository.path, 'objects/17')).catch(() => [])).length;
}

async function countPacks(repository: GitRepository): Promise<number> {
  const names = await readdir(join(repository.path, 'objects/pack')).catch(() => []);
  return names.filter((name) => name.endsWith('.pack')).length;
}

/** Whether a clone has to count a lot of objects for want of a bitmap, as after a large first push. */
async function lacksBitmap(repository: GitRepository): Promise<boolean> {
  const folder = join(repository.path, 'objects/pack');
  const names = await readdir(folder).catch(() => []);
  if (names.some((name) => name.endsWith('.bitmap')) || borrows(repository)) return false;
  let size = 0;
  for (const name of names) if (name.endsWith('.pack')) size += (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0;
  return size >= BITMAP_FROM_BYTES;
}

async function countLooseRefs(repository: GitRepository): Promise<number> {
  const entries = await readdir(join(repository.path, 'refs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

async function run(repository: GitRepository, args: readonly string[], options: Pick<MaintenanceOptions, 'timeoutMs' | 'signal'>) {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
  return await runGit(args, { cwd: repository.path, timeoutMs, memory: 'unbounded', ...(signal ? { signal } : {}) });
}
