import type { Context } from '../../context.ts';
import { type Page, pageOf } from '../../http/paging.ts';
import { boundedInteger } from '../../text/bounded-integer.ts';
import type { SearchPage } from '../registry/search.ts';

/** Results before the page: more than any owner has. */
const MAX_OFFSET = 1_000_000_000;

/** The requested part of a list; a missing or invalid value becomes the default of the instance, too large a value its maximum. */
export function searchPage({ settings }: Pick<Context, 'settings'>, offset: string | null, limit: string | null): SearchPage {
  const { defaultPageSize, maxPageSize } = settings.api;
  const wanted = integerOf(limit);
  return {
    offset: Math.min(Math.max(integerOf(offset), 0), MAX_OFFSET),
    limit: wanted > 0 ? Math.min(wanted, maxPageSize) : defaultPageSize,
  };
}

/** The requested page of a search whose pages are counted. */
export function countedPage(context: Context, page: string | null, limit: string | null): Page {
  return pageOf(context, { page: integerOf(page), limit: integerOf(limit) });
}

/** The integer of a parameter; 0 without one. */
export function integerOf(text: string | null): number {
  return boundedInteger(text ?? '') ?? 0;
}
