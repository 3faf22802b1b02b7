import { existsSync } from 'node:fs';
import type { Repository } from '../access/find-repository.ts';
import { type RawFile, rawFileAt } from '../code/raw/raw.ts';
import { missingObject } from '../code/revision.ts';
import type { Context } from '../context.ts';
import { lastCommit, lastCommits } from '../git/history/last-commits.ts';
import { countCommits, listCommits } from '../git/history/log.ts';
import { type Commit, readCommit, readCommits } from '../git/objects/commits.ts';
import type { TreeEntry } from '../git/objects/tree-entry.ts';
import { branchRef } from '../git/refs/ref-names.ts';
import { readRef } from '../git/refs/refs.ts';
import type { GitRepository } from '../git/repository.ts';
import { findEntry, readTree } from '../git/trees/trees.ts';
import { notFound } from '../http/errors.ts';
import type { Page } from '../http/paging.ts';
import { fileOfPage, pageOfFile } from './names.ts';

/** A wiki as it is now. */
export interface WikiState {
  readonly folder: GitRepository;
  readonly head: Commit;
}

/** A page with the commit that changed it last. */
export interface ListedPage {
  /** Its name in URLs. */
  readonly page: string;
  readonly commit: Commit;
}

/** The text of a page at a commit; undefined if it is larger than the API sends. */
export interface PageText {
  readonly commit: Commit;
  readonly content: Buffer | undefined;
}

/** A page with its text. */
export interface WholePage extends ListedPage {
  /** Undefined if it is larger than the API sends. */
  readonly content: Buffer | undefined;
  readonly commitsCount: number;
  readonly sidebar: Buffer | undefined;
  readonly footer: Buffer | undefined;
}

/** Revisions of one page. */
const REVISIONS = 50;

/**
 * The wiki of a repository.
 * @throws HttpError 404 if there is no wiki
 */
export async function wikiState({ git }: Context, repository: Repository): Promise<WikiState> {
  const folder = git.locateWiki(repository);
  if (!existsSync(folder.path)) throw notFound(['no such file or directory']);
  const name = branchRef(repository.default_wiki_branch);
  const ref = await readRef(folder, git.pool, name);
  const head = ref && (await readCommit(folder, git.pool, ref.oid));
  if (!head) throw notFound([missingObject(name)]);
  return { folder, head };
}

/**
 * A page by its name in URLs.
 * @throws HttpError 404
 */
export async function getPage(context: Context, repository: Repository, page: string): Promise<WholePage> {
  const wiki = await wikiState(context, repository);
  const { pool } = context.git;
  const { path, entry } = await fileIn(context, wiki, page);
  const changedBy = await lastCommit(wiki.folder, pool, wiki.head.oid, path);
  const commit = changedBy && (await readCommit(wiki.folder, pool, changedBy));
  if (!commit) throw notFound();
  return {
    page,
    commit,
    content: await textOf(context, wiki, entry),
    commitsCount: await countCommits(wiki.folder, pool, { head: wiki.head.oid, path }),
    sidebar: await textAt(context, wiki, '_Sidebar'),
    footer: await textAt(context, wiki, '_Footer'),
  };
}

/** The pages, a page of them in the order of their files, and how many files there are. Files that are not pages count, but are not shown. */
export async function listPages(context: Context, repository: Repository, page: Page): Promise<{ pages: ListedPage[]; total: number }> {
  const { folder, head } = await wikiState(context, repository);
  const { pool } = context.git;
  const entries = (await readTree(folder, pool, head.tree)) ?? [];
  const shown = entries.slice(page.offset, page.offset + page.limit).flatMap((entry) => {
    const name = isFile(entry) ? pageOfFile(entry.name) : undefined;
    return name === undefined ? [] : [{ file: entry.name, page: name }];
  });
  const changedBy = shown.length > 0 ? await lastCommits(folder, pool, head.oid, '') : undefined;
  const pages: ListedPage[] = [];
  for (const { file, page } of shown) {
    const oid = changedBy?.get(file);
    const commit = oid && (await readCommit(folder, pool, oid));
    if (commit) pages.push({ page, commit });
  }
  return { pages, total: entries.length };
}

/**
 * The commits that changed a page, newest first, a page of them.
 * @throws HttpError 404
 */
export async function listRevisions(
  context: Context,
  repository: Repository,
  page: string,
  number: number,
): Promise<{ commits: Commit[]; total: number }> {
  const wiki = await wikiState(context, repository);
  const { path } = await fileIn(context, wiki, page);
  const { pool } = context.git;
  const filter = { head: wiki.head.oid, path };
  const ids = await listCommits(wiki.folder, pool, filter, { skip: (number - 1) * REVISIONS, limit: REVISIONS });
  return { commits: await readCommits(wiki.folder, pool, ids), total: await countCommits(wiki.folder, pool, filter) };
}

/**
 * The bytes of a wiki file by its path, or of a page by its name in URLs.
 * @throws HttpError 404
 */
export async function rawWikiFile(context: Context, repository: Repository, path: string, page: string): Promise<RawFile> {
  const wiki = await wikiState(context, repository);
  const { folder, head } = wiki;
  if (await findEntry(folder, context.git.pool, head.tree, path)) return rawFileAt(context, folder, head, path);
  const found = await findFile(context, wiki, page);
  // Clients may add the ending of a page to the name of its file.
  return rawFileAt(context, folder, head, found?.path ?? fileOfPage(page).replace(/\.md$/, ''));
}

/**
 * The file of a page, if there is one: by the name that we give it, or by its name in URLs, which a push can use too. The text of a
 * symbolic link is its target path, which is not followed.
 */
export async function findFile(
  { git }: Pick<Context, 'git'>,
  { folder, head }: WikiState,
  page: string,
): Promise<{ path: string; entry: TreeEntry } | undefined> {
  for (const path of new Set([fileOfPage(page), `${page}.md`])) {
    const entry = await findEntry(folder, git.pool, head.tree, path);
    if (entry?.type === 'blob') return { path, entry };
  }
  return undefined;
}

async function fileIn(context: Context, wiki: WikiState, page: string): Promise<{ path: string; entry: TreeEntry }> {
  const found = await findFile(context, wiki, page);
  if (!found) throw notFound();
  return found;
}

/**
 * The text of a page; undefined if it is larger than the API sends.
 * @throws HttpError 404
 */
export async function textOfPage(context: Context, wiki: WikiState, page: string): Promise<Buffer | undefined> {
  return textOf(context, wiki, (await fileIn(context, wiki, page)).entry);
}

/** Links are not listed. */
function isFile({ mode }: TreeEntry): boolean {
  return mode === '100644' || mode === '100755';
}

async function textAt(context: Context, wiki: WikiState, page: string): Promise<Buffer | undefined> {
  const found = await findFile(context, wiki, page);
  return found && textOf(context, wiki, found.entry);
}

async function textOf({ git, settings }: Context, { folder }: WikiState, { oid }: TreeEntry): Promise<Buffer | undefined> {
  const { maxBlobSize } = settings.api;
  const size = (await git.pool.info(folder, oid))?.size ?? 0;
  return size > maxBlobSize ? undefined : (await git.pool.read(folder, oid, { maxSize: maxBlobSize }))?.data;
}
