import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';
import { number } from './numbers.ts';

/** Pages that are linked around the current one. */
const AROUND = 2;

/** The page, page size and total of a list. */
export interface Pages {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  /** The query parameter of the page; `page` by default, for pages with one list. */
  readonly parameter?: string;
}

/** Links to the other pages of a list, by a parameter of the same URL; nothing for a list that fits on one. */
export function pageLinks(view: View, { page, limit, total, parameter = 'page' }: Pages): Html | false {
  const last = Math.ceil(total / limit);
  if (last <= 1) return false;
  const { text } = view;
  const near = Array.from({ length: last }, (_, index) => index + 1).filter(
    (at) => at === 1 || at === last || Math.abs(at - page) <= AROUND,
  );
  const step = (to: number, label: string, rel: string) =>
    to >= 1 && to <= last && html`<a rel="${rel}" href="${withParameter(view, parameter, String(to))}">${label}</a>`;
  return html`<nav class="pages" aria-label="${text.common.pages}">
${step(page - 1, text.common.previous, 'prev')}
${near.map((at, index) => {
  const gap = index > 0 && at - (near[index - 1] ?? 0) > 1 && html`<span>…</span>`;
  if (at === page) return [gap, html`<a aria-current="page" href="${withParameter(view, parameter, String(at))}">${number(view, at)}</a>`];
  return [gap, html`<a aria-label="${text.common.page(at)}" href="${withParameter(view, parameter, String(at))}">${number(view, at)}</a>`];
})}
${step(page + 1, text.common.next, 'next')}
</nav>`;
}

/** The URL of this page with another value of a query parameter; undefined removes it. Another filter begins at the first page. */
export function withParameter({ here }: Pick<View, 'here'>, name: string, value: string | undefined): string {
  const [pathname = '', search = ''] = here.split('?', 2);
  const parameters = new URLSearchParams(search);
  if (value === undefined) parameters.delete(name);
  else parameters.set(name, value);
  if (name !== 'page') parameters.delete('page');
  const written = parameters.toString();
  return written === '' ? pathname : `${pathname}?${written}`;
}
