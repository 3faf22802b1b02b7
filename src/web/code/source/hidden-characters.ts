/**
 * Characters that are invisible, or that change the direction of the following text: with them, source can be read differently than
 * it is. The joiners within emoji are not included.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|[\u{e0001}-\u{e007f}]|(?<!\p{Extended_Pictographic}|[\u{1f3fb}-\u{1f3ff}]|\ufe0f)\u200d/gu;

const OPEN = '<bdi class="hidden-char" data-code="';

/** Puts the numbers of hidden characters beside them. @param marked escaped text, or HTML of the highlighter */
export function markHidden(marked: string): string {
  return marked.replace(HIDDEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    // A control character may not stand in a page.
    return `${OPEN}U+${code}">${/[\u0000-\u001f\u007f-\u009f]/.test(character) ? '' : character}</bdi>`;
  });
}

/** Whether lines have marks of {@link markHidden}. */
export function hasHidden(lines: readonly string[]): boolean {
  return lines.some((line) => line.includes(OPEN));
}
