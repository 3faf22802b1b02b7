import type { Context } from '../../context.ts';
import { readCommits } from '../../git/commits.ts';
import { GitError, runGit } from '../../git/process.ts';
import type { GitRepository } from '../../git/repository.ts';
import { peopleOf } from '../commits/people.ts';
import { verifyCommits } from '../commits/verify.ts';

/** Where a branch stood, null if it is new, and where it shall stand. */
export interface PushedRange {
  readonly before: string | null;
  readonly after: string;
}

const MAX_OUTPUT = 64 * 1024 * 1024;
/** So many commits are verified at a time. */
const BATCH = 100;

/** Whether commits of the branch get lost: `after` does not come after `before`. */
export async function isRewritten(folder: GitRepository, before: string, after: string): Promise<boolean> {
  try {
    const { code } = await git(folder, ['merge-base', '--is-ancestor', '--end-of-options', before, after]);
    return code !== 0;
  } catch (error) {
    // What is no commit, or not there: git will not move the ref then.
    if (error instanceof GitError) return true;
    throw error;
  }
}

/**
 * The paths that differ, a renamed file as the two paths it has had. Of a new branch, those of the commits that no other branch
 * has.
 */
export async function pushedPaths(folder: GitRepository, { before, after }: PushedRange): Promise<string[]> {
  const names = ['-z', '--name-only', '--no-renames'];
  const { stdout } =
    before === null
      ? await git(folder, ['log', '--format=', '-c', ...names, after, '--not', '--branches', '--'])
      : await git(folder, ['diff-tree', '-r', ...names, '--end-of-options', before, after, '--']);
  return [...new Set(stdout.toString('utf8').split('\0'))].map((path) => path.replace(/^\n/, '')).filter((path) => path !== '');
}

/** The id of the first new commit that has no valid signature, the newest first; undefined if all have one. */
export async function firstUnverified(
  context: Context,
  folder: GitRepository,
  { before, after }: PushedRange,
): Promise<string | undefined> {
  const range = before === null ? [after, '--not', '--all'] : [after, `^${before}`];
  const { stdout } = await git(folder, ['rev-list', ...range, '--']);
  const ids = stdout.toString('latin1').split('\n').filter(Boolean);
  for (let at = 0; at < ids.length; at += BATCH) {
    const wanted = ids.slice(at, at + BATCH);
    const commits = await readCommits(folder, context.git.pool, wanted);
    const verifications = await verifyCommits(context, commits, await peopleOf(context, commits));
    const index = verifications.findIndex(({ verified }) => !verified);
    if (index >= 0 || commits.length < wanted.length) return commits[index]?.oid ?? wanted[0];
  }
  return undefined;
}

function git(folder: GitRepository, args: readonly string[]) {
  return runGit(args, { cwd: folder.path, env: folder.quarantine ?? {}, okCodes: [1], maxOutput: MAX_OUTPUT });
}
