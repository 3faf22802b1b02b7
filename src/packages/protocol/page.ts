import type { Context } from '../../context.ts';
import type { SearchPage } from '../registry/search.ts';

/** Results before the page: more than any owner has. */
const MAX_OFFSET = 1_000_000_000;

/** The requested part of a list; a missing or invalid value becomes the default of the instance, too large a value its maximum. */
export function searchPage({ settings }: Pick<Context, 'settings'>, offset: string | null, limit: string | null): SearchPage {
  const { defaultPageSize, maxPageSize } = settings.api;
  const wanted = numberOf(limit);
  return {
    offset: Math.min(Math.max(numberOf(offset), 0), MAX_OFFSET),
    limit: wanted > 0 ? Math.min(wanted, maxPageSize) : defaultPageSize,
  };
}

function numberOf(text: string | null): number {
  return text !== null && /^[+-]?\d{1,15}$/.test(text) ? Number(text) : 0;
}
