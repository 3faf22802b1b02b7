/** The anchor of a heading or footnote: letters, digits, `_` and `-` of its text in lower case, blanks as `-`. */
export function anchorName(text: string): string {
  return text
    .trim()
    .replace(/\s/gu, '-')
    .replace(/[^\p{L}\p{N}_-]/gu, '')
    .toLowerCase();
}
