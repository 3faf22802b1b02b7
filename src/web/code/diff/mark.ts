import type { Range } from './words.ts';

const OPEN = '<span class="w">';
const CLOSE = '</span>';

/** Puts marks around ranges of a line. @param line HTML of a highlighter: text, references and spans; ranges count its characters */
export function markRanges(line: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return line;
  let marked = '';
  let position = 0;
  let next = 0;
  let isOpen = false;
  for (const [part] of line.matchAll(/<[^>]*>|&[^;]*;|./gs)) {
    if (part.length > 1 && part.startsWith('<')) {
      // Marks stay within the spans of the highlighter.
      marked += isOpen ? CLOSE + part + OPEN : part;
      continue;
    }
    if (isOpen && position >= (ranges[next]?.[1] ?? 0)) {
      marked += CLOSE;
      isOpen = false;
      next++;
    }
    if (!isOpen && position >= (ranges[next]?.[0] ?? Number.POSITIVE_INFINITY)) {
      marked += OPEN;
      isOpen = true;
    }
    marked += part;
    position++;
  }
  return isOpen ? marked + CLOSE : marked;
}
