import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { type Commit, readCommits } from '../../git/commits.ts';
import { compareCommits, parseComparison } from '../../git/compare.ts';
import { joinRepositories } from '../../git/repository.ts';
import { resolveCommit, resolveRef } from '../../git/revisions.ts';
import { badRequest, notFound } from '../../http/errors.ts';
import { wholeId } from '../revision.ts';
import { findHeadRepository } from './head-repository.ts';

/** What the head has beyond the base. */
export interface CodeComparison {
  /** The repository of the head, whose commits these are. */
  readonly head: Repository;
  readonly total: number;
  /** The newest commits, as many as one response lists. */
  readonly commits: readonly Commit[];
  /** The full ids of the two. */
  readonly baseId: string;
  readonly headId: string;
  /** Where the head left the base; for `..` the base itself; undefined where the two have nothing in common. */
  readonly mergeBase: string | undefined;
}

/** One response lists no more commits than this; it also has the number of all. */
export const MAX_LISTED_COMMITS = 2_000;

/** Digits from which on the beginning of a commit's id is taken for it. */
const MIN_PREFIX = 4;

/**
 * Reads `base...head`, `base..head` or `head`, where the head may be in another repository, and compares the two.
 * @throws HttpError 400 for what cannot be compared; 404 for what is not there
 */
export async function compare(context: Context, base: Repository, text: string): Promise<CodeComparison> {
  const request = parseComparison(text);
  if (request.baseSuffix !== '') throw badRequest('Unsupported comparison syntax: ref with suffix');
  const head = await findHeadRepository(context, base, request);
  const { pool } = context.git;
  const [from, to] = await Promise.all([
    revision(context, base, request.base || base.default_branch),
    revision(context, head, request.head || head.default_branch),
  ]);
  const located = joinRepositories(context.git.locate(head), context.git.locate(base));
  const { commits, mergeBase } = await compareCommits(located, pool, from, to, request.separator);
  const listed = await readCommits(context.git.locate(head), pool, commits.slice(0, MAX_LISTED_COMMITS));
  return { head, total: commits.length, commits: listed, baseId: from, headId: to, mergeBase };
}

async function revision(context: Context, repository: Repository, name: string): Promise<string> {
  const located = context.git.locate(repository);
  const found = await resolveRef(located, context.git.pool, name, { minPrefix: MIN_PREFIX });
  // A branch comes before a tag of the same name; what is neither may still be HEAD or a whole ref's name.
  const commit = found?.commit ?? (await resolveCommit(located, context.git.pool, wholeId(name)));
  if (commit === undefined) throw notFound();
  return commit;
}
