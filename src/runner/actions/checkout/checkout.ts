import { mkdir, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { removeFolder } from '../../job/folders.ts';
import type { Job } from '../../job/job.ts';
import { textAt } from '../../plain.ts';
import { RunnerProblem } from '../../problem.ts';
import type { ProgramEnd } from '../../steps/run-program.ts';
import type { ActionStep } from '../step.ts';
import { persistCredentials } from './credentials.ts';
import { fetchTarget } from './fetch.ts';
import { CheckoutGit } from './git.ts';
import { type CheckoutInputs, readInputs } from './inputs.ts';

/**
 * The runner's own `actions/checkout`, with the inputs of GitHub's. Git runs where the steps of the job run.
 * @throws RunnerProblem
 */
export async function checkout(job: Job, { id, env, signal }: ActionStep, given: Readonly<Record<string, string>>): Promise<ProgramEnd> {
  const inputs = readInputs(job, given);
  const folder = join(job.folders.workspace, inputs.path);
  if (relative(job.folders.workspace, folder).startsWith('..')) throw new RunnerProblem('path: it leads out of the workspace');
  const git = new CheckoutGit(job, { id, env, signal, folder, token: inputs.token });
  await mkdir(folder, { recursive: true });
  await prepare(job, git, inputs, folder);
  const { ref, commit } = await fetchTarget(git, inputs);
  if (inputs.sparse.length > 0)
    await git.run(['sparse-checkout', 'set', ...(inputs.isCone ? [] : ['--no-cone']), '--end-of-options', ...inputs.sparse]);
  await git.run(['checkout', '--quiet', '--force', ...(ref.branch ? ['-B', ref.branch, commit] : ['--detach', commit])]);
  if (ref.branch) await git.run(['branch', '--quiet', `--set-upstream-to=origin/${ref.branch}`]).catch(ignoreRefusal);
  if (inputs.isWithLargeFiles) await git.run(['lfs', 'pull']);
  if (inputs.submodules !== 'no') await checkoutSubmodules(git, inputs);
  if (inputs.isPersisting) await persistCredentials(job, git, folder, inputs.token);
  job.log.add(`${inputs.repository} is checked out at ${commit}`);
  return { exitCode: 0, outputs: { ref: textAt(given, 'ref') || textAt(job.github, 'ref'), commit }, state: {} };
}

/** Creates an empty repository, or takes over the one that an earlier step checked out. */
async function prepare(job: Job, git: CheckoutGit, { repository, isClean }: CheckoutInputs, folder: string): Promise<void> {
  const url = git.urlOf(repository);
  if (
    job.executor.facts.container === undefined &&
    (await git.run(['config', '--local', '--get', 'remote.origin.url']).catch(ignoreRefusal)) === url
  ) {
    if (isClean) {
      await git.run(['clean', '--quiet', '-ffdx']);
      await git.run(['reset', '--quiet', '--hard']).catch(ignoreRefusal);
    }
    return;
  }
  for (const entry of await readdir(folder)) await removeFolder(join(folder, entry));
  await git.run(['config', '--global', '--add', 'safe.directory', folder]);
  await git.run(['init', '--quiet', '.']);
  await git.run(['remote', 'add', 'origin', url]);
}

async function checkoutSubmodules(git: CheckoutGit, { submodules, depth }: CheckoutInputs): Promise<void> {
  const recursive = submodules === 'recursive' ? ['--recursive'] : [];
  await git.run(['submodule', '--quiet', 'sync', ...recursive]);
  const depths = depth > 0 ? [`--depth=${depth}`] : [];
  await git.run(['submodule', '--quiet', 'update', '--init', '--force', ...depths, ...recursive]);
}

function ignoreRefusal(error: unknown): string {
  if (error instanceof RunnerProblem) return '';
  throw error;
}
