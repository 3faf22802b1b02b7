import { TimeSlice } from '../../concurrency/time-slice.ts';
import { readCommit } from '../objects/commits.ts';
import type { GitPool } from '../objects/objects.ts';
import type { GitRepository } from '../repository.ts';
import { listRefs, type Ref } from './refs.ts';

const PREFIX = 'refs/heads/';
/** How many commits are read at once. */
const READ_BATCH = 25;

/** A branch and the id of its newest commit. */
export interface BranchTip {
  /** Without `refs/heads/`. */
  readonly name: string;
  readonly oid: string;
}

/** The branches in order, and the times of their commits by ids. */
interface Order {
  readonly refs: readonly Ref[];
  readonly times: ReadonlyMap<string, number>;
  readonly branches: readonly BranchTip[];
}

/**
 * All branches, the one with the newest commit first; branches of the same second by name. Those without a commit are left out. Commits are
 * read once, and only their times stay in memory: messages may be long.
 */
export async function listBranchTips(repository: GitRepository, pool: GitPool): Promise<readonly BranchTip[]> {
  const refs = await listRefs(repository, pool, PREFIX);
  const before = pool.cache.get<Order>(repository, 'branches');
  if (before?.refs === refs) return before.branches;
  const times = await timesOf(repository, pool, refs, before?.times);
  const branches: BranchTip[] = [];
  const slice = new TimeSlice();
  for (const { name, oid } of refs) {
    if (slice.isOver) await slice.next();
    if (times.has(oid)) branches.push({ name: name.slice(PREFIX.length), oid });
  }
  // Git's order is by name, and sorting keeps it within a second.
  branches.sort((a, b) => (times.get(b.oid) ?? 0) - (times.get(a.oid) ?? 0));
  pool.cache.set(repository, 'branches', { refs, times, branches }, 300 * refs.length);
  return branches;
}

async function timesOf(
  repository: GitRepository,
  pool: GitPool,
  refs: readonly Ref[],
  known: ReadonlyMap<string, number> | undefined,
): Promise<Map<string, number>> {
  const slice = new TimeSlice();
  const times = new Map<string, number>();
  const unknown = new Set<string>();
  for (const { oid } of refs) {
    if (slice.isOver) await slice.next();
    const time = known?.get(oid);
    if (time === undefined) unknown.add(oid);
    else times.set(oid, time);
  }
  const oids = [...unknown];
  for (let at = 0; at < oids.length; at += READ_BATCH) {
    if (slice.isOver) await slice.next();
    const commits = await Promise.all(oids.slice(at, at + READ_BATCH).map((oid) => readCommit(repository, pool, oid)));
    for (const commit of commits) if (commit) times.set(commit.oid, commit.committer.seconds ?? 0);
  }
  return times;
}
