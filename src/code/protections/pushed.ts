import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { readCommits } from '../../git/objects/commits.ts';
import { GitError, runGit } from '../../git/processes/process.ts';
import { listRefs } from '../../git/refs/refs.ts';
import type { GitRepository } from '../../git/repository.ts';
import { peopleOf } from '../commits/people.ts';
import { verifyCommits } from '../commits/verify.ts';
import { branchRules, rulesFor } from './rules.ts';

/** The old and the new commit of a branch. */
export interface MovedRange {
  readonly before: string;
  readonly after: string;
}

/** The commit of a new branch, and the commits that it is compared with ({@link knownTips}). */
export interface NewRange {
  readonly known: readonly string[];
  readonly after: string;
}

const BRANCHES = 'refs/heads/';
const MAX_OUTPUT = 64 * 1024 * 1024;
/** How many commits are verified at a time. */
const BATCH = 100;

/** Whether commits of the branch are lost: `after` does not descend from `before`. */
export async function isRewritten(folder: GitRepository, before: string, after: string): Promise<boolean> {
  try {
    const { code } = await git(folder, ['merge-base', '--is-ancestor', '--end-of-options', before, after]);
    return code !== 0;
  } catch (error) {
    // Not a commit, or missing: git will not move the ref then.
    if (error instanceof GitError) return true;
    throw error;
  }
}

/**
 * The commits that a new branch is compared with: the default branch, and the branches with the same rule. Commits that are only on other
 * branches have not been checked by the rule.
 * @throws HttpError 422 where matching takes too long
 */
export async function knownTips(context: Context, repository: Repository, branch: string): Promise<string[]> {
  const rules = await branchRules(context.db, repository.id);
  const refs = (await listRefs(context.git.locate(repository), context.git.pool, BRANCHES)).filter(
    ({ name }) => name !== BRANCHES + branch,
  );
  const names = refs.map(({ name }) => name.slice(BRANCHES.length));
  const [rule, ...others] = await rulesFor(context, rules, [branch, ...names]);
  const isKnown = (at: number) => names[at] === repository.default_branch || (rule !== undefined && others[at] === rule);
  return refs.filter((_, at) => isKnown(at)).map(({ oid }) => oid);
}

/** The changed paths, with both paths of a renamed file. For a new branch, those of its new commits. */
export async function pushedPaths(folder: GitRepository, range: MovedRange | NewRange): Promise<string[]> {
  const names = ['-z', '--name-only', '--no-renames'];
  const { stdout } =
    'known' in range
      ? await git(folder, ['log', '--format=', '-c', ...names, '--stdin'], revisions(range))
      : await git(folder, ['diff-tree', '-r', ...names, '--end-of-options', range.before, range.after, '--']);
  return [...new Set(stdout.toString('utf8').split('\0'))].map((path) => path.replace(/^\n/, '')).filter((path) => path !== '');
}

/** The id of the first new commit without a valid signature, newest first; undefined if all have one. */
export async function firstUnverified(context: Context, folder: GitRepository, range: MovedRange | NewRange): Promise<string | undefined> {
  const { stdout } = await git(folder, ['rev-list', '--stdin'], revisions(range));
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

/** In the form of git's standard input. */
function revisions(range: MovedRange | NewRange): string {
  const excluded = 'known' in range ? range.known : [range.before];
  return [range.after, ...excluded.map((oid) => `^${oid}`)].map((line) => `${line}\n`).join('');
}

function git(folder: GitRepository, args: readonly string[], input = '') {
  return runGit(args, { cwd: folder.path, env: folder.quarantine ?? {}, okCodes: [1], maxOutput: MAX_OUTPUT, input });
}
