import { findRepositories, type Repository } from '../../access/find-repository.ts';
import { findUsersById } from '../../access/find-user.ts';
import { noAccess } from '../../access/repository-access.ts';
import { ACTIONS_ID, actionsUser, ghost } from '../../accounts/users/ghost.ts';
import { presentUser } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { ActionRun, ActionStatus, ActionTask as TaskRow } from '../../database/tables/actions.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { presentRepositories } from '../../repositories/present.ts';
import { repositoryApiUrl, repositoryHtmlUrl } from '../../repositories/urls.ts';
import { isDone } from '../jobs/status.ts';
import type { ActionTask, ActionWorkflowRun } from './schema.ts';

const BRANCHES = 'refs/heads/';

/** A state in the API: `conclusion` is present once it is completed. */
export function presentStatus(status: ActionStatus): { status: string; conclusion?: string } {
  if (isDone(status)) return { status: 'completed', conclusion: status };
  return { status: status === 'waiting' ? 'queued' : status === 'blocked' ? 'waiting' : 'in_progress' };
}

/** The branch of a ref, if it is one. */
export function branchOf(ref: string): { head_branch?: string } {
  return ref.startsWith(BRANCHES) ? { head_branch: ref.slice(BRANCHES.length) } : {};
}

/** The URL of the page of a run. */
export function runHtmlUrl({ settings }: Pick<Context, 'settings'>, repository: Repository, runId: number): string {
  return `${repositoryHtmlUrl(settings, repository)}/actions/runs/${runId}`;
}

/** Runs of any repositories on the wire, in their order. */
export async function presentRuns(context: Context, runs: readonly ActionRun[]): Promise<Shape<typeof ActionWorkflowRun>[]> {
  const repositories = await findRepositories(context.db, [...new Set(runs.map((run) => run.repository_id))]);
  // They are presented as for a caller without any rights.
  const shapes = await presentRepositories(context, repositories, new Map(repositories.map((one) => [one.id, noAccess(one)])));
  const users = await findUsersById(
    context.db,
    runs.map((run) => run.trigger_user_id),
  );
  return runs.flatMap((run) => {
    const at = repositories.findIndex(({ id }) => id === run.repository_id);
    const [repository, shape] = [repositories[at], shapes[at]];
    if (!repository || !shape) return [];
    const user = users.get(run.trigger_user_id) ?? (run.trigger_user_id === ACTIONS_ID ? actionsUser : ghost);
    const actor = presentUser(context, user, null);
    const { status, conclusion } = presentStatus(run.status);
    return {
      id: run.id,
      url: `${repositoryApiUrl(context.settings, repository)}/actions/runs/${run.id}`,
      html_url: runHtmlUrl(context, repository, run.id),
      display_title: run.title,
      path: `${run.workflow_id}@${run.ref}`,
      event: run.trigger_event,
      // Clients expect no other.
      run_attempt: 0,
      run_number: run.number,
      head_sha: run.commit_sha,
      ...branchOf(run.ref),
      status,
      actor,
      trigger_actor: actor,
      repository: shape,
      ...(conclusion !== undefined && { conclusion }),
      started_at: wireTime(run.started_at),
      completed_at: wireTime(run.stopped_at),
    };
  });
}

/** Tasks of a repository on the wire, in their order. */
export async function presentTasks(
  context: Context,
  repository: Repository,
  tasks: readonly TaskRow[],
): Promise<Shape<typeof ActionTask>[]> {
  if (tasks.length === 0) return [];
  const jobs = await context.db
    .selectFrom('action_jobs')
    .innerJoin('action_runs', 'action_runs.id', 'action_jobs.run_id')
    .select([
      'action_jobs.id',
      'action_jobs.name',
      'action_jobs.commit_sha',
      'run_id',
      'number',
      'ref',
      'trigger_event',
      'title',
      'workflow_id',
    ])
    .where('action_jobs.id', 'in', [...new Set(tasks.map((task) => task.job_id))])
    .execute();
  const byId = new Map(jobs.map((job) => [job.id, job]));
  return tasks.flatMap((task) => {
    const job = byId.get(task.job_id);
    if (!job) return [];
    return {
      id: task.id,
      name: job.name,
      head_branch: prettyRef(job.ref),
      head_sha: job.commit_sha,
      run_number: job.number,
      event: job.trigger_event,
      display_title: job.title,
      status: task.status,
      workflow_id: job.workflow_id,
      url: runHtmlUrl(context, repository, job.run_id),
      created_at: wireTime(task.created_at),
      updated_at: wireTime(task.updated_at),
      run_started_at: wireTime(task.started_at),
    };
  });
}

/** A ref without its folder; a pull request as `#1`. */
function prettyRef(ref: string): string {
  const [, number] = /^refs\/pull\/(\d+)\/head$/.exec(ref) ?? [];
  return number === undefined ? ref.replace(/^refs\/(heads|tags)\//, '') : `#${number}`;
}
