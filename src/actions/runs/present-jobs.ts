import { findRepositories } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { ActionJob, ActionRun, ActionTaskStep } from '../../database/tables/actions.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { repositoryApiUrl } from '../../repositories/urls.ts';
import { branchOf, presentStatus, runHtmlUrl } from './present.ts';
import type { ActionWorkflowJob, ActionWorkflowStep } from './schema.ts';

/** Jobs of any repositories on the wire, in their order, with the steps of their last attempt. */
export async function presentJobs(context: Context, jobs: readonly ActionJob[]): Promise<Shape<typeof ActionWorkflowJob>[]> {
  if (jobs.length === 0) return [];
  const { db } = context;
  const repositories = await findRepositories(db, [...new Set(jobs.map((job) => job.repository_id))]);
  const runs: Pick<ActionRun, 'id' | 'ref' | 'commit_sha'>[] = await db
    .selectFrom('action_runs')
    .select(['id', 'ref', 'commit_sha'])
    .where('id', 'in', [...new Set(jobs.map((job) => job.run_id))])
    .execute();
  const attempts = await lastAttempts(context, jobs);
  return jobs.flatMap((job) => {
    const repository = repositories.find(({ id }) => id === job.repository_id);
    const run = runs.find(({ id }) => id === job.run_id);
    if (!repository || !run) return [];
    const { status, conclusion } = presentStatus(job.status);
    const { steps, runner } = attempts.get(job.task_id ?? 0) ?? { steps: [], runner: {} };
    const apiUrl = repositoryApiUrl(context.settings, repository);
    return {
      id: job.id,
      url: `${apiUrl}/actions/jobs/${job.id}`,
      html_url: `${runHtmlUrl(context, repository, job.run_id)}/jobs/${job.id}`,
      run_id: job.run_id,
      run_url: `${apiUrl}/actions/runs/${job.run_id}`,
      name: job.name,
      labels: job.runs_on,
      run_attempt: job.attempt,
      head_sha: run.commit_sha,
      ...branchOf(run.ref),
      status,
      ...(conclusion !== undefined && { conclusion }),
      ...runner,
      steps,
      created_at: wireTime(job.created_at),
      started_at: wireTime(job.started_at),
      completed_at: wireTime(job.stopped_at),
    };
  });
}

interface Attempt {
  readonly runner: { readonly runner_id?: number; readonly runner_name?: string };
  readonly steps: Shape<typeof ActionWorkflowStep>[];
}

/** The steps and the runner of the last task of each job, by the id of the task. */
async function lastAttempts({ db }: Context, jobs: readonly ActionJob[]): Promise<Map<number, Attempt>> {
  const ids = jobs.flatMap(({ task_id: id }) => id ?? []);
  if (ids.length === 0) return new Map();
  const tasks = await db
    .selectFrom('action_tasks')
    .leftJoin('action_runners', 'action_runners.id', 'action_tasks.runner_id')
    .select(['action_tasks.id', 'action_tasks.runner_id', 'action_runners.name'])
    .where('action_tasks.id', 'in', ids)
    .execute();
  const steps = await db
    .selectFrom('action_task_steps')
    .selectAll()
    .where('task_id', 'in', ids)
    .orderBy('task_id')
    .orderBy('number')
    .execute();
  return new Map(
    tasks.map(({ id, runner_id: runnerId, name }) => {
      const own = steps.filter((step) => step.task_id === id).map(presentStep);
      return [id, { runner: { ...(runnerId > 0 && { runner_id: runnerId }), ...(name && { runner_name: name }) }, steps: own }];
    }),
  );
}

function presentStep(step: ActionTaskStep): Shape<typeof ActionWorkflowStep> {
  const { status, conclusion } = presentStatus(step.status);
  return {
    name: step.name,
    number: step.number,
    status,
    ...(conclusion !== undefined && { conclusion }),
    started_at: wireTime(step.started_at),
    completed_at: wireTime(step.stopped_at),
  };
}
