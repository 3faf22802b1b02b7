import { foldTable } from './fold.ts';

/*
 * The trigrams of a file (three UTF-16 units, folded) are stored as a Bloom filter: a negative result is certain, a positive one is
 * checked with the text. Filters of files are independent of each other, so an index is changed by copying all but those of changed files.
 */

/** Length of the shortest text that a filter can look up. */
export const MIN_LITERAL = 3;

/** Bits of a filter for each trigram, and how many of them each sets: of a hundred trigrams that are not there it takes two for there. */
const BITS_PER_TRIGRAM = 8;
const HASHES = 4;

/** Trigrams are told apart by so many bits; with more, the list of those that were seen would not fit into the processor's cache. */
const TRIGRAM_BITS = 22;
const NEWLINE = 10;

const seen = new Uint32Array(2 ** TRIGRAM_BITS / 32);

/** Calls `take` with each trigram of a text; none spans two lines. */
function eachTrigram(text: string, take: (trigram: number) => void): void {
  const folded = foldTable();
  let [first, second, length] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const unit = folded[text.charCodeAt(at)] ?? 0;
    length = unit === NEWLINE ? 0 : length + 1;
    if (length >= MIN_LITERAL) {
      const mixed = Math.imul(Math.imul(Math.imul(first, 0x9e3779b1) + second, 0x85ebca6b) + unit, 0xc2b2ae35);
      take(mixed >>> (32 - TRIGRAM_BITS));
    }
    first = second;
    second = unit;
  }
}

/** The trigrams of a literal, each once. */
export function trigramsOf(literal: string): Uint32Array {
  const trigrams = new Set<number>();
  eachTrigram(literal, (trigram) => trigrams.add(trigram));
  return Uint32Array.from(trigrams);
}

/** The filter of a text: at least one word. */
export function makeFilter(text: string): Uint32Array {
  const trigrams: number[] = [];
  eachTrigram(text, (trigram) => {
    const [word, bit] = [trigram >>> 5, 1 << (trigram & 31)];
    if ((seen[word] ?? 0) & bit) return;
    seen[word] = (seen[word] ?? 0) | bit;
    trigrams.push(trigram);
  });
  const filter = new Uint32Array(Math.max(1, Math.ceil((trigrams.length * BITS_PER_TRIGRAM) / 32)));
  const bits = filter.length * 32;
  for (const trigram of trigrams) {
    seen[trigram >>> 5] = 0;
    for (let hash = 0; hash < HASHES; hash++) {
      const position = positionOf(trigram, hash, bits);
      filter[position >>> 5] = (filter[position >>> 5] ?? 0) | (1 << (position & 31));
    }
  }
  return filter;
}

/** Whether the text of a filter may have all of these trigrams. @param start the offset of the filter in `words` */
export function mayHave(words: Uint32Array, start: number, length: number, trigrams: Uint32Array): boolean {
  const bits = length * 32;
  for (const trigram of trigrams) {
    for (let hash = 0; hash < HASHES; hash++) {
      const position = positionOf(trigram, hash, bits);
      if (!((words[start + (position >>> 5)] ?? 0) & (1 << (position & 31)))) return false;
    }
  }
  return true;
}

function positionOf(trigram: number, hash: number, bits: number): number {
  const mixed = Math.imul(trigram + 1, 0x9e3779b1 + hash * 0x3c6ef372);
  return (Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 0) % bits;
}
