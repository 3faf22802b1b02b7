import { type Commit, readCommit } from '../objects/commits.ts';
import type { GitPool } from '../objects/objects.ts';
import { runGit } from '../processes/process.ts';
import { compareNames } from '../refs/ref-names.ts';
import { emptyTreeId, type GitRepository } from '../repository.ts';
import { type ChangedFile, changeReaders, parseChangesInSlices } from './diff-tree.ts';

export type { ChangedFile } from './diff-tree.ts';

/** The differences between two trees. */
export interface Changes {
  /** Ordered by path. */
  readonly files: readonly ChangedFile[];
  readonly additions: number;
  readonly deletions: number;
}

/** Which differences in white space are ignored. */
export type Whitespace = 'ignore-all' | 'ignore-change' | 'ignore-eol';

/** git's options for them. */
export const WHITESPACE_FLAGS: Readonly<Record<Whitespace, string>> = {
  'ignore-all': '--ignore-all-space',
  'ignore-change': '--ignore-space-change',
  'ignore-eol': '--ignore-space-at-eol',
};

/** Timeout: comparing two distant commits of a large repository may take this long. */
const TIMEOUT_MS = 60_000;
const MAX_OUTPUT = 64 * 1024 * 1024;

/**
 * The files that differ between two commits or trees, with renames detected as by `git diff`.
 * @throws GitLimitError if that takes too long or there are too many
 */
export function changedFiles(
  repository: GitRepository,
  pool: GitPool,
  base: string,
  head: string,
  options: { whitespace?: Whitespace } = {},
): Promise<Changes> {
  const { whitespace } = options;
  const compute = async () => {
    const flags = whitespace === undefined ? [] : [WHITESPACE_FLAGS[whitespace]];
    const args = ['diff-tree', ...changeReaders.formats, ...flags, '--end-of-options', base, head, '--'];
    const where = { cwd: repository.path, ...(repository.quarantine && { env: repository.quarantine }) };
    const { stdout } = await runGit(args, { ...where, timeoutMs: TIMEOUT_MS, maxOutput: MAX_OUTPUT });
    const files = await parseChangesInSlices(stdout);
    return sum(whitespace === undefined ? files : files.filter((file) => !isOnlyWhitespace(file)));
  };
  return pool.cache.remember(repository, `changes ${base} ${head} ${whitespace ?? ''}`, changesBytes, compute);
}

/**
 * The changes of each commit compared with its first parent (a first commit: with an empty tree), by id. Ids of other objects are left out.
 * @throws GitLimitError if one of them takes too long or changes too much
 */
export async function commitChanges(repository: GitRepository, pool: GitPool, oids: readonly string[]): Promise<Map<string, Changes>> {
  const all = await Promise.all(oids.map((oid) => changesOf(repository, pool, oid)));
  const changes = new Map<string, Changes>();
  oids.forEach((oid, i) => {
    const found = all[i];
    if (found) changes.set(oid, found);
  });
  return changes;
}

/** A file of a commit, without rename detection. */
interface PlainChange {
  path: string;
  status: 'added' | 'removed' | 'modified';
}

/** The files of a commit without rename detection: a renamed file is listed as one removed and one added. */
export function withoutRenames(files: readonly ChangedFile[]): PlainChange[] {
  const changes = files.flatMap((file): PlainChange[] => {
    const { path, oldPath, status } = file;
    if (status === 'added' || status === 'copied') return [{ path, status: 'added' }];
    if (status === 'removed' || status === 'modified') return [{ path, status }];
    if (status !== 'renamed') return [];
    return [
      { path: oldPath ?? '', status: 'removed' },
      { path, status: 'added' },
    ];
  });
  return files.some(({ status }) => status === 'renamed') ? changes.sort((a, b) => compareNames(a.path, b.path)) : changes;
}

async function changesOf(repository: GitRepository, pool: GitPool, oid: string): Promise<Changes | undefined> {
  const cached = pool.cache.get<{ value: Changes }>(repository, `commit-changes ${oid}`);
  if (cached) return cached.value;
  const commit = await readCommit(repository, pool, oid);
  if (!commit) return undefined;
  const compute = async () => {
    const before = await treeBefore(repository, pool, commit);
    if (before === commit.tree) return sum([]);
    return sum(await pool.processes.request(changeReaders, repository, (git) => git.compare(before, commit.tree)));
  };
  return pool.cache.remember(repository, `commit-changes ${oid}`, changesBytes, compute);
}

async function treeBefore(repository: GitRepository, pool: GitPool, commit: Commit): Promise<string> {
  const [first] = commit.parents;
  const parent = first === undefined ? undefined : await readCommit(repository, pool, first);
  // In a shallow history the parent of the last commit is missing: everything counts as added.
  return parent?.tree ?? emptyTreeId(repository.objectFormat);
}

function sum(files: readonly ChangedFile[]): Changes {
  return {
    files,
    additions: files.reduce((total, file) => total + file.additions, 0),
    deletions: files.reduce((total, file) => total + file.deletions, 0),
  };
}

function changesBytes(changes: Changes): number {
  // Includes what is presented of them.
  return 200 + 550 * changes.files.length;
}

function isOnlyWhitespace(file: ChangedFile): boolean {
  return file.status === 'modified' && !file.binary && file.oldMode === file.mode && file.additions + file.deletions === 0;
}
