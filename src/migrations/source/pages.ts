import { SourceError } from './errors.ts';
import type { SourcePage } from './source.ts';

/** Maximum number of pages of one list. A source with more is broken or hostile. */
export const MAX_PAGES = 50_000;

/**
 * Checks the pages of a list as they come. A server that sends one page again and again is refused soon, not after all that a list may have.
 */
export class PageCheck {
  #last: string | undefined;
  #pages = 0;
  readonly #what: string;

  /** @param what the name of the list, for errors */
  constructor(what: string) {
    this.#what = what;
  }

  /** @throws SourceError for a page that has been there, and for too many */
  check({ items }: SourcePage<unknown>): void {
    this.#pages++;
    const ends = endsOf(items);
    const isAgain = ends !== undefined && ends === this.#last;
    if (isAgain || this.#pages > MAX_PAGES) throw new SourceError('content', `the server names pages of ${this.#what} without an end`);
    this.#last = ends;
  }
}

/** The first and the last item of a page as a text; undefined if they have no identity. */
function endsOf(items: readonly unknown[]): string | undefined {
  const ends = [items[0], items.at(-1)].map((item) => JSON.stringify(item) ?? '');
  return ends.every((end) => end.includes('"')) ? `${items.length} ${ends}` : undefined;
}

/**
 * Every page of a list, one after the other.
 * @throws SourceError for a list without an end
 */
export async function* pagesOf<T>(list: (cursor: string) => Promise<SourcePage<T>>, what = 'a list'): AsyncGenerator<readonly T[]> {
  const pages = new PageCheck(what);
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const page: SourcePage<T> = await list(cursor);
    pages.check(page);
    yield page.items;
    cursor = page.next;
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
