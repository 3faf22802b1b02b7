import type { SourcePage } from './source.ts';

/** The page number in a cursor: the cursors of most services are numbers. */
export function pageNumber(cursor: string): number {
  return cursor === '' ? 1 : Number(cursor);
}

/** A page of a list with numbered pages: the last one has fewer items than the limit. */
export function numberedPage<T>(cursor: string, items: readonly T[], isLast: boolean): SourcePage<T> {
  return { items, next: isLast ? undefined : String(pageNumber(cursor) + 1) };
}

/** The only page of a list. */
export function onlyPage<T>(items: readonly T[]): SourcePage<T> {
  return { items, next: undefined };
}

/** Where a list of pull requests goes on that have numbers of their own: the page, and the number that theirs are added to. */
export interface OffsetCursor {
  readonly page: number;
  readonly offset: number;
}

/**
 * Reads an {@link OffsetCursor}. It carries the offset, so that an attempt that goes on gives the same numbers.
 * @param firstOffset finds out the offset for the first page
 */
export async function offsetCursor(cursor: string, firstOffset: () => Promise<number>): Promise<OffsetCursor> {
  const [page = 1, offset] = cursor === '' ? [] : cursor.split(':').map(Number);
  return { page, offset: offset ?? (await firstOffset()) };
}

/** A page of such a list. */
export function offsetPage<T>({ page, offset }: OffsetCursor, items: readonly T[], isLast: boolean): SourcePage<T> {
  return { items, next: isLast ? undefined : `${page + 1}:${offset}` };
}
