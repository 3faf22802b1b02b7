import type { ExpressionBuilder } from 'kysely';
import { findUser } from '../../access/find-user.ts';
import { visibleRepositories } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { ActionJob, ActionRun, ActionStatus, ActionTask } from '../../database/tables/actions.ts';
import type { Tables } from '../../database/tables.ts';
import { badRequest } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { DONE } from '../jobs/status.ts';

/** The scope of listed runs or jobs: a repository, an owner, or all. */
export interface ListScope {
  readonly repositoryId?: number;
  readonly ownerId?: number;
  /** Only of repositories that this caller may see. */
  readonly visibleTo?: Pick<Context, 'actor' | 'signIn'>;
}

/** Which runs are wanted. */
export interface RunFilter {
  readonly event?: string | undefined;
  readonly branch?: string | undefined;
  readonly statuses: readonly ActionStatus[];
  readonly actor?: string | undefined;
  readonly headSha?: string | undefined;
  /** The name of the workflow's file. */
  readonly workflowId?: string | undefined;
}

/** States by the words of clients, some of which mean none. */
const STATUSES: Readonly<Record<string, readonly ActionStatus[]>> = {
  pending: ['blocked'],
  waiting: ['blocked'],
  requested: ['blocked'],
  action_required: ['blocked'],
  queued: ['waiting'],
  in_progress: ['running'],
  completed: DONE,
  failure: ['failure'],
  success: ['success'],
  skipped: ['skipped'],
  neutral: ['skipped'],
  cancelled: ['cancelled'],
  timed_out: ['cancelled'],
};

/**
 * The states for words of a request; empty for any.
 * @throws HttpError 400 for a word that is none
 */
export function statusesOf(words: readonly string[]): ActionStatus[] {
  const found = words.flatMap((word) => {
    if (!Object.hasOwn(STATUSES, word)) throw badRequest(`Invalid status ${word}`);
    return STATUSES[word] ?? [];
  });
  return [...new Set(found)];
}

/** The repositories of an owner that a caller may see. */
function visibleIds(db: Db, { actor, signIn }: Pick<Context, 'actor' | 'signIn'>, ownerId: number | undefined) {
  return db
    .selectFrom('repositories')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .select('repositories.id')
    .where('repositories.owner_id', '=', ownerId ?? 0)
    .where(visibleRepositories(actor, { publicOnly: signIn.token?.publicOnly ?? false }));
}

/** A page of runs, newest first, and how many there are. */
export async function listRuns(
  { db }: Context,
  { repositoryId, ownerId, visibleTo }: ListScope,
  filter: RunFilter,
  page: Page,
): Promise<{ runs: ActionRun[]; total: number }> {
  const actorId = filter.actor ? ((await findUser(db, filter.actor))?.id ?? 0) : undefined;
  const wanted = (where: ExpressionBuilder<Tables, 'action_runs'>) =>
    where.and([
      ...(repositoryId === undefined ? [] : [where('repository_id', '=', repositoryId)]),
      ...(ownerId === undefined ? [] : [where('owner_id', '=', ownerId)]),
      ...(visibleTo ? [where('repository_id', 'in', visibleIds(db, visibleTo, ownerId))] : []),
      ...(filter.event ? [where('trigger_event', '=', filter.event)] : []),
      ...(filter.branch ? [where('ref', '=', `refs/heads/${filter.branch}`)] : []),
      ...(filter.statuses.length > 0 ? [where('status', 'in', filter.statuses)] : []),
      ...(actorId === undefined ? [] : [where('trigger_user_id', '=', actorId)]),
      ...(filter.workflowId ? [where('workflow_id', '=', filter.workflowId)] : []),
      ...(filter.headSha ? [where('commit_sha', '=', filter.headSha)] : []),
    ]);
  const runs = db.selectFrom('action_runs').where(wanted);
  const { total } = await runs.select((select) => select.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const found = await runs.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute();
  return { runs: found, total: Number(total) };
}

/** A page of jobs, oldest first, and how many there are; of one run where `runId` is given. */
export async function listJobs(
  { db }: Context,
  { repositoryId, ownerId, runId, visibleTo }: ListScope & { runId?: number },
  statuses: readonly ActionStatus[],
  page: Page,
): Promise<{ jobs: ActionJob[]; total: number }> {
  const wanted = (where: ExpressionBuilder<Tables, 'action_jobs'>) =>
    where.and([
      ...(repositoryId === undefined ? [] : [where('repository_id', '=', repositoryId)]),
      ...(ownerId === undefined ? [] : [where('owner_id', '=', ownerId)]),
      ...(visibleTo ? [where('repository_id', 'in', visibleIds(db, visibleTo, ownerId))] : []),
      ...(runId === undefined ? [] : [where('run_id', '=', runId)]),
      ...(statuses.length > 0 ? [where('status', 'in', statuses)] : []),
    ]);
  const jobs = db.selectFrom('action_jobs').where(wanted);
  const { total } = await jobs.select((select) => select.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const found = await jobs.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute();
  return { jobs: found, total: Number(total) };
}

/** A page of the tasks of a repository, newest first, and how many there are. */
export async function listTasks({ db }: Context, repositoryId: number, page: Page): Promise<{ tasks: ActionTask[]; total: number }> {
  const tasks = db.selectFrom('action_tasks').where('repository_id', '=', repositoryId);
  const { total } = await tasks.select((select) => select.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const found = await tasks.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute();
  return { tasks: found, total: Number(total) };
}
