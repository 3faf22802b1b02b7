import type { Query } from '../query/query.ts';
import { matchersOf, type Span, type TermMatcher } from './matcher.ts';
import { type IndexMemory, textReader } from './texts.ts';

/*
 * The second half of a search, in a worker: which candidates match in their texts.
 */

/** Candidates of some indexes. */
export interface MatchRequest {
  readonly query: Query;
  readonly indexes: readonly IndexMemory[];
  /** The most promising first. */
  readonly candidates: readonly { readonly index: number; readonly file: number; readonly score: number }[];
  /** Files after which it may stop. */
  readonly maxHits: number;
  /** Milliseconds after which it stops. */
  readonly maxMs: number;
}

/** A file that matches. */
export interface Hit {
  /** The index of the candidate in the request. */
  readonly candidate: number;
  readonly score: number;
  /** Places in it, of all terms; counting ends at {@link MAX_COUNTED} of each. */
  readonly count: number;
}

/** The result of {@link run}. */
export interface MatchResult {
  readonly hits: readonly Hit[];
  /** How many of the candidates were read. */
  readonly read: number;
}

/** Places of a term that are counted in one file. */
export const MAX_COUNTED = 100;
const WORD = /[\p{L}\p{N}_]/u;

/** Stops at its limits; the matches until then count. */
export function run({ query, indexes, candidates, maxHits, maxMs }: MatchRequest): MatchResult {
  const until = performance.now() + maxMs;
  const matchers = matchersOf(query);
  const readers = indexes.map(textReader);
  const hits: Hit[] = [];
  let read = 0;
  for (const [candidate, { index, file, score }] of candidates.entries()) {
    if (hits.length >= maxHits || performance.now() > until) break;
    read++;
    const found = matchers.length === 0 ? NOTHING : countIn(readers[index]?.read(file) ?? '', matchers, until);
    if (found) hits.push({ candidate, score: score + found.score, count: found.count });
  }
  return { hits, read };
}

const NOTHING = { score: 0, count: 0 };

/** The number of occurrences of each term in a text, and the score; undefined if a term is missing. */
function countIn(text: string, matchers: readonly TermMatcher[], until: number): { score: number; count: number } | undefined {
  let [total, score] = [0, 0];
  for (const matcher of matchers) {
    let [count, whole] = [0, 0];
    const take = (span: Span) => {
      count++;
      if (isWhole(text, span)) whole++;
      return count < MAX_COUNTED;
    };
    matcher.find(text, take, until);
    if (count === 0) return undefined;
    total += count;
    score += Math.log2(1 + count) / 2 + (whole > 0 ? 2 : 0);
  }
  return { score, count: total };
}

/** Whether a match is not a part of a longer word. */
function isWhole(text: string, { start, end }: Span): boolean {
  return !WORD.test(text[start - 1] ?? ' ') && !WORD.test(text[end] ?? ' ');
}
