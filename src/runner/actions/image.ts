import type { Job, StepScope } from '../job/job.ts';
import { listAt, plainAt, textAt } from '../plain.ts';
import { RunnerProblem } from '../problem.ts';
import { expressionsOf } from '../steps/contexts.ts';
import { asImage, type ProgramEnd, runProgram } from '../steps/run-program.ts';
import { type ActionCall, inputVariables } from './step.ts';

/**
 * Runs an action that is an image, or the recipe of one.
 * @throws RunnerProblem
 */
export async function runImageAction(job: Job, scope: StepScope, call: ActionCall): Promise<ProgramEnd> {
  const { action, inputs, env, id, signal } = call;
  const { runs } = action.file;
  const name = textAt(runs, 'image');
  if (name === '') throw new RunnerProblem('runs.image of the action is missing');
  const image = name.startsWith('docker://') ? name.slice('docker://'.length) : { folder: action.place.folder, file: name };
  const expressions = expressionsOf(job, { ...scope, inputs }, env, id);
  const args: string[] = [];
  for (const arg of listAt(runs, 'args')) args.push(await expressions.text(arg));
  const own = await expressions.texts(plainAt(runs, 'env'));
  const program = { name: id, env: { ...scope.env, ...own, ...env, ...inputVariables(inputs) }, action: action.place, signal };
  return await runProgram(job, scope, program, asImage(job, { image, entrypoint: textAt(runs, 'entrypoint'), args }));
}
