/*
 * Texts are compared case-insensitively. Each UTF-16 unit is folded by itself, so that a folded text has the length of the text: what
 * becomes several characters in another case, as `ß`, stays as it is.
 */

let table: Uint16Array | undefined;

/** The folded form of each UTF-16 unit. */
export function foldTable(): Uint16Array {
  table ??= Uint16Array.from({ length: 0x10000 }, (_, unit) => foldUnit(String.fromCharCode(unit)));
  return table;
}

/** Capitals first: `σ` and `ς` have one capital, and the long `ſ` has that of `s`. To Unicode, `ı` is not an `i`, although its capital is `I`. */
function foldUnit(character: string): number {
  if (character === 'ı') return character.charCodeAt(0);
  const upper = character.toUpperCase();
  const lower = (upper.length === 1 ? upper : character).toLowerCase();
  return (lower.length === 1 ? lower : character).charCodeAt(0);
}

/** A case-folded text. */
export function fold(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  const folded = foldTable();
  return Array.from({ length: text.length }, (_, at) => String.fromCharCode(folded[text.charCodeAt(at)] ?? 0)).join('');
}
