import { Readable } from 'node:stream';
import { trimEnd } from '../text/trim-end.ts';
import { readCommit } from './objects/commits.ts';
import type { GitPool } from './objects/objects.ts';
import { GitLimitError, type GitLimits } from './processes/process.ts';
import { spoolGit } from './processes/spool.ts';
import { streamGit } from './processes/stream.ts';
import type { GitRepository } from './repository.ts';
import { countBelow } from './trees/tree-count.ts';
import { findEntry } from './trees/trees.ts';

/** The format of an archive of a repository. A bundle contains the history, the others one state of the files. */
export type ArchiveFormat = 'zip' | 'tar' | 'tar.gz' | 'bundle';

/** The extensions of archive names. There is none for a bare `tar`. */
const EXTENSIONS: readonly (readonly [extension: string, format: ArchiveFormat])[] = [
  ['.tar.gz', 'tar.gz'],
  ['.zip', 'zip'],
  ['.bundle', 'bundle'],
];

/** Splits `main.tar.gz` into the revision, which may be empty, and the format; `undefined` for an unknown format. */
export function parseArchiveName(name: string): { revision: string; format: ArchiveFormat } | undefined {
  const found = EXTENSIONS.find(([extension]) => name.endsWith(extension));
  return found && { revision: name.slice(0, -found[0].length), format: found[1] };
}

/** The contents of an archive. */
export interface ArchiveOptions extends GitLimits {
  readonly format: ArchiveFormat;
  /** The folder that contains all files, such as the repository's name; none if left out. */
  readonly prefix?: string;
  /** Only these files and folders; not for bundles. */
  readonly paths?: readonly string[];
  /** The stream begins when git has ended, at half the cost; not for bundles. */
  readonly isSpooled?: boolean;
}

/** Archives may be large and are often fetched slowly. */
const TIMEOUT_MS = 60 * 60_000;
const MAX_BYTES = 16 * 1024 ** 3;
/** Maximum number of files and folders of an archive. */
const MAX_ENTRIES = 2_000_000;

/**
 * An archive of a commit, as a stream. Files that `.gitattributes` marks `export-ignore` are left out. For one commit, format,
 * prefix and paths the bytes of all but bundles are always the same (for one version of git).
 * @returns `undefined` if there is no such commit, or nothing at one of the paths
 * @throws TypeError for a bundle with paths, which is not supported
 * @throws GitLimitError for too many files
 */
export async function createArchive(
  repository: GitRepository,
  pool: GitPool,
  oid: string,
  options: ArchiveOptions,
): Promise<Readable | undefined> {
  const { format, prefix, paths = [], isSpooled = false, ...limits } = options;
  if (format === 'bundle' && paths.length > 0) throw new TypeError('a bundle cannot be limited to paths');
  const commit = await readCommit(repository, pool, oid);
  if (!commit) return undefined;
  const entries = await Promise.all(paths.map((path) => findEntry(repository, pool, commit.tree, path)));
  if (entries.some((entry) => entry === undefined)) return undefined;
  const bounds = { timeoutMs: TIMEOUT_MS, maxOutput: MAX_BYTES, ...limits };
  if (format === 'bundle') return createBundle(repository, oid, bounds);
  const count = await countBelow(repository, pool, commit.tree, MAX_ENTRIES);
  if (count > MAX_ENTRIES) throw new GitLimitError(['archive'], null, `more than ${MAX_ENTRIES} files`);
  const args = ['--literal-pathspecs', 'archive', `--format=${format}`];
  if (prefix !== undefined && prefix !== '') args.push(`--prefix=${trimEnd(prefix, '/')}/`);
  // Times in a zip have no zone: the server's zone would make the bytes differ between servers.
  const command = [...args, '--end-of-options', oid, ...paths.filter((path) => path !== '')];
  return (isSpooled ? spoolGit : streamGit)(repository, command, { ...bounds, env: { TZ: 'UTC' } });
}

/** A bundle with the commit's history as branch `bundle` and `HEAD`: https://git-scm.com/docs/gitformat-bundle */
function createBundle(repository: GitRepository, oid: string, limits: GitLimits): Readable {
  const signature = repository.objectFormat === 'sha1' ? '# v2 git bundle\n' : '# v3 git bundle\n@object-format=sha256\n';
  const header = Buffer.from(`${signature}${oid} refs/heads/bundle\n${oid} HEAD\n\n`);
  const args = ['pack-objects', '--stdout', '--revs', '--delta-base-offset', '--quiet'];
  const pack = streamGit(repository, args, { ...limits, input: `${oid}\n` });
  return Readable.from(chain(header, pack), { objectMode: false });
}

async function* chain(first: Buffer, rest: Readable): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
