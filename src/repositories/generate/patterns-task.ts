import { pathPatterns } from './patterns.ts';

/** A list of patterns, and the paths, separated by NULs: one text is sent to the worker faster than many. */
export interface PatternsTask {
  readonly patterns: string;
  readonly paths: string;
}

/** The indexes of the paths that match the patterns. */
export function run({ patterns, paths }: PatternsTask): number[] {
  const matches = pathPatterns(patterns);
  return paths.split('\0').flatMap((path, at) => (matches(path) ? at : []));
}
