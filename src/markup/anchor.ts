/** The anchor of a heading or footnote: letters, digits, `_` and `-` of its text in lower case, blanks as `-`. */
export function anchorName(text: string): string {
  const name = text
    .trim()
    .replace(BLANK, '-')
    .replace(/[^\p{L}\p{N}_-]/gu, '');
  // Letter by letter: neither its place in a word nor a mark that it loses makes a letter another one.
  return /^[\x00-\x7f]*$/.test(name)
    ? name.toLowerCase()
    : name.replace(/\p{Lu}/gu, (letter) => String.fromCodePoint(letter.toLowerCase().codePointAt(0) ?? 0));
}

const BLANK = /(?!\ufeff)[\s\x85]/g;
