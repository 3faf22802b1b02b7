import { boundedInteger } from '../text/bounded-integer.ts';

/** The id in a path, with or without a sign; 0, which no row has, for anything else. */
export function pathId(text: string): number {
  return boundedInteger(text) ?? 0;
}
