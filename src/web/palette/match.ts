/** Scores of a letter at the beginning of a word, and of one directly after the previous match. */
const START = 8;
const ADJACENT = 5;

/**
 * How well a text has the typed letters in their order; undefined when it has not. Beginnings of words and letters in a row count
 * most, then short texts.
 */
export function fuzzyScore(text: string, typed: string): number | undefined {
  const lower = text.toLowerCase();
  let score = 0;
  let last = -2;
  for (const letter of typed.toLowerCase()) {
    if (letter === ' ') continue;
    const at = bestAfter(lower, letter, last + 1);
    if (at < 0) return undefined;
    score += 1 + (isStart(lower, at) ? START : 0) + (at === last + 1 ? ADJACENT : 0);
    last = at;
  }
  return score - text.length / 100;
}

/** The next position of a letter: directly here, else at the next beginning of a word if the letter does not occur before, else the first. */
function bestAfter(text: string, letter: string, from: number): number {
  const start = Math.max(0, from);
  const first = text.indexOf(letter, start);
  if (first === start || first < 0) return first;
  for (let at = first; at >= 0; at = text.indexOf(letter, at + 1)) if (isStart(text, at)) return at;
  return first;
}

function isStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}
