import { unprocessable } from '../http/errors.ts';
import { SEARCH_SORTS, type SearchSort } from './find/search.ts';
import { parseQuery } from './query/parse.ts';
import { type Query, QueryError, SEARCH_MODES, type SearchMode } from './query/query.ts';

/** A search as a request has it. */
export interface RequestedSearch {
  readonly q?: string | undefined;
  readonly mode?: string | undefined;
  readonly sort?: string | undefined;
  readonly repositories?: readonly string[] | undefined;
  readonly owner?: string | undefined;
  readonly language?: string | undefined;
  readonly path?: string | undefined;
}

/** @throws HttpError 422 */
export function requestedQuery({ q = '', mode, repositories = [], owner, language, path }: RequestedSearch): Query {
  const options = { mode: modeOf(mode), repositories, owner: owner?.trim(), language: language?.trim(), path: path?.trim() };
  const query = withFieldName(() => parseQuery(q, options));
  if (query.terms.length + query.paths.length + query.languages.length === 0) throw unprocessable('q: what to search for is missing');
  return query;
}

/** @throws HttpError 422 */
export function requestedSort(sort: string | undefined): SearchSort {
  const known = SEARCH_SORTS.find((name) => name === (sort || 'relevance'));
  if (!known) throw unprocessable(`sort: must be one of ${SEARCH_SORTS.join(', ')}`);
  return known;
}

function modeOf(mode: string | undefined): SearchMode {
  const known = SEARCH_MODES.find((name) => name === (mode || 'words'));
  if (!known) throw unprocessable(`mode: must be one of ${SEARCH_MODES.join(', ')}`);
  return known;
}

/** Runs a search, and sends the error of an invalid query in the response. */
export async function searchOrRefuse<T>(search: () => Promise<T>): Promise<T> {
  try {
    return await search();
  } catch (error) {
    throw error instanceof QueryError ? refusal(error) : error;
  }
}

function withFieldName<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof QueryError ? refusal(error) : error;
  }
}

const refusal = ({ message }: QueryError) => unprocessable(`q: ${message}`);
