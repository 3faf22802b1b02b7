/**
 * Joins the parts of a text that responses have in each item of a list, such as an address. A text that is added up is kept in its pieces,
 * and the engine writes JSON half as fast when there is a single such text in it.
 */
export function joined(...parts: readonly (string | number)[]): string {
  return parts.join('');
}
