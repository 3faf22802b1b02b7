import { runAction } from '../actions/run-action.ts';
import type { Job, StepScope } from '../job/job.ts';
import type { Result } from '../job/step-states.ts';
import { isPlain, type Plain, textAt } from '../plain.ts';
import { messageOf, RunnerProblem } from '../problem.ts';
import { expressionsOf } from './contexts.ts';
import type { Program, ProgramEnd } from './run-program.ts';
import { nameOf, runScript } from './run-script.ts';

/** Is called for the steps of a job, which are reported one by one. */
export interface StepObserver {
  readonly start: (index: number) => void;
  readonly end: (index: number, result: Result) => void;
}

const MINUTE = 60_000;
/** Minutes: longer timeouts mean no limit. */
const MAX_MINUTES = 60 * 24 * 20;

/** Runs steps one after the other, each if its condition holds. */
export async function runSteps(job: Job, scope: StepScope, steps: readonly unknown[], observer?: StepObserver): Promise<void> {
  for (const [index, step] of steps.entries()) {
    if (!isPlain(step)) continue;
    const id = textAt(step, 'id') || `__${index}`;
    let isStarted = false;
    const start = () => {
      isStarted = true;
      observer?.start(index);
    };
    const { result, outputs, conclusion } = await attempt(job, scope, { step, id, start });
    if (textAt(step, 'id') !== '') scope.steps[id] = { outputs, outcome: result, conclusion };
    if (conclusion === 'failure') scope.hasFailed = true;
    if (conclusion !== 'skipped' && !isStarted) observer?.start(index);
    observer?.end(index, conclusion);
  }
}

interface StepEnd {
  readonly result: Result;
  readonly conclusion: Result;
  readonly outputs: Record<string, string>;
}

interface StepToRun {
  readonly step: Plain;
  readonly id: string;
  readonly start: () => void;
}

async function attempt(job: Job, scope: StepScope, { step, id, start }: StepToRun): Promise<StepEnd> {
  const skipped = { result: 'skipped', conclusion: 'skipped', outputs: {} } as const;
  // A cancellation from here on concerns this step.
  const before = job.control.reason;
  const ended = job.control.signal();
  const isCancelled = () => job.control.reason !== before;
  try {
    const outer = expressionsOf(job, scope, {}, id);
    const env = await outer.texts(step.env);
    const expressions = expressionsOf(job, scope, env, id);
    if (job.control.hard.aborted || !(await expressions.condition(step.if))) return skipped;
    start();
    const timeout = await minutesOf(expressions.value(step['timeout-minutes']), 'timeout-minutes');
    const limits = [scope.limit, timeout === undefined ? undefined : AbortSignal.timeout(timeout)].filter((one) => one !== undefined);
    const limit = AbortSignal.any(limits);
    const signal = AbortSignal.any([ended, limit]);
    const end = await runOne(job, scope, { step, env, id, signal, limit });
    if (limit.aborted && timeout !== undefined) job.log.add(`::error::The step has run for longer than ${timeout / MINUTE} minutes`);
    if (end.exitCode !== 0 && !signal.aborted) job.log.add(`::error::${nameOf(step)}: exit code ${end.exitCode}`);
    const result: Result = isCancelled() ? 'cancelled' : end.exitCode === 0 && !signal.aborted ? 'success' : 'failure';
    return { result, conclusion: await concluded(expressions.value(step['continue-on-error']), result), outputs: end.outputs };
  } catch (error) {
    if (!(error instanceof RunnerProblem)) throw error;
    start();
    if (isCancelled()) return { result: 'cancelled', conclusion: 'cancelled', outputs: {} };
    job.log.add(`::error::${messageOf(error)}`);
    const isAllowed = step['continue-on-error'] === true || textAt(step, 'continue-on-error') === 'true';
    return { result: 'failure', conclusion: isAllowed ? 'success' : 'failure', outputs: {} };
  }
}

async function concluded(isAllowed: Promise<unknown>, result: Result): Promise<Result> {
  const value = await isAllowed;
  return result === 'failure' && (value === true || value === 'true') ? 'success' : result;
}

/**
 * A number of minutes in milliseconds; undefined without one.
 * @throws RunnerProblem
 */
export async function minutesOf(value: Promise<unknown>, name: string): Promise<number | undefined> {
  const found = await value;
  if (found === undefined || found === null || found === '') return undefined;
  const minutes = Number(found);
  if (!(minutes > 0)) throw new RunnerProblem(`${name} has to be a number above 0`);
  return Math.min(minutes, MAX_MINUTES) * MINUTE;
}

interface OneStep extends Omit<Program, 'name' | 'action'> {
  readonly step: Plain;
  readonly id: string;
  /** Aborts when its time is over. */
  readonly limit: AbortSignal;
}

async function runOne(job: Job, scope: StepScope, { step, env, id, signal, limit }: OneStep): Promise<ProgramEnd> {
  const expressions = expressionsOf(job, scope, env, id);
  const uses = textAt(step, 'uses');
  if (uses !== '') return await runAction(job, scope, { uses, step, env, id, signal, limit, expressions, runSteps });
  if (step.run === undefined) throw new RunnerProblem('a step needs `run` or `uses`');
  return await runScript(job, scope, { step, expressions, program: { name: id, env, signal, action: scope.action } });
}
