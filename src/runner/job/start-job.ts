import { Expressions, type Status } from '../expressions.ts';
import { isPlain, type Plain, textAt } from '../plain.ts';
import { messageOf, RunnerProblem } from '../problem.ts';
import { runCalledWorkflow } from './called-workflow.ts';
import { matrixOf } from './matrix.ts';
import { runJob } from './run-job.ts';
import type { JobEnd, JobRequest, Task } from './task.ts';

/** Runs a job if its condition holds: its steps, or the workflow that it calls. */
export async function startJob(task: Task, request: JobRequest): Promise<JobEnd> {
  const { log } = task.reporter;
  try {
    const expressions = jobExpressions(task, request);
    if (!(await expressions.condition(request.definition.if))) {
      log.add('The condition of the job does not hold: it is skipped');
      return { result: 'skipped', outputs: {} };
    }
    if (textAt(request.definition, 'uses') === '') return await runJob(task, await withContainers(request, expressions));
    return await runCalledWorkflow(task, request, expressions, (called) => startJob(task, called));
  } catch (error) {
    if (!(error instanceof RunnerProblem)) throw error;
    log.add(`::error::${messageOf(error)}`);
    return { result: 'failure', outputs: {} };
  }
}

/** The job with the expressions evaluated that say in which containers it runs. */
async function withContainers(request: JobRequest, expressions: Expressions): Promise<JobRequest> {
  const { container, services, ...rest } = request.definition;
  const evaluated = {
    ...(container !== undefined && { container: await expressions.deep(container) }),
    ...(services !== undefined && { services: await expressions.deep(services) }),
  };
  return { ...request, definition: { ...rest, ...evaluated } };
}

/** The expressions of a job itself, which see no steps. */
function jobExpressions(task: Task, { github, needs, vars, inputs, secrets, definition }: JobRequest): Expressions {
  return new Expressions({
    contexts: () => ({ github, gitea: github, needs, vars, inputs, secrets, ...matrixOf(definition) }),
    status: () => (task.control.reason ? 'cancelled' : statusOfNeeds(needs)),
    hashFiles: async () => '',
  });
}

/** The combined result of the jobs that a job needs. */
function statusOfNeeds(needs: Plain): Status {
  const results = Object.values(needs).map((need) => (isPlain(need) ? textAt(need, 'result') : ''));
  return (['failure', 'cancelled', 'skipped'] as const).find((status) => results.includes(status)) ?? 'success';
}
