import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { compareCommits, parseComparison } from '../../git/history/compare.ts';
import { type Commit, readCommits } from '../../git/objects/commits.ts';
import { resolveCommit, resolveRef } from '../../git/refs/revisions.ts';
import { joinRepositories } from '../../git/repository.ts';
import { badRequest, notFound } from '../../http/errors.ts';
import { wholeId } from '../revision.ts';
import { findHeadRepository } from './head-repository.ts';

/** The commits that the head has and the base does not. */
export interface CodeComparison {
  /** The repository of the head and of these commits. */
  readonly head: Repository;
  readonly total: number;
  /** The newest commits, as many as one response lists. */
  readonly commits: readonly Commit[];
  /** The full ids of the two. */
  readonly baseId: string;
  readonly headId: string;
  /** The common ancestor; for `..` the base itself; undefined where there is none. */
  readonly mergeBase: string | undefined;
}

/** Maximum number of commits in one response, which also has the number of all. */
export const MAX_LISTED_COMMITS = 2_000;

/** Minimum number of digits of an abbreviated commit id. */
const MIN_PREFIX = 4;

/** A comparison by the ids of its commits, newest first. */
export interface ComparedIds extends Omit<CodeComparison, 'total' | 'commits'> {
  readonly ids: readonly string[];
}

/**
 * Parses `base...head`, `base..head` or `head`, where the head may be in another repository, and compares the two.
 * @throws HttpError 400 for an invalid comparison; 404 for a missing part
 */
export async function compare(context: Context, base: Repository, text: string): Promise<CodeComparison> {
  const { ids, head, ...rest } = await compareIds(context, base, text);
  const commits = await readCommits(context.git.locate(head), context.git.pool, ids.slice(0, MAX_LISTED_COMMITS));
  return { ...rest, head, total: ids.length, commits };
}

/** Like {@link compare}, but reads none of the commits. */
export async function compareIds(context: Context, base: Repository, text: string): Promise<ComparedIds> {
  const request = parseComparison(text);
  if (request.baseSuffix !== '') throw badRequest('Unsupported comparison syntax: ref with suffix');
  const head = await findHeadRepository(context, base, request);
  const { pool } = context.git;
  const [from, to] = await Promise.all([
    revision(context, base, request.base || base.default_branch),
    revision(context, head, request.head || head.default_branch),
  ]);
  const located = joinRepositories(context.git.locate(head), context.git.locate(base));
  const { commits: ids, mergeBase } = await compareCommits(located, pool, from, to, request.separator);
  return { head, ids, baseId: from, headId: to, mergeBase };
}

async function revision(context: Context, repository: Repository, name: string): Promise<string> {
  const located = context.git.locate(repository);
  const { pool } = context.git;
  const find = (name: string) => resolveRef(located, pool, name, { minPrefix: MIN_PREFIX });
  const found = await find(name);
  // A branch comes before a tag of the same name.
  if (found && (found.kind !== 'commit' || found.commit.startsWith(name))) return found.commit;
  const [start = ''] = name.split(/[~^]|@\{0\}/, 1);
  const isNamed = name === 'HEAD' || name !== wholeId(name) || /^refs\/(?:heads|tags)\//.test(name);
  const isAncestor = start !== name && ['branch', 'tag'].includes((await find(start))?.kind ?? '');
  const commit = isNamed || isAncestor ? await resolveCommit(located, pool, wholeId(name)) : undefined;
  if (commit === undefined) throw notFound();
  return commit;
}
