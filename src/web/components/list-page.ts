import { type Page, readPage } from '../../http/paging.ts';
import type { Settings } from '../../settings.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import { pageLinks } from './pages.ts';

/** Entries of a list that a page shows. */
const PAGE_SIZE = 30;

/** The page of a list that the URL names. @param parameter for a page with several lists */
export function requestedPage({ fields }: Pick<Visit, 'fields'>, { api }: Settings, parameter = 'page'): Page {
  return readPage(
    { page: Number(fields.get(parameter)) || 1 },
    { defaultSize: Math.min(PAGE_SIZE, api.maxPageSize), maxSize: api.maxPageSize },
  );
}

/** A list with the links to its other pages, or the text for an empty list. */
export function listOrEmpty(
  visit: Visit,
  page: Page & { parameter?: string },
  { total, rows, empty }: { total: number; rows: Html; empty: string },
): Html {
  if (total === 0) return html`<p class="empty">${empty}</p>`;
  return html`${rows}${pageLinks(visit.view, { ...page, total })}`;
}
