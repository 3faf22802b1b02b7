import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { Page } from '../../http/paging.ts';
import type { Query } from '../query/query.ts';
import { type FoundFile, findMatches } from './matches.ts';
import { scanIndexes } from './scan.ts';
import { indexesOf, type Scope } from './scope.ts';
import type * as show from './show-task.ts';
import type { ShownFile } from './show-task.ts';
import { inWorker, TimeLimit } from './time-limit.ts';

const SHOW = new URL('./show-task.ts', import.meta.url);

/** Orders of results. */
export const SEARCH_SORTS = ['relevance', 'path'] as const;
export type SearchSort = (typeof SEARCH_SORTS)[number];

/** A file on a page of results. */
export interface SearchResult extends ShownFile {
  readonly repository: Repository;
  readonly branch: string;
  /** The commit that was indexed. */
  readonly commitId: string;
  readonly score: number;
  /** Places that match; counting ends at some hundred. */
  readonly count: number;
}

/** A page of results. */
export interface SearchResults {
  readonly results: readonly SearchResult[];
  /** Files that match, as far as they were looked for. */
  readonly total: number;
  /** There may be more than `total`: the search came to a bound. */
  readonly isIncomplete: boolean;
  /** Some repositories have no index yet. */
  readonly isPending: boolean;
  /** How many files are of each language, the most frequent first. */
  readonly languages: readonly { readonly name: string; readonly count: number }[];
}

/**
 * Searches the default branches of the repositories whose code the caller may read.
 * @throws QueryError; HttpError 429 when the caller has searched too much
 */
export async function searchCode(
  context: Context,
  scope: Scope,
  query: Query,
  { page, sort = 'relevance' }: { page: Page; sort?: SearchSort },
): Promise<SearchResults> {
  const limit = new TimeLimit(context);
  try {
    const { indexes, isPending, isCut } = await indexesOf(context, scope, query);
    const scanned = await scanIndexes(context, query, indexes, limit);
    const found = await findMatches(context, query, scanned, limit);
    const files = found.files.toSorted(ORDERS[sort]);
    return {
      results: await showFiles(context, query, files.slice(page.offset, page.offset + page.limit), limit),
      total: files.length,
      isIncomplete: isCut || scanned.isIncomplete || found.isIncomplete,
      isPending,
      languages: languagesOf(files),
    };
  } finally {
    limit.end();
  }
}

const ORDERS: Readonly<Record<SearchSort, (a: FoundFile, b: FoundFile) => number>> = {
  relevance: (a, b) => b.score - a.score || a.order - b.order || a.file - b.file,
  path: (a, b) => compare(a.repository.lower_name, b.repository.lower_name) || a.order - b.order || a.file - b.file,
};

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function languagesOf(files: readonly FoundFile[]): { name: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { language } of files) if (language !== '') counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count || compare(a.name, b.name));
}

async function showFiles(context: Context, query: Query, files: readonly FoundFile[], limit: TimeLimit): Promise<SearchResult[]> {
  const wanted = files.map(({ file, memory }) => ({ file, ...memory }));
  const maxMs = limit.forShowing;
  const shown = files.length === 0 ? [] : await inWorker<typeof show>(context, SHOW, { query, files: wanted, maxMs }, maxMs);
  return files.flatMap(({ repository, index, score, count }, at) => {
    const file = shown?.[at];
    return file ? [{ ...file, repository, branch: index.branch, commitId: index.commit_id, score, count }] : [];
  });
}
