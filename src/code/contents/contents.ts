import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { lastCommit, lastCommits } from '../../git/history/last-commits.ts';
import { type Commit, readCommits } from '../../git/objects/commits.ts';
import type { TreeEntry } from '../../git/objects/tree-entry.ts';
import type { GitRepository } from '../../git/repository.ts';
import { readSubmodules } from '../../git/trees/gitmodules.ts';
import { type LfsPointer, MAX_LFS_POINTER_SIZE, parseLfsPointer } from '../../git/trees/lfs-pointer.ts';
import { blobSizes, findEntry, readTree } from '../../git/trees/trees.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import { type CodeRevision, missingObject } from '../revision.ts';

/** A file, folder, symbolic link or submodule, with the requested details. */
export interface Content {
  readonly kind: 'file' | 'folder' | 'link' | 'submodule';
  readonly name: string;
  readonly path: string;
  readonly oid: string;
  /** Bytes of a file or link; 0 for others. */
  readonly size: number;
  /** The commit that last changed it, if that was requested. */
  readonly commit: Commit | undefined;
  readonly withDates: boolean;
  readonly withMessage: boolean;
  /** The content in base64, if it was requested and is not too large. */
  readonly text: string | undefined;
  /** The target of a link. */
  readonly target: string | undefined;
  readonly submoduleUrl: string | undefined;
  readonly lfs: LfsPointer | undefined;
}

/** The parts to include besides names, ids and sizes. */
export interface ContentParts {
  /** The bytes of a single file. */
  content?: boolean;
  /** The contents of an LFS pointer; included with the bytes in any case. */
  lfs?: boolean;
  /** The id and dates of the commit that last changed it. */
  commit?: boolean;
  /** The message of that commit. */
  message?: boolean;
}

/** Maximum number of entries of a folder in one response; `git/trees` has pages. */
export const MAX_LISTED_ENTRIES = 20_000;

/** Longer targets of links are cut, as no file system follows them. */
const MAX_TARGET = 1024;

/**
 * The content at a path: one file, or the entries of a folder.
 * @throws HttpError 404 if nothing is there; 422 for a folder that is too large to list
 */
export async function readContents(
  context: Context,
  repository: Repository,
  revision: CodeRevision,
  given: string,
  parts: ContentParts,
): Promise<{ file: Content } | { folder: Content[] }> {
  const reader = new ContentReader(context, context.git.locate(repository), revision, parts);
  const path = cleanPath(given);
  const entry = path === undefined ? undefined : await reader.find(path);
  if (!entry || path === undefined) throw notFound([await reader.whyMissing(path ?? given)], 'GetContentsOrList');
  if (entry.type !== 'tree') return { file: await reader.file(entry, path) };
  return { folder: await reader.folder(entry, path) };
}

/**
 * Several files or folders, in the order of their paths; undefined for missing ones. The response ends early at the size limit of a
 * response, and with the last of a page.
 */
export async function readSeveral(
  context: Context,
  repository: Repository,
  revision: CodeRevision,
  paths: readonly string[],
): Promise<(Content | undefined)[]> {
  const { maxResponseSize, defaultPageSize } = context.settings.api;
  const reader = new ContentReader(context, context.git.locate(repository), revision, { content: true, commit: true });
  const contents: (Content | undefined)[] = [];
  let size = 0;
  for (const given of paths.slice(0, defaultPageSize)) {
    const path = cleanPath(given);
    const entry = path === undefined ? undefined : await reader.find(path);
    const content = entry && path !== undefined ? await reader.file(entry, path) : undefined;
    size += content?.text?.length ?? 0;
    if (size > maxResponseSize) break;
    contents.push(content);
  }
  return contents;
}

/** Resolves `.`, `..` and doubled slashes within the repository; undefined for an invalid path. */
export function cleanPath(given: string): string | undefined {
  const names: string[] = [];
  for (const name of given.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  if (given.includes('\0') || names.some((name) => name.toLowerCase() === '.git')) return undefined;
  return names.join('/');
}

/** Reads the requested parts of a revision's contents. */
class ContentReader {
  readonly #context: Context;
  readonly #repository: GitRepository;
  readonly #commit: Commit;
  readonly #parts: ContentParts;

  constructor(context: Context, repository: GitRepository, { commit }: CodeRevision, parts: ContentParts) {
    this.#context = context;
    this.#repository = repository;
    this.#commit = commit;
    this.#parts = parts;
  }

  get #pool() {
    return this.#context.git.pool;
  }

  find(path: string): Promise<TreeEntry | undefined> {
    return findEntry(this.#repository, this.#pool, this.#commit.tree, path);
  }

  /** The error of a path below a file has the file's id, any other has the path. */
  async whyMissing(path: string): Promise<string> {
    const names = path.split('/');
    for (let length = 1; length < names.length; length++) {
      const entry = await this.find(names.slice(0, length).join('/'));
      if (!entry) return missingObject('', names[length - 1]);
      if (entry.type !== 'tree') return missingObject(entry.oid);
    }
    return missingObject('', path);
  }

  /** One entry with its content. */
  async file(entry: TreeEntry, path: string): Promise<Content> {
    const wanted = this.#parts.commit || this.#parts.message;
    const last = wanted ? await lastCommit(this.#repository, this.#pool, this.#commit.oid, path) : undefined;
    const [commit] = await readCommits(this.#repository, this.#pool, last === undefined ? [] : [last]);
    const size = entry.type === 'blob' ? ((await this.#pool.info(this.#repository, entry.oid))?.size ?? 0) : 0;
    return this.#content(entry, path, { commit, size, alone: true });
  }

  /** The entries of a folder, without their contents. */
  async folder(folder: TreeEntry, path: string): Promise<Content[]> {
    const entries = (await readTree(this.#repository, this.#pool, folder.oid)) ?? [];
    if (entries.length > MAX_LISTED_ENTRIES) {
      throw unprocessable(`the folder has more than ${MAX_LISTED_ENTRIES} entries; git/trees lists them in pages`);
    }
    const wanted = this.#parts.commit || this.#parts.message;
    const last = wanted ? await lastCommits(this.#repository, this.#pool, this.#commit.oid, path) : undefined;
    const commits = await readCommits(this.#repository, this.#pool, [...new Set(last?.values())]);
    const byId = new Map(commits.map((commit) => [commit.oid, commit]));
    const sizes = await blobSizes(this.#repository, this.#pool, entries);
    return Promise.all(
      entries.map((entry) => {
        const commit = byId.get(last?.get(entry.name) ?? '');
        const at = path === '' ? entry.name : `${path}/${entry.name}`;
        return this.#content(entry, at, { commit, size: sizes.get(entry.oid) ?? 0, alone: false });
      }),
    );
  }

  async #content(
    entry: TreeEntry,
    path: string,
    { commit, size, alone }: { commit: Commit | undefined; size: number; alone: boolean },
  ): Promise<Content> {
    const kind = kindOf(entry);
    const data = kind === 'file' || kind === 'link' ? await this.#data(entry, kind, size, alone) : undefined;
    return {
      kind,
      name: entry.name,
      path,
      oid: entry.oid,
      size,
      commit,
      withDates: this.#parts.commit ?? false,
      withMessage: this.#parts.message ?? false,
      text: kind === 'file' && alone && this.#parts.content ? data?.toString('base64') : undefined,
      target: kind === 'link' ? (data?.toString('utf8', 0, MAX_TARGET) ?? '') : undefined,
      submoduleUrl: kind === 'submodule' ? (await this.#submodules()).get(path)?.url : undefined,
      lfs: kind === 'file' && data ? parseLfsPointer(data) : undefined,
    };
  }

  /** The bytes, if a part of them is returned. */
  async #data(entry: TreeEntry, kind: 'file' | 'link', size: number, alone: boolean): Promise<Buffer | undefined> {
    const { maxBlobSize } = this.#context.settings.api;
    const whole = alone && this.#parts.content && size <= maxBlobSize;
    const pointer = this.#parts.lfs && size < MAX_LFS_POINTER_SIZE;
    if (kind === 'file' && !whole && !pointer) return undefined;
    if (kind === 'link' && size > maxBlobSize) return undefined;
    return (await this.#pool.read(this.#repository, entry.oid, { maxSize: maxBlobSize }))?.data;
  }

  #submodules() {
    return readSubmodules(this.#repository, this.#pool, this.#commit.tree);
  }
}

function kindOf({ type, mode }: TreeEntry): Content['kind'] {
  if (type === 'tree') return 'folder';
  if (type === 'commit') return 'submodule';
  return mode === '120000' ? 'link' : 'file';
}
