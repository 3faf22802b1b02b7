import { commonParts } from './words.ts';

/** Indexes in an old and a new list; -1 on the side that has no entry. */
export type Pair = readonly [old: number, now: number];

/** Lists whose middle parts have more pairs than this are not compared further: all of the old part is deleted, the new one added. */
const MAX_PAIRS = 1_100_000;

/** Aligns two lists by their longest common subsequence, in order, with the entries that are only on one side. */
export function align(oldTexts: readonly string[], nowTexts: readonly string[]): Pair[] {
  // Numbers are compared much faster than long texts.
  const numbers = new Map<string, number>();
  const numbered = (text: string) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const [old, now] = [oldTexts.map(numbered), nowTexts.map(numbered)];
  const shortest = Math.min(old.length, now.length);
  let start = 0;
  while (start < shortest && old[start] === now[start]) start++;
  let end = 0;
  while (end < shortest - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const head = Array.from({ length: start }, (_, index): Pair => [index, index]);
  const middle = between(old.slice(start, old.length - end), now.slice(start, now.length - end)).map(
    ([a, b]): Pair => [a < 0 ? a : a + start, b < 0 ? b : b + start],
  );
  const tail = Array.from({ length: end }, (_, index): Pair => [old.length - end + index, now.length - end + index]);
  return [...head, ...middle, ...tail];
}

function between(old: readonly number[], now: readonly number[]): Pair[] {
  const all = (): Pair[] => [...old.map((_, index): Pair => [index, -1]), ...now.map((_, index): Pair => [-1, index])];
  if (old.length === 0 || now.length === 0 || old.length * now.length > MAX_PAIRS) return all();
  const kept = commonParts(old, now, MAX_PAIRS);
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && !kept.old.has(i)) pairs.push([i++, -1]);
    else if (j < now.length && !kept.now.has(j)) pairs.push([-1, j++]);
    else pairs.push([i++, j++]);
  }
  return pairs;
}
