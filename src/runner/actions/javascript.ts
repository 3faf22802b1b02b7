import { isAbsolute, join, relative } from 'node:path';
import type { Job, StepScope } from '../job/job.ts';
import { textAt } from '../plain.ts';
import { RunnerProblem } from '../problem.ts';
import { expressionsOf } from '../steps/contexts.ts';
import { inPlace, type ProgramEnd, runProgram } from '../steps/run-program.ts';
import { nameOf } from '../steps/run-script.ts';
import { type ActionCall, inputVariables, type ReadyAction } from './step.ts';

/** Milliseconds that a post step may take. */
const POST_MS = 10 * 60_000;
/** Their client refuses servers that it does not take for GitHub, which is all that it reads this variable for. */
const ARTIFACT_CLIENT = /\/(?:upload|download)-artifact$/;
const ARTIFACT_ENV = { GITHUB_SERVER_URL: 'https://github.com' };

/** A file of an action that runs: `main`, or the files that run before or after all steps. */
export type Entry = 'pre' | 'main' | 'post';

/** The arguments of a JavaScript action. */
export interface Script {
  readonly action: ReadyAction;
  readonly entry: Entry;
  readonly id: string;
  readonly env: Readonly<Record<string, string>>;
  readonly inputs: Readonly<Record<string, string>>;
  /** The state that an earlier file of the action saved. */
  readonly state: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Runs a file of a JavaScript action.
 * @throws RunnerProblem
 */
export async function runEntry(job: Job, scope: StepScope, script: Script): Promise<ProgramEnd> {
  const { action, entry, id, env, inputs, state, signal } = script;
  const main = textAt(action.file.runs, entry);
  const file = join(action.place.folder, main);
  const way = relative(action.place.folder, file);
  if (main === '' || (action.place.repository !== '' && (isAbsolute(way) || way.split('/').filter((part) => part === '..').length > 3)))
    throw new RunnerProblem(`runs.${entry} of the action names no file of it`);
  const kept = Object.fromEntries(Object.entries(state).map(([name, value]) => [`STATE_${name}`, value]));
  const special = ARTIFACT_CLIENT.test(action.place.repository) ? { fixed: ARTIFACT_ENV } : {};
  const program = { name: id, env: { ...env, ...inputVariables(inputs), ...kept }, action: action.place, signal, ...special };
  return await runProgram(job, scope, program, inPlace(job, [job.executor.node, file], job.folders.workspace));
}

/** Runs a JavaScript action, and sees to it that its post step runs after all steps. */
export async function runJavaScript(job: Job, scope: StepScope, call: ActionCall): Promise<ProgramEnd> {
  const { action, id, env, inputs, signal, step } = call;
  const { runs } = action.file;
  const state: Record<string, string> = { ...job.preStates.get(call.uses) };
  const common = { action, id, env: { ...scope.env, ...env }, inputs };
  if (textAt(runs, 'pre') !== '' && !job.preStates.has(call.uses)) {
    const end = await runEntry(job, scope, { ...common, entry: 'pre', state, signal });
    Object.assign(state, end.state);
  }
  if (textAt(runs, 'post') !== '') {
    const run = async () => {
      if (!(await expressionsOf(job, scope, env, id).condition(textAt(runs, 'post-if') || 'always()'))) return;
      const limited = AbortSignal.any([job.control.signal(), AbortSignal.timeout(POST_MS)]);
      const { exitCode } = await runEntry(job, scope, { ...common, entry: 'post', state, signal: limited });
      if (exitCode !== 0) throw new RunnerProblem(`exit code ${exitCode}`);
    };
    job.posts.push({ name: `Post ${nameOf(step)}`, run });
  }
  const end = await runEntry(job, scope, { ...common, entry: 'main', state, signal });
  Object.assign(state, end.state);
  return end;
}
