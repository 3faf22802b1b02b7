import type { Readable } from 'node:stream';
import { readCommit } from '../objects/commits.ts';
import type { GitPool } from '../objects/objects.ts';
import type { GitLimits } from '../processes/process.ts';
import { streamGit } from '../processes/stream.ts';
import { type GitRepository, isObjectId } from '../repository.ts';
import { WHITESPACE_FLAGS, type Whitespace } from './changes.ts';

/** The format of a diff: as of `git diff`, or mails of `git format-patch`. */
export type DiffFormat = 'diff' | 'patch';

/** Limits of a diff that is sent to a client. */
const LIMITS: Required<GitLimits> = { timeoutMs: 5 * 60_000, maxOutput: 1024 * 1024 * 1024 };

/** Names are not quoted, and lines are matched in the most readable way. */
const SETTINGS = ['-c', 'core.quotePath=false', '-c', 'diff.algorithm=histogram'];

/**
 * The changes of one commit compared with its first parent. The diff of a first commit begins with the commit's header, like that of
 * `git show`; the patch of a merge contains the commits that it merged.
 * @returns `undefined` if there is no such commit
 */
export async function commitDiff(
  repository: GitRepository,
  pool: GitPool,
  oid: string,
  format: DiffFormat,
  limits: GitLimits = {},
): Promise<Readable | undefined> {
  const commit = await readCommit(repository, pool, oid);
  if (!commit) return undefined;
  const [parent] = commit.parents;
  const options = { ...LIMITS, ...limits };
  if (format === 'patch') {
    const range = parent === undefined ? ['--root', '--end-of-options', oid] : ['--end-of-options', `${parent}..${oid}`];
    return streamGit(repository, [...SETTINGS, 'format-patch', '--no-signature', '--stdout', ...range], options);
  }
  const args = parent === undefined ? ['show', '--end-of-options', oid] : ['diff', '--find-renames', '--end-of-options', parent, oid];
  return streamGit(repository, [...SETTINGS, ...args, '--'], options);
}

/** The diff between two commits or trees, with full ids, in one piece. */
export function diffBetween(
  repository: GitRepository,
  base: string,
  head: string,
  options: GitLimits & { binary?: boolean; paths?: readonly string[]; context?: number; whitespace?: Whitespace | undefined } = {},
): Readable {
  checkIds(repository, base, head);
  const { binary = false, paths = [], context, whitespace, ...limits } = options;
  const args = [...SETTINGS, '--literal-pathspecs', 'diff', '--patch', '--find-renames'];
  if (binary) args.push('--binary');
  if (whitespace !== undefined) args.push(WHITESPACE_FLAGS[whitespace]);
  if (context !== undefined) args.push(`--unified=${Math.trunc(context)}`);
  return streamGit(repository, [...args, '--end-of-options', base, head, '--', ...paths], { ...LIMITS, ...limits });
}

/** The commits of `head` that `base` does not have, with full ids, as mails, oldest first; including binary files. */
export function patchesBetween(repository: GitRepository, base: string, head: string, limits: GitLimits = {}): Readable {
  checkIds(repository, base, head);
  const args = ['format-patch', '--binary', '--stdout', '--end-of-options', `${base}..${head}`];
  return streamGit(repository, [...SETTINGS, ...args], { ...LIMITS, ...limits });
}

function checkIds(repository: GitRepository, ...ids: string[]): void {
  for (const id of ids) if (!isObjectId(id, repository.objectFormat)) throw new TypeError(`${JSON.stringify(id)} is not an object id`);
}
