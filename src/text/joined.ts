/**
 * Joins the parts of a text that occurs in each item of a response's list, such as a URL. A concatenated text is stored as its pieces,
 * and the engine writes JSON half as fast when there is a single such text in it.
 */
export function joined(...parts: readonly (string | number)[]): string {
  return parts.join('');
}
