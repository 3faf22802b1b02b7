/** A range of characters of a line; the end is exclusive. */
export type Range = readonly [from: number, to: number];

/** Limit of words between the equal beginning and end of two lines; beyond it, the whole part counts as changed. */
const MAX_COMPARED = 120;
/** Longer lines are not compared. */
const MAX_LENGTH = 2_000;
/** Lines with less text in common are different lines: marking nearly all of both helps nobody. */
const MIN_COMMON = 0.3;

/** The changed words between an old and a new line. Nothing is marked if the two have too little in common. */
export function changedWords(before: string, after: string): { removed: Range[]; added: Range[] } {
  if (before.length > MAX_LENGTH || after.length > MAX_LENGTH) return NOTHING;
  const old = wordsOf(before);
  const now = wordsOf(after);
  const shortest = Math.min(old.length, now.length);
  let start = 0;
  while (start < shortest && old[start] === now[start]) start++;
  let end = 0;
  while (end < shortest - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const kept = commonParts(old.slice(start, old.length - end), now.slice(start, now.length - end), MAX_COMPARED);
  const removed = rangesOf(old, start, end, kept.old);
  const added = rangesOf(now, start, end, kept.now);
  const longest = Math.max(before.trim().length, after.trim().length);
  const same = Math.min(unmarked(before, removed), unmarked(after, added));
  return same < longest * MIN_COMMON ? NOTHING : { removed, added };
}

const NOTHING = { removed: [], added: [] };

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/**
 * The parts of two lists in their longest common subsequence; none if one of the lists is longer than `max`. The time grows
 * with the product of their lengths.
 */
export function commonParts<T extends string | number>(
  old: readonly T[],
  now: readonly T[],
  max: number,
): { old: Set<number>; now: Set<number> } {
  const kept = { old: new Set<number>(), now: new Set<number>() };
  if (old.length > max || now.length > max) return kept;
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  let i = 0;
  let j = 0;
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      kept.old.add(i++);
      kept.now.add(j++);
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return kept;
}

/** The changed parts, as ranges of characters; parts separated by white space only are merged. */
function rangesOf(words: readonly string[], start: number, end: number, kept: ReadonlySet<number>): Range[] {
  const ranges: [number, number][] = [];
  let position = 0;
  let gap = '';
  for (const [index, word] of words.entries()) {
    const isChanged = index >= start && index < words.length - end && !kept.has(index - start);
    const last = ranges.at(-1);
    if (isChanged && last && gap.trim() === '') last[1] = position + word.length;
    else if (isChanged) ranges.push([position, position + word.length]);
    gap = isChanged ? '' : gap + word;
    position += word.length;
  }
  return ranges;
}

/** Characters outside of all ranges, without blanks. */
function unmarked(line: string, ranges: readonly Range[]): number {
  let count = 0;
  let from = 0;
  for (const [start, end] of [...ranges, [line.length, line.length] as const]) {
    count += line.slice(from, start).replaceAll(/\s/g, '').length;
    from = end;
  }
  return count;
}
