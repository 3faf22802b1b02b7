import { isAbsolute, join, relative } from 'node:path';
import type { Expressions } from '../expressions.ts';
import type { Job, StepScope } from '../job/job.ts';
import { plainAt, textAt } from '../plain.ts';
import { RunnerProblem } from '../problem.ts';
import { asImage, type ProgramEnd, runProgram } from '../steps/run-program.ts';
import { type ActionFile, readActionFile } from './action-file.ts';
import { checkout } from './checkout/checkout.ts';
import { runComposite } from './composite.ts';
import { runImageAction } from './image.ts';
import { runJavaScript } from './javascript.ts';
import { type ActionStep, inputVariables, type ReadyAction } from './step.ts';

/** Actions within actions. */
const MAX_DEPTH = 10;

/**
 * Runs an action.
 * @throws RunnerProblem
 */
export async function runAction(job: Job, scope: StepScope, use: ActionStep): Promise<ProgramEnd> {
  const { uses, step, expressions } = use;
  if (scope.depth >= MAX_DEPTH) throw new RunnerProblem(`actions are nested more than ${MAX_DEPTH} deep`);
  const given = await expressions.texts(step.with);
  job.log.add(
    `::group::Run ${uses}\n${Object.entries(given)
      .map(([key, value]) => `  ${key}: ${value}\n`)
      .join('')}::endgroup::`,
  );
  if (uses.startsWith('docker://')) return await runImage(job, scope, use, given);
  const action = await findAction(job, uses);
  if (action === 'checkout') return await checkout(job, use, given);
  const inputs = await withDefaults(action.file, given, expressions);
  const using = textAt(action.file.runs, 'using').toLowerCase();
  if (using === 'composite') return await runComposite(job, scope, { ...use, action, inputs });
  if (using === 'docker') return await runImageAction(job, scope, { ...use, action, inputs });
  if (/^node\d+$/.test(using)) return await runJavaScript(job, scope, { ...use, action, inputs });
  throw new RunnerProblem(`actions that run with ${using.slice(0, 50)} are not known`);
}

/**
 * The action that a step uses; its own checkout where that of GitHub cannot be had, such as without a way to the internet.
 * @throws RunnerProblem
 */
export async function findAction(job: Job, uses: string): Promise<ReadyAction | 'checkout'> {
  const { workspace } = job.folders;
  if (uses.startsWith('./') || uses.startsWith('.\\')) {
    const folder = join(workspace, uses);
    const way = relative(workspace, folder);
    if (way.startsWith('..') || isAbsolute(way)) throw new RunnerProblem(`uses: ${uses} leads out of the workspace`);
    return { place: { folder, repository: '', ref: '' }, file: await readActionFile(folder, workspace) };
  }
  try {
    const { folder: root, path, repository, ref } = await job.actions.get(uses);
    const folder = join(root, path);
    return { place: { folder, repository, ref }, file: await readActionFile(folder, root) };
  } catch (error) {
    if (!/^(?:https:\/\/[\w.:-]+\/)?actions\/checkout@/i.test(uses) || !(error instanceof RunnerProblem)) throw error;
    job.log.add(`${error.message}\nThe runner's own checkout is used instead.`);
    return 'checkout';
  }
}

/** The inputs of an action: those that are given, and the defaults of the others. */
async function withDefaults(
  { inputs }: ActionFile,
  given: Readonly<Record<string, string>>,
  expressions: Expressions,
): Promise<Record<string, string>> {
  const byName = new Map(Object.entries(given).map(([key, value]) => [key.toLowerCase(), value]));
  const all: Record<string, string> = {};
  for (const name of Object.keys(inputs)) {
    const input = plainAt(inputs, name);
    all[name] = byName.get(name.toLowerCase()) ?? (await expressions.text(input.default ?? ''));
    byName.delete(name.toLowerCase());
  }
  return { ...all, ...Object.fromEntries(byName) };
}

async function runImage(job: Job, scope: StepScope, use: ActionStep, given: Readonly<Record<string, string>>): Promise<ProgramEnd> {
  const image = use.uses.slice('docker://'.length);
  const { entrypoint = '', args = '' } = given;
  const program = { name: use.id, env: { ...use.env, ...inputVariables(given) }, signal: use.signal, action: undefined };
  return await runProgram(job, scope, program, asImage(job, { image, entrypoint, args: args.split(/\s+/).filter((word) => word !== '') }));
}
