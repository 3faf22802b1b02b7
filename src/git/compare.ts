import { listCommits, mergeBase } from './log.ts';
import type { GitPool } from './objects.ts';
import type { GitRepository } from './repository.ts';

/** What the last part of a compare URL names. Names are as they were given, and may be empty. */
export interface ComparisonRequest {
  /** The branch, tag or commit to compare with; empty for the default. */
  readonly base: string;
  /** What follows the base's name from `^` or `@{` on, which is not supported. */
  readonly baseSuffix: string;
  /** Of the head's repository: empty if it is the same one. */
  readonly headOwner: string;
  /** Empty if it is the owner's fork. */
  readonly headRepository: string;
  readonly head: string;
  /** `..`: the two as they are; `...`: the head since it left the base. */
  readonly separator: '..' | '...';
}

/** Reads `base...head`, `base..head` or `head`, where the head may be `owner:name` or `owner/repository:name`. */
export function parseComparison(text: string): ComparisonRequest {
  const separator = text.includes('...') || !text.includes('..') ? '...' : '..';
  const at = text.indexOf(separator);
  const baseText = at === -1 ? '' : text.slice(0, at);
  const headText = at === -1 ? text : text.slice(at + separator.length);
  const suffixAt = baseText.search(/\^|@\{/);
  const [base, baseSuffix] = suffixAt === -1 ? [baseText, ''] : [baseText.slice(0, suffixAt), baseText.slice(suffixAt)];
  const colon = headText.indexOf(':');
  const owner = colon === -1 ? '' : headText.slice(0, colon);
  const slash = owner.indexOf('/');
  return {
    base,
    baseSuffix,
    headOwner: slash === -1 ? owner : owner.slice(0, slash),
    headRepository: slash === -1 ? '' : owner.slice(slash + 1),
    head: headText.slice(colon + 1),
    separator,
  };
}

/** Two commits set against each other. */
export interface Comparison {
  readonly base: string;
  readonly head: string;
  /** Where the head left the base; for `..` the base itself; `undefined` if the two have nothing in common. */
  readonly mergeBase: string | undefined;
  /** The ids of the commits that the head has and the merge base has not, newest first. */
  readonly commits: readonly string[];
}

/** The most commits that a comparison lists. */
export const MAX_COMPARED_COMMITS = 20_000;

/** Compares two commits of full id; across repositories see `joinRepositories`. */
export async function compareCommits(
  repository: GitRepository,
  pool: GitPool,
  base: string,
  head: string,
  separator: '..' | '...',
): Promise<Comparison> {
  const from = separator === '..' ? base : await mergeBase(repository, pool, base, head);
  const filter = from === undefined ? { head } : { head, exclude: [from] };
  const commits = await listCommits(repository, pool, filter, { limit: MAX_COMPARED_COMMITS });
  return { base, head, mergeBase: from, commits };
}
