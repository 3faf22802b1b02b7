import { readCommit } from './commits.ts';
import type { GitPool } from './objects.ts';
import type { GitRepository } from './repository.ts';

/** A line of commits that is longer is quicker listed by git. */
export const SHORT_LINE = 20;

/** Where it is not known that one commit leads to the other, no more are looked at before git is asked. */
const NEAR = 8;

/** The first `count` commits of a history, at most {@link SHORT_LINE}; undefined when one of them is a merge or missing. */
export async function beginningOfLine(
  repository: GitRepository,
  pool: GitPool,
  head: string,
  count: number,
): Promise<string[] | undefined> {
  const ids: string[] = [];
  for (let id = head; ids.length < Math.min(count, SHORT_LINE); ) {
    const commit = await readCommit(repository, pool, id);
    const [parent, ...more] = commit?.parents ?? [];
    if (!commit || more.length > 0) return undefined;
    ids.push(id);
    if (parent === undefined) return ids;
    id = parent;
  }
  return count <= SHORT_LINE ? ids : undefined;
}

/**
 * The commits from `head` down to `end`, which is not among them, where each has one parent; undefined when `end` is not reached so, within
 * `most` of them.
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

/** {@link lineTo} for the commits that a merge into `end` brought, the merge first. */
export async function mergedLine(repository: GitRepository, pool: GitPool, merge: string, end: string): Promise<string[] | undefined> {
  const [into, from, ...others] = (await readCommit(repository, pool, merge))?.parents ?? [];
  if (into !== end || from === undefined || others.length > 0) return undefined;
  const line = await lineTo(repository, pool, from, end);
  return line && [merge, ...line];
}

/** How one commit stands before another in a short line: which, and by how many commits. */
export async function nearLine(
  repository: GitRepository,
  pool: GitPool,
  a: string,
  b: string,
): Promise<{ ancestor: string; aAhead: number; bAhead: number } | undefined> {
  // For a quarantine a process would have to be started, as for the question itself.
  if (repository.quarantine) return undefined;
  const toA = await lineTo(repository, pool, b, a, NEAR);
  if (toA) return { ancestor: a, aAhead: 0, bAhead: toA.length };
  const toB = await lineTo(repository, pool, a, b, NEAR);
  return toB && { ancestor: b, aAhead: toB.length, bAhead: 0 };
}
