/** Items of a list or an object of JSON, as a block has them: all but the first block of a document begin with a comma. */
export function jsonItems(items: readonly string[], isFirst: boolean): string {
  return `${isFirst || items.length === 0 ? '' : ','}${items.join(',')}`;
}
