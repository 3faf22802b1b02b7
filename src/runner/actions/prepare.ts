import type { Job, StepScope } from '../job/job.ts';
import { isPlain, textAt } from '../plain.ts';
import { RunnerProblem } from '../problem.ts';
import { expressionsOf } from '../steps/contexts.ts';
import { runEntry } from './javascript.ts';
import { findAction } from './run-action.ts';

/** Fetches the actions of a job's own steps, and runs their `pre` files. A failure here fails with its step. */
export async function prepareActions(job: Job, scope: StepScope, steps: readonly unknown[]): Promise<void> {
  for (const step of steps) {
    const uses = textAt(step, 'uses');
    if (!isPlain(step) || uses === '' || uses.startsWith('.') || uses.startsWith('docker://') || job.preStates.has(uses)) continue;
    try {
      const action = await findAction(job, uses);
      if (action === 'checkout' || textAt(action.file.runs, 'pre') === '') continue;
      const expressions = expressionsOf(job, scope);
      if (!(await expressions.condition(textAt(action.file.runs, 'pre-if') || 'always()'))) continue;
      const inputs = await expressions.texts(step.with);
      const script = { action, entry: 'pre', id: textAt(step, 'id'), env: {}, inputs, state: {}, signal: job.control.signal() } as const;
      const { state, exitCode } = await runEntry(job, scope, script);
      job.preStates.set(uses, state);
      if (exitCode !== 0) scope.hasFailed = true;
    } catch (error) {
      if (!(error instanceof RunnerProblem)) throw error;
    }
  }
}
