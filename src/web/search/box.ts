import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { MAX_QUERY_LENGTH } from '../../search/query/parse.ts';
import { type Html, html } from '../html.ts';
import { repositoryPath } from '../repository/frame.ts';
import { icon, type View } from '../view.ts';

/** The field on the pages of a repository that searches its code. */
export function codeSearchBox(view: View, { settings }: Context, repository: Repository): Html | false {
  if (!settings.codeSearch.enabled) return false;
  const { search } = view.text;
  return html`<form class="code-search-box" role="search" aria-label="${search.inRepository}" action="${repositoryPath(view, repository, 'search')}">
<input type="search" name="q" maxlength="${MAX_QUERY_LENGTH}" aria-label="${search.inRepository}" placeholder="${search.searchCode}"><button aria-label="${search.search}">${icon(view, 'search')}</button></form>`;
}
