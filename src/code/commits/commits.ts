import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { countCommits, type HistoryFilter, listCommits } from '../../git/history/log.ts';
import { type Commit, readCommit, readCommits } from '../../git/objects/commits.ts';
import { parseRfc3339 } from '../../git/objects/format-identity.ts';
import { isValidRefName } from '../../git/refs/ref-names.ts';
import { resolveCommit } from '../../git/refs/revisions.ts';
import { conflict, HttpError, notFound, unprocessable } from '../../http/errors.ts';
import { type Page, pageOf } from '../../http/paging.ts';
import { cleanPath } from '../contents/contents.ts';
import { wholeId } from '../revision.ts';

/** The requested commits. */
export interface CommitQuery {
  /** The newest commit: a branch, tag or commit; the default branch if left out. */
  sha?: string | undefined;
  /** Only commits that changed this file or folder. */
  path?: string | undefined;
  /** RFC 3339. */
  since?: string | undefined;
  until?: string | undefined;
  /** Excludes the commits of this revision. */
  not?: string | undefined;
  page?: number | undefined;
  limit?: number | undefined;
}

/** A page of a history. */
export interface CommitPage {
  readonly commits: Commit[];
  /** The number of commits of the history, whatever their dates. */
  readonly total: number;
  readonly page: Page;
}

/** The fixed page size for the commits of one path. */
const PATH_PAGE_SIZE = 50;

/**
 * A page of a history.
 * @throws HttpError 404 for an unknown revision or a path without history; 409 for an empty repository; 422 for invalid dates
 */
export async function pageOfCommits(context: Context, repository: Repository, query: CommitQuery): Promise<CommitPage> {
  const since = readTime('since', query.since);
  const until = readTime('until', query.until);
  if (repository.is_empty) throw conflict('Git Repository is empty.');
  const located = context.git.locate(repository);
  const { pool } = context.git;
  const page = pageOf(context, query);
  const head = await revision(context, repository, query.sha || `refs/heads/${repository.default_branch}`);
  const exclude = query.not ? [await revision(context, repository, query.not)] : undefined;
  // The root is a path as well: an empty commit is not in its history.
  const cleaned = query.path ? cleanPath(query.path) : '';
  const path = query.path && cleaned === '' ? '.' : cleaned;
  if (path === undefined) throw notFound(null, 'FileCommitsCount');
  const history: HistoryFilter = { head, ...(exclude && { exclude }), ...(path !== '' && { path }) };
  const total = await countCommits(located, pool, history);
  if (path !== '' && total === 0) throw notFound(null, 'FileCommitsCount');
  const limit = query.path ? PATH_PAGE_SIZE : page.limit;
  const filter = { ...history, ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  const ids = await listCommits(located, pool, filter, { skip: (page.page - 1) * limit, limit });
  return { commits: await readCommits(located, pool, ids), total, page };
}

/**
 * The commit of a revision: a full or abbreviated id, a branch, a tag.
 * @throws HttpError 422 for an invalid revision; 404
 */
export async function getCommit(context: Context, repository: Repository, given: string): Promise<Commit> {
  if (!isValidRefName(given)) throw unprocessable(`no valid ref or sha: ${given}`);
  const located = context.git.locate(repository);
  const oid = await resolveCommit(located, context.git.pool, wholeId(given));
  const commit = oid === undefined ? undefined : await readCommit(located, context.git.pool, oid);
  if (!commit) throw notFound(null, `commit doesn't exist: ${given}`);
  return commit;
}

async function revision(context: Context, repository: Repository, given: string): Promise<string> {
  const oid = await resolveCommit(context.git.locate(repository), context.git.pool, wholeId(given));
  // Clients expect no further fields here.
  if (oid === undefined) throw new HttpError(404, 'not found', { body: null });
  return oid;
}

function readTime(name: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const time = parseRfc3339(text);
  if (!time) throw unprocessable(`invalid '${name}' format, expected ISO 8601 (RFC3339)`);
  return time.seconds;
}
