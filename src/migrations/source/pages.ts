import { SourceError } from './errors.ts';
import type { SourcePage } from './source.ts';

/** Pages of one list. A source that names more has none or is hostile. */
export const MAX_PAGES = 50_000;

/**
 * Every page of a list, one after the other.
 * @throws SourceError for a list without an end
 */
export async function* pagesOf<T>(list: (cursor: string) => Promise<SourcePage<T>>): AsyncGenerator<readonly T[]> {
  let cursor = '';
  for (let page = 1; ; page++) {
    const { items, next } = await list(cursor);
    yield items;
    if (next === undefined) return;
    if (next === cursor || page >= MAX_PAGES) throw new SourceError('content', 'the server names pages without an end');
    cursor = next;
  }
}

/**
 * The items of all pages of a list.
 * @param most how many there may be
 * @throws SourceError for more
 */
export async function allOf<T>(most: number, list: (cursor: string) => Promise<SourcePage<T>>): Promise<T[]> {
  const all: T[] = [];
  for await (const items of pagesOf(list)) {
    if (all.length + items.length > most) throw new SourceError('content', `the server names more than ${most} items in one place`);
    for (const item of items) all.push(item);
  }
  return all;
}

/** Runs `task` for each item, a few at a time. The first error ends it. */
export async function eachOf<T>(items: readonly T[], atOnce: number, task: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  let hasFailed = false;
  const work = async () => {
    for (const item of waiting) {
      if (hasFailed) return;
      await task(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, work));
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
