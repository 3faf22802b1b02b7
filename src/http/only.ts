/**
 * The item of a list of one: the wire shape of a single row, where the presenter takes lists.
 *
 * @throws Error for any other number of items
 */
export function only<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined || items.length > 1) throw new Error(`${items.length} items instead of one`);
  return item;
}
