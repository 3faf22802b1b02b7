import { fullName } from '../access/requirements.ts';
import { escapePath, escapeQuery } from '../code/escape-path.ts';
import type { Context } from '../context.ts';
import type { Shape } from '../http/schema.ts';
import { repositoryApiUrl, repositoryHtmlUrl } from '../repositories/urls.ts';
import type { SearchResult, SearchResults } from './find/search.ts';
import { GENERATED, VENDORED } from './index/format.ts';
import type { CodeSearchResult, CodeSearchResults } from './schema.ts';

/** A page of results on the wire. */
export function presentResults(context: Context, found: SearchResults): Shape<typeof CodeSearchResults> {
  return {
    total_count: found.total,
    incomplete_results: found.isIncomplete,
    index_pending: found.isPending,
    languages: [...found.languages],
    items: found.results.map((result) => presentResult(context, result)),
  };
}

function presentResult({ settings }: Context, result: SearchResult): Shape<typeof CodeSearchResult> {
  const { repository, path, branch, commitId, flags } = result;
  const page = repositoryHtmlUrl(settings, repository);
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    sha: result.oid,
    size: result.size,
    language: result.language,
    generated: (flags & GENERATED) !== 0,
    vendored: (flags & VENDORED) !== 0,
    branch,
    commit_sha: commitId,
    url: `${repositoryApiUrl(settings, repository)}/contents/${escapePath(path)}?ref=${escapeQuery(commitId)}`,
    html_url: `${page}/src/commit/${commitId}/${escapePath(path)}`,
    score: Math.round(result.score * 100) / 100,
    match_count: result.count,
    lines: result.lines.map(({ number, text, matches, isCut }) => ({ number, text, matches: [...matches], is_cut: isCut })),
    repository: {
      id: repository.id,
      name: repository.name,
      owner: repository.owner.name,
      full_name: fullName(repository),
      private: repository.is_private,
      html_url: page,
    },
  };
}
