/**
 * Shortens a text to what fits into `limit` columns, as feeds show comments and as titles are kept: wide characters take two columns,
 * and a word that is cut in two near the end is left out.
 */
export function excerpt(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  // A character has at most two units, and at least one column.
  const characters = [...text.slice(0, 2 * (limit + ELLIPSIS_COLUMNS + 1))];
  let used = 0;
  let end = 0;
  for (const character of characters) {
    if (used + columns(character) + ELLIPSIS_COLUMNS > limit) break;
    used += columns(character);
    end++;
  }
  const rest = characters.slice(end);
  // A few more that fit need no sign that they are missing.
  if (rest.length <= ELLIPSIS_COLUMNS && used + rest.reduce((sum, character) => sum + columns(character), 0) <= limit) return text;
  const kept = `${characters.slice(0, end).join('')}…`;
  const space = kept.lastIndexOf(' ');
  return space !== -1 && Buffer.byteLength(kept.slice(space)) < LONGEST_CUT ? `${kept.slice(0, space)}…` : kept;
}

const ELLIPSIS_COLUMNS = 3;
/** In bytes, with the ellipsis: a last word longer than this is rather cut than left out. */
const LONGEST_CUT = 15;

function columns(character: string): number {
  if (character === '\u3000') return 2;
  return (character.codePointAt(0) ?? 0) <= 255 || /^[\p{M}\p{Cf}\p{Cs}\p{Z}]$/u.test(character) ? 1 : 2;
}
