import { setTimeout as sleep } from 'node:timers/promises';
import type { ImageRequest } from '../job/executor.ts';
import type { ActionPlace, Job, StepScope } from '../job/job.ts';
import type { ProcessRequest } from '../job/process.ts';
import { RunnerProblem } from '../problem.ts';
import { CommandFiles, type StepFiles } from './command-files.ts';
import { CommandReader } from './commands.ts';
import { runnerContext, stepEnvironment } from './environment.ts';

/** How the program of a step is run. */
export interface Program {
  /** The id of the step or action. */
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly action: ActionPlace | undefined;
  readonly signal: AbortSignal;
  /** Variables that come before all others. */
  readonly fixed?: Readonly<Record<string, string>>;
}

/** How the program of a step ended. */
export interface ProgramEnd {
  readonly exitCode: number;
  readonly outputs: Record<string, string>;
  readonly state: Record<string, string>;
}

/** Starts the program of a step, with the options that all steps share. */
type Start = (common: Omit<ProcessRequest, 'argv' | 'cwd'>) => Promise<number>;

/** Variables that steps cannot change for those after them. */
const FIXED = /^(?:GITHUB_|RUNNER_|NODE_OPTIONS$)/i;

/**
 * Runs a program as a step: with its environment, its commands and its files.
 * @throws RunnerProblem for what it written that cannot be understood
 */
export async function runProgram(job: Job, scope: StepScope, program: Program, start: Start): Promise<ProgramEnd> {
  const files = await CommandFiles.make(job.folders.files);
  const env = { ...stepEnvironment(job, scope, { ...program, files }), ...program.fixed };
  const commands = new CommandReader({
    log: (line) => job.log.add(line),
    mask: (text) => job.log.mask(text),
    isDebugging: runnerContext(job).debug !== undefined,
  });
  let exitCode: number;
  try {
    exitCode = await start({ env, signal: program.signal, onLine: (line) => commands.take(line) });
    // Lets other jobs of this runner get their turn, however much this one prints.
    await sleep(0);
  } catch (error) {
    await files.remove();
    if (program.signal.aborted) return { exitCode: 1, outputs: {}, state: {} };
    if (error instanceof RunnerProblem) throw error;
    throw new RunnerProblem(`the step cannot be started: ${(error as Error).message}`);
  }
  const written = await files.read();
  takeOver(job, written);
  return {
    exitCode: commands.problem ? exitCode || 1 : exitCode,
    outputs: { ...Object.fromEntries(commands.outputs), ...written.outputs },
    state: { ...Object.fromEntries(commands.state), ...written.state },
  };
}

/** How a step runs a program of the host, or of the job's container. */
export function inPlace(job: Job, argv: ProcessRequest['argv'], cwd: string): Start {
  return (common) => job.executor.run({ ...common, argv, cwd });
}

/** How a step runs an image. */
export function asImage(job: Job, image: Pick<ImageRequest, 'image' | 'entrypoint' | 'args'>): Start {
  return (common) => job.executor.runImage({ ...common, ...image, cwd: job.folders.workspace });
}

function takeOver(job: Job, { env, path, summary }: StepFiles): void {
  for (const [name, value] of Object.entries(env)) {
    if (FIXED.test(name)) job.log.add(`::warning::GITHUB_ENV cannot change ${name}`);
    else job.env.set(name, value);
  }
  for (const folder of path) job.path.unshift(folder);
  if (summary.trim() !== '') job.log.add(`::group::Summary\n${summary.trimEnd()}\n::endgroup::`);
}
