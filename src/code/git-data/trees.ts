import type { Context } from '../../context.ts';
import { readCommit } from '../../git/commits.ts';
import type { GitRepository } from '../../git/repository.ts';
import { resolveObject } from '../../git/revisions.ts';
import { peel } from '../../git/tags.ts';
import { blobSizes, type PathEntry, readTree, readTreeRecursive } from '../../git/trees.ts';
import { badRequest } from '../../http/errors.ts';
import type { Shape } from '../../http/schema.ts';
import { repositoryApiUrl } from '../../repositories/addresses.ts';
import type { Repository } from '../../repositories/find.ts';
import type { GitEntry, GitTreeResponse } from './schema.ts';

/** Which part of a tree is wanted. */
export interface TreeQuery {
  /** With everything below its folders. */
  recursive?: boolean | undefined;
  page?: number | undefined;
  per_page?: number | undefined;
}

/**
 * A page of the tree that a revision or an id of a commit, tag or tree means.
 * @throws HttpError 400 if there is no such tree
 */
export async function presentTree(
  context: Context,
  repository: Repository,
  given: string,
  query: TreeQuery,
): Promise<Shape<typeof GitTreeResponse>> {
  const located = context.git.locate(repository);
  const { pool } = context.git;
  const sha = await resolveObject(located, pool, given);
  const tree = sha === undefined ? undefined : await treeOf(context, located, sha);
  const listing = tree === undefined ? undefined : await entriesOf(context, located, tree, query.recursive ?? false);
  if (sha === undefined || !listing) throw badRequest(`sha not found [${given}]`);
  const { entries } = listing;
  const { treesPageSize } = context.settings.api;
  const limit = query.per_page && query.per_page > 0 ? Math.min(query.per_page, treesPageSize) : treesPageSize;
  const page = Math.max(query.page ?? 1, 1);
  const shown = entries.slice((page - 1) * limit, page * limit);
  const sizes = await blobSizes(located, pool, shown);
  const apiUrl = repositoryApiUrl(context.settings, repository);
  return {
    sha,
    url: `${apiUrl}/git/trees/${sha}`,
    tree: shown.length === 0 ? null : shown.map((entry) => presentEntry(apiUrl, entry, sizes.get(entry.oid) ?? 0)),
    truncated: shown.length > 0 && (page * limit < entries.length || listing.truncated),
    page,
    total_count: entries.length,
  };
}

async function treeOf(context: Context, repository: GitRepository, oid: string): Promise<string | undefined> {
  const target = await peel(repository, context.git.pool, oid);
  if (target?.type === 'tree') return target.oid;
  return target?.type === 'commit' ? (await readCommit(repository, context.git.pool, target.oid))?.tree : undefined;
}

async function entriesOf(
  context: Context,
  repository: GitRepository,
  tree: string,
  recursive: boolean,
): Promise<{ entries: readonly PathEntry[]; truncated: boolean } | undefined> {
  if (recursive) return readTreeRecursive(repository, context.git.pool, tree);
  const entries = await readTree(repository, context.git.pool, tree);
  return entries && { entries: entries.map((entry) => ({ ...entry, path: entry.name })), truncated: false };
}

function presentEntry(apiUrl: string, { path, mode, type, oid }: PathEntry, size: number): Shape<typeof GitEntry> {
  const url = type === 'commit' ? '' : `${apiUrl}/git/${type}s/${oid}`;
  return { path, mode, type, size, sha: oid, url };
}
