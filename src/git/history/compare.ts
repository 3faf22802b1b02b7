import type { GitPool } from '../objects/objects.ts';
import type { GitRepository } from '../repository.ts';
import { listCommits, mergeBase } from './log.ts';

/** The last part of a compare URL. Names are unchanged, and may be empty. */
export interface ComparisonRequest {
  /** The branch, tag or commit to compare with; empty for the default. */
  readonly base: string;
  /** The suffix of the base's name from `^` or `@{` on, which is not supported. */
  readonly baseSuffix: string;
  /** The owner of the head's repository: empty if it is the same one. */
  readonly headOwner: string;
  /** Empty if it is the owner's fork. */
  readonly headRepository: string;
  readonly head: string;
  /** `..`: the two commits; `...`: the changes of the head since the merge base. */
  readonly separator: '..' | '...';
}

/** Parses `base...head`, `base..head` or `head`, where the head may be `owner:name` or `owner/repository:name`. */
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

/** A comparison of two commits. */
export interface Comparison {
  readonly base: string;
  readonly head: string;
  /** The common ancestor; for `..` the base itself; `undefined` if there is none. */
  readonly mergeBase: string | undefined;
  /** The ids of the commits of the head that the merge base does not have, newest first. */
  readonly commits: readonly string[];
}

/** The maximum number of commits that a comparison lists. */
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
