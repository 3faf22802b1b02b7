import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { resolveObject } from '../../git/refs/revisions.ts';
import { peel } from '../../git/refs/tags.ts';
import type { GitRepository } from '../../git/repository.ts';
import { type PathEntry, readTreeRecursive } from '../../git/trees/tree-listing.ts';
import { blobSizes, findEntry, readTree } from '../../git/trees/trees.ts';
import { badRequest } from '../../http/errors.ts';
import type { Shape } from '../../http/schema.ts';
import { serializerOf } from '../../http/server/serialization.ts';
import { repositoryApiUrl } from '../../repositories/urls.ts';
import { ownBytes } from '../../text/own-bytes.ts';
import { wholeId } from '../revision.ts';
import { type GitEntry, GitTreeResponse } from './schema.ts';

/** The requested part of a tree. */
export interface TreeQuery {
  /** With everything below its folders. */
  recursive?: boolean | undefined;
  page?: number | undefined;
  per_page?: number | undefined;
}

/** A serialized page of a tree, for the cache: building it takes longer than all the rest, and it never changes. */
export interface TreeResponse {
  readonly json: Buffer;
  /** The number of entries of all pages. */
  readonly total: number;
}

/**
 * A page of the tree of a revision or of the id of a commit, tag or tree.
 * @throws HttpError 400 if there is no such tree
 */
export async function treeResponse(context: Context, repository: Repository, given: string, query: TreeQuery): Promise<TreeResponse> {
  const located = context.git.locate(repository);
  const { pool } = context.git;
  const unknown = () => badRequest(`sha not found [${given}]`);
  const sha = await treeishOf(context, located, given);
  if (sha === undefined) throw unknown();
  const { treesPageSize } = context.settings.api;
  const part = {
    sha,
    recursive: query.recursive ?? false,
    page: Math.max(query.page ?? 1, 1),
    limit: query.per_page && query.per_page > 0 ? Math.min(query.per_page, treesPageSize) : treesPageSize,
    apiUrl: repositoryApiUrl(context.settings, repository),
  };
  const compute = async () => {
    const tree = await presentTree(context, located, part);
    if (!tree) throw unknown();
    return { json: ownBytes(Buffer.from(serializerOf(GitTreeResponse)(tree))), total: tree.total_count };
  };
  return pool.cache.remember(located, `tree-json ${JSON.stringify(part)}`, ({ json }) => json.length, compute);
}

interface TreePart {
  sha: string;
  recursive: boolean;
  page: number;
  limit: number;
  apiUrl: string;
}

async function presentTree(
  context: Context,
  located: GitRepository,
  { sha, recursive, page, limit, apiUrl }: TreePart,
): Promise<Shape<typeof GitTreeResponse> | undefined> {
  const tree = await treeOf(context, located, sha);
  const listing = tree === undefined ? undefined : await entriesOf(context, located, tree, recursive);
  if (!listing) return undefined;
  const { entries } = listing;
  const shown = entries.slice((page - 1) * limit, page * limit);
  const sizes = await blobSizes(located, context.git.pool, shown);
  return {
    sha,
    url: `${apiUrl}/git/trees/${sha}`,
    tree: shown.length === 0 ? null : shown.map((entry) => presentEntry(apiUrl, entry, sizes.get(entry.oid) ?? 0)),
    truncated: shown.length > 0 && (page * limit < entries.length || listing.truncated),
    page,
    total_count: entries.length,
  };
}

/** The requested object: a commit, tag or tree, or the folder of one as in `main:src`. */
async function treeishOf(context: Context, located: GitRepository, given: string): Promise<string | undefined> {
  const colon = given.indexOf(':');
  if (colon <= 0) return resolveObject(located, context.git.pool, wholeId(given));
  const root = await resolveObject(located, context.git.pool, wholeId(given.slice(0, colon)));
  const tree = root === undefined ? undefined : await treeOf(context, located, root);
  const entry =
    tree === undefined ? undefined : await findEntry(located, context.git.pool, tree, given.slice(colon + 1).replace(/\/$/, ''));
  return entry?.type === 'tree' ? entry.oid : undefined;
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
