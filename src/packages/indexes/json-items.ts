/** Items of a JSON list or object in a block: all but the first block of a document begin with a comma. */
export function jsonItems(items: readonly string[], isFirst: boolean): string {
  return `${isFirst || items.length === 0 ? '' : ','}${items.join(',')}`;
}
