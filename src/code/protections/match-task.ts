import { branchMatcher, checkMatcher, pathMatcher, tagMatcher, textMatcher } from './patterns.ts';

/** Names or paths to match with patterns. */
export interface PatternTask {
  readonly kind: 'branch' | 'tag' | 'check' | 'path' | 'text';
  /** For paths, each is a list of patterns. */
  readonly patterns: readonly string[];
  /** Separated by NULs: one text is sent to the worker faster than many. */
  readonly texts: string;
}

/** For each text the indexes of the patterns that match it; for branches and paths only the first, which decides. */
export function run({ kind, patterns, texts }: PatternTask): number[][] {
  const matcherOf = { branch: branchMatcher, tag: tagMatcher, check: checkMatcher, path: pathMatcher, text: textMatcher }[kind];
  const matchers = patterns.map(matcherOf);
  const all = texts.split('\0');
  if (kind !== 'branch' && kind !== 'path') return all.map((text) => matchers.flatMap((matches, at) => (matches?.(text) ? at : [])));
  return all.map((text) => {
    const first = matchers.findIndex((matches) => matches?.(text));
    return first < 0 ? [] : [first];
  });
}
