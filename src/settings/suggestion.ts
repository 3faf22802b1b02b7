/** `; do you mean …?` where a known name is a letter or two away. */
export function suggestion(name: string, known: Iterable<string>): string {
  let best = '';
  let least = 3;
  for (const candidate of known) {
    const distance = editDistance(name, candidate, least);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best === '' ? '' : `; do you mean ${best}?`;
}

/** Levenshtein distance, or `bound` if it is not less. */
function editDistance(left: string, right: string, bound: number): number {
  if (Math.abs(left.length - right.length) >= bound) return bound;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return Math.min(bound, row[right.length] ?? bound);
}
