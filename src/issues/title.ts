/** Maximum width in letters; characters of wide scripts count twice. */
const MAX_WIDTH = 255;
const NARROW = /^[\u0000-\u00ff\p{M}\p{Cf}\p{Z}]$/u;
const ELLIPSIS = '…';
/** Reserved for the ellipsis. */
const ELLIPSIS_WIDTH = 3;

/** The title of a new issue: trimmed, and limited by {@link cutTitle}. */
export function limitTitle(title: string): string {
  return cutTitle(title.trim());
}

/** A title cut with an ellipsis if it is too wide. */
export function cutTitle(title: string): string {
  if (Buffer.byteLength(title) <= MAX_WIDTH) return title;
  const signs = [...title];
  let used = 0;
  for (const [index, sign] of signs.entries()) {
    if (used + widthOf(sign) + ELLIPSIS_WIDTH > MAX_WIDTH) {
      const rest = signs.slice(index);
      // A rest that is no wider than the ellipsis is kept.
      if (rest.length <= 3 && used + rest.reduce((sum, each) => sum + widthOf(each), 0) <= MAX_WIDTH) return title;
      return signs.slice(0, index).join('') + ELLIPSIS;
    }
    used += widthOf(sign);
  }
  return title;
}

function widthOf(sign: string): number {
  return sign !== '\u3000' && NARROW.test(sign) ? 1 : 2;
}
