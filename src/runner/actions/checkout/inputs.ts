import type { Job } from '../../job/job.ts';
import { textAt } from '../../plain.ts';
import { RunnerProblem } from '../../problem.ts';

/** The inputs of `actions/checkout`. */
export interface CheckoutInputs {
  /** Owner and name. */
  readonly repository: string;
  /** A branch, a tag, a ref or a commit; empty for the default branch. */
  readonly ref: string;
  /** The commit that the ref has to be at, where the event says so. */
  readonly commit: string;
  readonly token: string;
  /** Relative to the workspace. */
  readonly path: string;
  /** Commits; 0 for all. */
  readonly depth: number;
  readonly isWithTags: boolean;
  readonly submodules: 'no' | 'yes' | 'recursive';
  readonly isWithLargeFiles: boolean;
  readonly isClean: boolean;
  readonly isPersisting: boolean;
  readonly filter: string;
  readonly sparse: readonly string[];
  readonly isCone: boolean;
}

const REPOSITORY = /^[\w.-]{1,100}\/[\w.-]{1,100}$/;
const REF = /^(?!-)(?!.*\.\.)[^\s~^:?*[\\\0-\x1f\x7f]{1,255}$/;

/**
 * Reads the inputs.
 * @throws RunnerProblem that names the input
 */
export function readInputs({ github }: Job, given: Readonly<Record<string, string>>): CheckoutInputs {
  const byName = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const text = (name: string) => byName.get(name) ?? '';
  const truth = (name: string, fallback: boolean) => (text(name) === '' ? fallback : text(name).toLowerCase() === 'true');
  if (text('ssh-key') !== '') throw new RunnerProblem("ssh-key: the runner's own checkout uses HTTP alone");
  const own = textAt(github, 'repository');
  const repository = text('repository') || own;
  if (!REPOSITORY.test(repository)) throw new RunnerProblem('repository: it has to be owner/name');
  const isOwn = repository.toLowerCase() === own.toLowerCase();
  const ref = text('ref') || (isOwn ? textAt(github, 'ref') : '');
  if (ref !== '' && !REF.test(ref)) throw new RunnerProblem('ref: Git has no such names');
  const filter = text('filter');
  if (filter !== '' && !/^[\w:=.-]{1,100}$/.test(filter)) throw new RunnerProblem('filter: Git has no such filter');
  const depth = Number(text('fetch-depth') || '1');
  if (!Number.isSafeInteger(depth) || depth < 0) throw new RunnerProblem('fetch-depth: it has to be a whole number');
  const submodules = text('submodules').toLowerCase();
  return {
    repository,
    ref,
    commit: isOwn && text('ref') === '' ? textAt(github, 'sha') : '',
    token: text('token') || textAt(github, 'token'),
    path: text('path') || '.',
    depth,
    isWithTags: truth('fetch-tags', false),
    submodules: submodules === 'recursive' ? 'recursive' : submodules === 'true' ? 'yes' : 'no',
    isWithLargeFiles: truth('lfs', false),
    isClean: truth('clean', true),
    isPersisting: truth('persist-credentials', true),
    filter,
    sparse: text('sparse-checkout')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    isCone: truth('sparse-checkout-cone-mode', true),
  };
}
