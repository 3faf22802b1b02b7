import type { Job, StepScope } from '../job/job.ts';
import { plainAt } from '../plain.ts';
import { RunnerProblem } from '../problem.ts';
import { expressionsOf } from '../steps/contexts.ts';
import type { ProgramEnd } from '../steps/run-program.ts';
import type { ActionCall } from './step.ts';

/**
 * Runs the steps of a composite action.
 * @throws RunnerProblem
 */
export async function runComposite(job: Job, scope: StepScope, { action, inputs, env, limit, runSteps }: ActionCall): Promise<ProgramEnd> {
  const { steps } = action.file.runs;
  if (!Array.isArray(steps)) throw new RunnerProblem('the composite action has no steps');
  const inner: StepScope = {
    inputs,
    steps: {},
    env: { ...scope.env, ...env },
    action: action.place,
    limit,
    depth: scope.depth + 1,
    hasFailed: false,
  };
  await runSteps(job, inner, steps);
  const expressions = expressionsOf(job, inner);
  const outputs: Record<string, string> = {};
  for (const name of Object.keys(action.file.outputs))
    outputs[name] = await expressions.text(plainAt(action.file.outputs, name).value ?? '');
  return { exitCode: inner.hasFailed ? 1 : 0, outputs, state: {} };
}
