import { type Page, pageHeaders } from '../http/paging.ts';
import { HttpResponse } from '../http/responses.ts';

/** A page of a pull request's items, with the usual headers of lists and those with the position of the page. */
export function paged(items: readonly unknown[], total: number, page: Page, url: string): HttpResponse {
  const headers = pageHeaders(total, { link: { url, ...page } });
  const pages = Math.ceil(total / page.limit);
  return new HttpResponse(items, {
    headers: {
      ...headers,
      'x-page': String(page.page),
      'x-perpage': String(page.limit),
      'x-pagecount': String(pages),
      'x-hasmore': String(page.page < pages),
      'access-control-expose-headers': `${headers['access-control-expose-headers']}, X-Page, X-PerPage, X-PageCount, X-HasMore`,
    },
  });
}
