import type { Context } from '../context.ts';
import { HttpResponse } from './responses.ts';

/** The requested page. */
export interface Page {
  /** From 1. */
  page: number;
  limit: number;
  offset: number;
}

/** The page size limits of the instance. */
export interface PageBounds {
  defaultSize: number;
  maxSize: number;
}

const MAX_PAGE = 1_000_000_000;

/** Reads `page` and `limit`: a missing, zero or invalid value becomes the default, too large a value the maximum. */
export function readPage(query: { page?: number | undefined; limit?: number | undefined }, bounds: PageBounds): Page {
  const { page: given = 1 } = query;
  const page = given > 0 ? Math.min(given, MAX_PAGE) : 1;
  const limit = query.limit && query.limit > 0 ? Math.min(query.limit, bounds.maxSize) : bounds.defaultSize;
  // The offset of Gitea has 64 bits. With the largest page an even size makes it negative, which counts as none.
  const overflows = given >= Number.MAX_SAFE_INTEGER && limit % 2 === 0;
  return { page, limit, offset: overflows ? 0 : (page - 1) * limit };
}

/** {@link readPage} with the limits of the instance. */
export function pageOf({ settings }: Context, query: { page?: number | undefined; limit?: number | undefined }): Page {
  return readPage(query, { defaultSize: settings.api.defaultPageSize, maxSize: settings.api.maxPageSize });
}

/** The total of a list: known from a page that is not full, otherwise counted. */
export async function totalOf(
  { limit, offset }: Pick<Page, 'limit' | 'offset'>,
  { length }: readonly unknown[],
  count: () => Promise<{ readonly total: number }>,
): Promise<number> {
  if (length < limit && (length > 0 || offset === 0)) return offset + length;
  return Number((await count()).total);
}

/** Headers of a list: the total in `X-Total-Count` and, where the route has it, `Link`. */
export function pageHeaders(total: number, options: { link?: { url: string; page: number; limit: number } } = {}): Record<string, string> {
  const headers: Record<string, string> = { 'x-total-count': String(total), 'access-control-expose-headers': 'X-Total-Count' };
  if (options.link) {
    const link = linkHeader(options.link.url, total, options.link.page, options.link.limit);
    if (link) {
      headers.link = link;
      headers['access-control-expose-headers'] = 'Link, X-Total-Count';
    }
  }
  return headers;
}

/** The body of a list with its `X-Total-Count`, and `Link` when `link` is given. */
export function listed<T>(items: readonly T[], total: number, link?: { url: string; page: number; limit: number }): HttpResponse {
  return new HttpResponse(items, { headers: pageHeaders(total, link ? { link } : {}) });
}

/** The `Link` header (RFC 8288) with next, last, first and prev, in this order; empty on a single page. */
function linkHeader(url: string, total: number, page: number, limit: number): string {
  const last = Math.max(1, Math.ceil(total / limit));
  const current = Math.min(Math.max(page, 1), last);
  const { origin, pathname, searchParams } = new URL(url);
  searchParams.set('page', '');
  searchParams.sort();
  const query = `?${encodedQuery(searchParams)}&`;
  const place = query.search(/[?&]page=&/) + '&page='.length;
  const [before, after] = [query.slice(0, place), query.slice(place, -1)];
  const to = (target: number, rel: string) => `<${origin}${pathname}${before}${target}${after}>; rel="${rel}"`;
  const links: string[] = [];
  if (current < last) links.push(to(current + 1, 'next'), to(last, 'last'));
  if (current > 1) links.push(to(1, 'first'), to(current - 1, 'prev'));
  return links.join(',');
}

/** A query in Gitea's encoding: two characters that forms encode differently are as in RFC 3986. */
function encodedQuery(parameters: URLSearchParams): string {
  return parameters.toString().replaceAll('%7E', '~').replaceAll('*', '%2A');
}
