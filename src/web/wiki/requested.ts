import { pageOfPath } from '../../wiki/names.ts';
import { repositoryPath } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';

/** The page that a wiki begins with. */
export const HOME = 'Home';

/** The name of the page in the URL, as escaped by the browser: `%2F` and `/` are the same, `+` and `%2B` are not. */
export function requestedPage({ request, params }: RepositoryVisit): string {
  const wanted = params['*'] ?? '';
  if (wanted === '') return HOME;
  const address = (request.raw.url ?? '').replace(/[?#].*$/s, '');
  for (let at = address.indexOf('/wiki/'); at >= 0; at = address.indexOf('/wiki/', at + 1)) {
    const rest = address.slice(at + '/wiki/'.length);
    if (decoded(rest) === wanted) return pageOfPath(rest);
  }
  return pageOfPath(encodeURIComponent(wanted));
}

/** The action in the URL, such as `_edit`. */
export function requestedAction({ request }: RepositoryVisit): string {
  return new URL(request.url).searchParams.get('action') ?? '';
}

/** The path of a page of a wiki, or of the wiki itself. @param page its URL name */
export function wikiPath({ view, repository }: RepositoryVisit, page = '', action = ''): string {
  return repositoryPath(view, repository, `wiki${page && `/${page}`}${action && `?action=${action}`}`);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
