import type { SourcePage } from './source.ts';

/** The number of the page that a cursor stands for: the cursors of most services are numbers. */
export function pageNumber(cursor: string): number {
  return cursor === '' ? 1 : Number(cursor);
}

/** A page of a list whose pages have numbers: the last one has fewer items than it may. */
export function numberedPage<T>(cursor: string, items: readonly T[], isLast: boolean): SourcePage<T> {
  return { items, next: isLast ? undefined : String(pageNumber(cursor) + 1) };
}

/** The only page of a list. */
export function onlyPage<T>(items: readonly T[]): SourcePage<T> {
  return { items, next: undefined };
}
