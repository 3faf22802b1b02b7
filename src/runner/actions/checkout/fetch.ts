import { RunnerProblem } from '../../problem.ts';
import type { CheckoutGit } from './git.ts';
import type { CheckoutInputs } from './inputs.ts';

/** The revision to check out. */
export interface CheckoutTarget {
  readonly ref: TargetRef;
  readonly commit: string;
}

interface TargetRef {
  /** At the server: a ref or the id of a commit. */
  readonly source: string;
  /** Undefined if it is not a branch. */
  readonly branch: string | undefined;
}

const FULL_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const FETCHED = 'refs/copse/fetched';

/**
 * Fetches what the inputs name.
 * @throws RunnerProblem for what is not there
 */
export async function fetchTarget(git: CheckoutGit, inputs: CheckoutInputs): Promise<CheckoutTarget> {
  const ref = await findRef(git, inputs);
  const { depth, isWithTags, filter, commit } = inputs;
  const options = [
    '--quiet',
    '--no-recurse-submodules',
    isWithTags ? '--tags' : '--no-tags',
    ...(depth > 0 ? [`--depth=${depth}`] : []),
    ...(filter === '' ? [] : [`--filter=${filter}`]),
  ];
  const source = commit || ref.source;
  const all = depth === 0 ? ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'] : [];
  const branch = ref.branch ? [`+${source}:refs/remotes/origin/${ref.branch}`] : [];
  // With all branches, the branch of the event may have moved on: its commit comes under a name of its own.
  const specs = depth === 0 ? [...all, `+${source}:${FETCHED}`] : [...branch, `+${source}:${FETCHED}`];
  await git.run(['fetch', ...options, '--end-of-options', 'origin', ...specs]);
  const found = await git.run(['rev-parse', '--verify', '--quiet', `${FETCHED}^{commit}`]);
  await git.run(['update-ref', '-d', FETCHED]);
  return { ref, commit: found };
}

async function findRef(git: CheckoutGit, { ref, repository }: CheckoutInputs): Promise<TargetRef> {
  if (ref === '') {
    const head = await git.run(['ls-remote', '--symref', '--end-of-options', 'origin', 'HEAD']);
    const branch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(head)?.[1];
    if (!branch) throw new RunnerProblem(`${repository} has no default branch`);
    return { source: `refs/heads/${branch}`, branch };
  }
  if (FULL_ID.test(ref)) return { source: ref, branch: undefined };
  if (ref.startsWith('refs/heads/')) return { source: ref, branch: ref.slice('refs/heads/'.length) };
  if (ref.startsWith('refs/')) return { source: ref, branch: undefined };
  const known = await git.run(['ls-remote', '--end-of-options', 'origin', `refs/heads/${ref}`, `refs/tags/${ref}`]);
  const names = known.split('\n').map((line) => line.split('\t')[1]);
  if (names.includes(`refs/heads/${ref}`)) return { source: `refs/heads/${ref}`, branch: ref };
  if (names.includes(`refs/tags/${ref}`)) return { source: `refs/tags/${ref}`, branch: undefined };
  throw new RunnerProblem(`ref: ${repository} has no branch and no tag ${ref}`);
}
