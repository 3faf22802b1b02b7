const MAX_LENGTH = 255;

/** A title as it is kept: without blanks around it, and cut with an ellipsis where it is too long. */
export function keptTitle(title: string): string {
  const trimmed = title.trim();
  const signs = [...trimmed];
  return signs.length <= MAX_LENGTH ? trimmed : `${signs.slice(0, MAX_LENGTH - 1).join('')}…`;
}
