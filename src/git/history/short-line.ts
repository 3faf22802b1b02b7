import { type Commit, readCommit } from '../objects/commits.ts';
import type { GitPool } from '../objects/objects.ts';
import type { GitRepository } from '../repository.ts';

/** Maximum number of commits; git lists a longer line faster. */
export const SHORT_LINE = 20;

/** Merges of many branches are left to git. */
const MOST_READ = 3 * SHORT_LINE;

/** Where it is not known that one commit is an ancestor of the other, git is used after so many steps. */
const NEAR = 8;

/**
 * The first `count` commits of a history in git's order: always the newest commit among the parents of earlier ones.
 * @returns undefined for more than {@link SHORT_LINE}, and where a commit is missing or has no date
 */
export async function beginningOfHistory(
  repository: GitRepository,
  pool: GitPool,
  head: string,
  count: number,
): Promise<string[] | undefined> {
  if (count > SHORT_LINE) return undefined;
  const ids: string[] = [];
  const waiting: Commit[] = [];
  const seen = new Set<string>();
  let next: readonly string[] = [head];
  while (ids.length < count) {
    for (const id of next) {
      if (seen.has(id)) continue;
      seen.add(id);
      const commit = await readCommit(repository, pool, id);
      const seconds = commit?.committer.seconds;
      if (!commit || !seconds || seconds < 0 || seen.size > MOST_READ) return undefined;
      const older = waiting.findIndex(({ committer }) => (committer.seconds ?? 0) < seconds);
      waiting.splice(older < 0 ? waiting.length : older, 0, commit);
    }
    const newest = waiting.shift();
    if (!newest) return ids;
    ids.push(newest.oid);
    next = newest.parents;
  }
  return ids;
}

/**
 * The commits from `head` down to `end` (excluded), where each has one parent; undefined when `end` is not reached within `most` of them.
 */
export async function lineTo(
  repository: GitRepository,
  pool: GitPool,
  head: string,
  end: string,
  most = SHORT_LINE,
): Promise<string[] | undefined> {
  const ids: string[] = [];
  for (let id = head; ids.length <= most; ) {
    if (id === end) return ids;
    const [parent, ...more] = (await readCommit(repository, pool, id))?.parents ?? [];
    if (parent === undefined || more.length > 0) return undefined;
    ids.push(id);
    id = parent;
  }
  return undefined;
}

/** The commits that a merge into `end` brought, the merge first; undefined when they are not a short line. */
export async function mergedLine(repository: GitRepository, pool: GitPool, merge: string, end: string): Promise<string[] | undefined> {
  const [into, from, ...others] = (await readCommit(repository, pool, merge))?.parents ?? [];
  if (into !== end || from === undefined || others.length > 0) return undefined;
  const line = (await nearFork(repository, pool, from, end))?.a ?? (await lineTo(repository, pool, from, end));
  return line && [merge, ...line];
}

/** The common ancestor of the short lines of two commits. */
export interface Fork {
  /** The common commit: one of the two, or the one before their lines. */
  readonly base: string;
  /** The commits of one side that the other does not have, newest first. */
  readonly a: readonly string[];
  readonly b: readonly string[];
}

/** The relation of two commits, if each commit between has one parent; undefined when no common ancestor is near them. */
export async function nearFork(repository: GitRepository, pool: GitPool, a: string, b: string): Promise<Fork | undefined> {
  // For a quarantine a process would have to be started, as for the question itself.
  if (repository.quarantine) return undefined;
  if (a === b) return { base: a, a: [], b: [] };
  const lines = { a: [a], b: [b] };
  for (let step = 0; step < NEAR; step++) {
    const before = lines.a.length + lines.b.length;
    for (const [line, other] of [
      [lines.a, lines.b],
      [lines.b, lines.a],
    ] as const) {
      // A line that has ended at a merge, or at the very first commit, does not grow.
      if (line.length <= step) continue;
      const [parent, ...more] = (await readCommit(repository, pool, line[step] ?? ''))?.parents ?? [];
      if (parent === undefined || more.length > 0) continue;
      line.push(parent);
      if (other.includes(parent))
        return { base: parent, a: lines.a.slice(0, lines.a.indexOf(parent)), b: lines.b.slice(0, lines.b.indexOf(parent)) };
    }
    if (lines.a.length + lines.b.length === before) return undefined;
  }
  return undefined;
}

/** Maximum number of branches whose tips are compared. */
const MANY_BRANCHES = 200;

/**
 * The few commits of a branch, each with one parent, down to the tip of another branch, when no other branch has any of them.
 * As git does, this assumes that commits are no older than their ancestors.
 * @param others the tips of the other branches
 * @returns undefined where git has to look
 */
export async function lineAlone(
  repository: GitRepository,
  pool: GitPool,
  head: string,
  others: ReadonlySet<string>,
): Promise<string[] | undefined> {
  if (repository.quarantine || others.size > MANY_BRANCHES) return undefined;
  const line: string[] = [];
  let oldest = Number.POSITIVE_INFINITY;
  for (let id = head; !others.has(id); ) {
    const commit = await readCommit(repository, pool, id);
    const seconds = commit?.committer.seconds;
    const [parent, ...more] = commit?.parents ?? [];
    if (parent === undefined || more.length > 0 || !seconds || line.length === NEAR) return undefined;
    line.push(id);
    oldest = Math.min(oldest, seconds);
    id = parent;
  }
  return (await isAmong(repository, pool, others, new Set(line), oldest)) === false ? line : undefined;
}

/** Whether these tips descend from one of the commits, none of which is older than `oldest`; undefined where too many had to be read. */
async function isAmong(
  repository: GitRepository,
  pool: GitPool,
  tips: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
  oldest: number,
): Promise<boolean | undefined> {
  const seen = new Set(tips);
  for (const id of seen) {
    if (wanted.has(id)) return true;
    const commit = await readCommit(repository, pool, id);
    const seconds = commit?.committer.seconds;
    if (!commit || !seconds || seen.size > tips.size + MOST_READ) return undefined;
    if (seconds >= oldest) for (const parent of commit.parents) seen.add(parent);
  }
  return false;
}
