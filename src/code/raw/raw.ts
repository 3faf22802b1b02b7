import { Readable } from 'node:stream';
import { isPublicRepository, type Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { lastCommit } from '../../git/history/last-commits.ts';
import { type Commit, readCommit } from '../../git/objects/commits.ts';
import type { TreeEntry } from '../../git/objects/tree-entry.ts';
import { isValidRefName } from '../../git/refs/ref-names.ts';
import { readRef } from '../../git/refs/refs.ts';
import { isCommitIdLike, resolveCommit } from '../../git/refs/revisions.ts';
import { peelToCommit } from '../../git/refs/tags.ts';
import { type GitRepository, isObjectId } from '../../git/repository.ts';
import { findEntry } from '../../git/trees/trees.ts';
import { type ByteRange, bytesOfRange } from '../../http/byte-range.ts';
import { contentDisposition } from '../../http/content-disposition.ts';
import { notFound } from '../../http/errors.ts';
import { policyFor, SNIFFED_BYTES, servableType } from '../../http/media-type.ts';
import type { HttpResponse } from '../../http/responses.ts';
import type { RequestParts } from '../../http/route.ts';
import { serveBytes } from '../../http/serve-bytes.ts';
import { findRenamedBranch, redirectRenamedBranch } from '../branches/renamed.ts';
import { cleanPath } from '../contents/contents.ts';

/** A file to serve. */
export interface RawFile {
  /** The git repository with the file. */
  readonly folder: GitRepository;
  readonly entry: TreeEntry;
  readonly path: string;
  readonly size: number;
  /** The time of the commit that last changed it, in seconds since 1970. */
  readonly modified: number | undefined;
}

/** How many parts of a path may belong to a ref's name. */
const MAX_REF_PARTS = 32;

/** How long clients may cache the bytes, in seconds. */
const MAX_AGE = 6 * 60 * 60;

/** Smaller files are read at once, larger ones are streamed. */
const MAX_BUFFERED = 256 * 1024;

/**
 * The file at a path, which may begin with the name of a branch or tag or the id of a commit.
 * @param ref put before the path; an unknown ref means the default branch
 * @throws HttpError 404
 */
export async function findRawFile(context: Context, repository: Repository, path: string, ref: string | undefined): Promise<RawFile> {
  const found = await splitRef(context, repository, path, ref?.trim() ?? '');
  if (!found) throw notFound(null, 'unable to find a git ref');
  return rawFileAt(context, context.git.locate(repository), found.commit, found.path);
}

/**
 * The commit of a ref's name; an unknown ref means the default branch.
 * @throws HttpError 404
 */
export async function findLenientCommit(context: Context, repository: Repository, ref: string | undefined): Promise<Commit> {
  const found = await splitRef(context, repository, '', ref?.trim() ?? '');
  if (!found) throw notFound(null, 'unable to find a git ref');
  return found.commit;
}

/**
 * The file at a path in a branch, tag or commit whose name is the first part of the path.
 * @param url the requested URL
 * @throws HttpError 404; MovedError for the former name of a branch
 */
export async function findRawFileIn(
  context: Context,
  repository: Repository,
  { kind, path, url }: { kind: 'branch' | 'tag' | 'commit'; path: string; url: string },
): Promise<RawFile> {
  const names = path.split('/');
  const found =
    kind === 'commit'
      ? await commitFirst(context, repository, names)
      : ((await refFirst(context, repository, kind, names)) ??
        (kind === 'branch' && names[0] === 'HEAD' ? await inDefaultBranch(context, repository, names.slice(1)) : undefined));
  if (!found && kind === 'branch') await redirectRenamedBranch(context, repository, names, url);
  if (!found) throw notFound(null, 'unable to find a git ref');
  return rawFileAt(context, context.git.locate(repository), found.commit, found.path);
}

/** The file name for a blob that is requested by its id alone, as clients expect. */
const NAMELESS = '.';

/**
 * The blob with a full id.
 * @throws HttpError 404, also for objects of other types
 */
export async function findRawBlob(context: Context, repository: Repository, oid: string): Promise<RawFile> {
  const folder = context.git.locate(repository);
  const info = isObjectId(oid, repository.object_format) ? await context.git.pool.info(folder, oid) : undefined;
  if (info?.type !== 'blob') throw notFound();
  return { folder, entry: { mode: '100644', type: 'blob', oid, name: NAMELESS }, path: NAMELESS, size: info.size, modified: undefined };
}

/**
 * The branch that a path begins with, its newest commit, and the path after its name.
 * @param url the requested URL
 * @throws HttpError 404; MovedError for the former name of a branch
 */
export async function findBranchIn(
  context: Context,
  repository: Repository,
  given: string,
  url: string,
): Promise<Split & { name: string }> {
  const found = await refFirst(context, repository, 'branch', given.split('/'));
  if (!found) await redirectRenamedBranch(context, repository, given.split('/'), url);
  if (!found) throw notFound(null, 'unable to find a git ref');
  const isWhole = found.path === '' && !given.endsWith('/');
  return { ...found, name: isWhole ? given : given.slice(0, given.length - found.path.length - 1) };
}

/** Serves the bytes of a file: as an image, audio, video or plain text, never as something that a browser runs. */
export async function serveRawFile(context: Context, repository: Repository, file: RawFile, request: RequestParts): Promise<HttpResponse> {
  const isPublic = isPublicRepository(repository) && !context.settings.access.requireSignInView;
  const type = servableType(await headOf(context, file));
  return serveBytes(request, {
    size: file.size,
    type,
    etag: file.entry.oid,
    modified: file.modified,
    headers: {
      'x-gitea-object-type': file.entry.mode === '120000' ? 'symlink' : 'file',
      'content-disposition': contentDisposition('inline', file.path),
      'access-control-expose-headers': 'Content-Disposition',
      ...policyFor(type),
      'cache-control': `${isPublic ? 'public' : 'private'}, max-age=${MAX_AGE}, no-transform`,
    },
    beyond: 'invalid start range',
    open: (range) => openRawFile(context, file, range),
  });
}

/** The first bytes of a file. */
export async function headOf(context: Context, { folder, entry, size }: RawFile): Promise<Buffer> {
  if (size <= MAX_BUFFERED) {
    const blob = await context.git.pool.read(folder, entry.oid, { maxSize: MAX_BUFFERED });
    return blob?.data.subarray(0, SNIFFED_BYTES) ?? Buffer.alloc(0);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of context.git.pool.createReadStream(folder, entry.oid) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    if (chunks.reduce((length, { length: more }) => length + more, 0) >= SNIFFED_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, SNIFFED_BYTES);
}

/** The bytes of a file, or those of a range. */
export async function openRawFile(
  context: Context,
  { folder, entry, size }: RawFile,
  range: ByteRange | undefined,
): Promise<Buffer | Readable> {
  if (size <= MAX_BUFFERED) {
    const { data } = (await context.git.pool.read(folder, entry.oid, { maxSize: MAX_BUFFERED })) ?? { data: Buffer.alloc(0) };
    return range ? data.subarray(range.start, range.end + 1) : data;
  }
  const stream = context.git.pool.createReadStream(folder, entry.oid);
  return range ? Readable.from(bytesOfRange(stream, range), { objectMode: false }) : stream;
}

/**
 * The file at a path in a commit.
 * @throws HttpError 404
 */
export async function rawFileAt(context: Context, folder: GitRepository, commit: Commit, given: string): Promise<RawFile> {
  const { pool } = context.git;
  const path = cleanPath(given);
  const entry = path === undefined ? undefined : await findEntry(folder, pool, commit.tree, path);
  if (!entry || path === undefined) throw notFound();
  if (entry.type !== 'blob') throw notFound(null, 'getBlobForEntry');
  const info = await pool.info(folder, entry.oid);
  const changed = await lastCommit(folder, pool, commit.oid, path);
  const last = changed === undefined ? undefined : await readCommit(folder, pool, changed);
  return { folder, entry, path, size: info?.size ?? 0, modified: last?.committer.seconds };
}

/** The commit of a ref that a path begins with, and the path after the ref's name. */
export interface Split {
  commit: Commit;
  path: string;
}

async function splitRef(context: Context, repository: Repository, path: string, ref: string): Promise<Split | undefined> {
  const names = (ref === '' ? path : `${ref}/${path}`).split('/');
  const found =
    (await refFirst(context, repository, 'branch', names)) ??
    (names[0] === 'HEAD' ? await inDefaultBranch(context, repository, names.slice(1)) : undefined) ??
    (await refFirst(context, repository, 'tag', names)) ??
    (await ancestorFirst(context, repository, names));
  if (found) return found;
  if (isObjectId(names[0] ?? '', repository.object_format)) return commitFirst(context, repository, names);
  // The default branch is not a substitute for a renamed one, nor for the name of an object such as `main:a.txt`.
  if (ref.includes(':') || (await findRenamedBranch(context, repository, names))) return undefined;
  return inDefaultBranch(context, repository, path.split('/'));
}

function inDefaultBranch(context: Context, repository: Repository, names: readonly string[]): Promise<Split | undefined> {
  return refFirst(context, repository, 'branch', [...repository.default_branch.split('/'), ...names]);
}

/** Tries the first part as a ref's name, the first two, and so on: no ref's name is a prefix of another's. */
export async function refFirst(
  context: Context,
  repository: Repository,
  kind: 'branch' | 'tag',
  names: readonly string[],
): Promise<Split | undefined> {
  const located = context.git.locate(repository);
  const { pool } = context.git;
  for (let parts = 1; parts <= Math.min(names.length, MAX_REF_PARTS); parts++) {
    const name = names.slice(0, parts).join('/');
    if (!isValidRefName(name)) return undefined;
    const ref = await readRef(located, pool, `refs/${kind === 'branch' ? 'heads' : 'tags'}/${name}`);
    if (!ref) continue;
    const oid = await peelToCommit(located, pool, ref.oid);
    const commit = oid === undefined ? undefined : await readCommit(located, pool, oid);
    return commit && { commit, path: names.slice(parts).join('/') };
  }
  return undefined;
}

/** A name may go back from a branch or tag: `main~1`. */
async function ancestorFirst(context: Context, repository: Repository, names: readonly string[]): Promise<Split | undefined> {
  const located = context.git.locate(repository);
  const end = names.findIndex((name) => /[~^]/.test(name)) + 1;
  for (const kind of end > 0 ? ['heads', 'tags'] : []) {
    const oid = await resolveCommit(located, context.git.pool, `refs/${kind}/${names.slice(0, end).join('/')}`);
    const commit = oid === undefined ? undefined : await readCommit(located, context.git.pool, oid);
    if (commit) return { commit, path: names.slice(end).join('/') };
  }
  return undefined;
}

/** The commit whose id, possibly abbreviated, is the first part. */
export async function commitFirst(context: Context, repository: Repository, names: readonly string[]): Promise<Split | undefined> {
  const located = context.git.locate(repository);
  const [id = ''] = names;
  const isWhole = isObjectId(id, repository.object_format);
  const isShort = !isWhole && isCommitIdLike(id, located);
  const found = isShort ? await context.git.pool.commitByPrefix(located, id) : id;
  const named = id === 'HEAD' ? await resolveCommit(located, context.git.pool, id) : found;
  const oid = named === undefined ? undefined : await peelToCommit(located, context.git.pool, named);
  const commit = oid === undefined ? undefined : await readCommit(located, context.git.pool, oid);
  return commit && { commit, path: names.slice(1).join('/') };
}
