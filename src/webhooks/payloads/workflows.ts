import { findRepository, type Repository } from '../../access/find-repository.ts';
import { findJob, findRun } from '../../actions/jobs/find.ts';
import { isDone } from '../../actions/jobs/status.ts';
import { presentRuns, presentStatus } from '../../actions/runs/present.ts';
import { presentJobs } from '../../actions/runs/present-jobs.ts';
import type { Context } from '../../context.ts';
import { presentOrganization } from '../../organizations/present.ts';
import { enqueueDeliveries, type Receivers } from '../deliveries/enqueue.ts';
import type { CommittingEvent } from './at-commit.ts';
import { actorOf, presentSender } from './people.ts';
import { repositoryForOwner } from './repositories.ts';

/** Delivers a run of a workflow that was requested, is in progress, or is completed. */
export async function enqueueRun(
  { payload: { repositoryId, runId, status, actorId } }: CommittingEvent<'workflow-run.changed'>,
  context: Context,
  receivers: Receivers,
): Promise<void> {
  const repository = await findRepository(context.db, repositoryId);
  const run = await findRun(context.db, runId);
  if (!repository || !run) return;
  const payload = async () => {
    const [shown = null] = await presentRuns(context, [{ ...run, status }]);
    const around = await surroundings(context, repository, actorId);
    const { language } = around.repository;
    return {
      action: isDone(status) ? 'completed' : status === 'running' ? 'in_progress' : 'requested',
      workflow: null,
      workflow_run: shown && { ...shown, repository: shown.repository && { ...shown.repository, language } },
      ...around,
    };
  };
  const completion = { kind: 'workflow', repositoryId, ref: run.ref, workflowId: run.workflow_id } as const;
  await enqueueDeliveries(context, receivers, { event: 'workflow_run', payload, completion });
}

/** Delivers a job of a run whose state has changed. */
export async function enqueueJob(
  { payload: { repositoryId, jobId, status, actorId } }: CommittingEvent<'workflow-job.changed'>,
  context: Context,
  receivers: Receivers,
): Promise<void> {
  const repository = await findRepository(context.db, repositoryId);
  const job = await findJob(context.db, jobId);
  if (!repository || !job) return;
  const payload = async () => {
    const [shown = null] = await presentJobs(context, [{ ...job, status }]);
    return { action: presentStatus(status).status, workflow_job: shown, ...(await surroundings(context, repository, actorId)) };
  };
  await enqueueDeliveries(context, receivers, { event: 'workflow_job', payload });
}

async function surroundings(context: Context, repository: Repository, actorId: number) {
  const { owner } = repository;
  return {
    ...(owner.type === 'organization' && { organization: presentOrganization(context, owner) }),
    // Unlike payloads of other events, these have the language, as in the reference.
    repository: { ...(await repositoryForOwner(context, repository)), language: repository.language },
    sender: presentSender(context, await actorOf(context, actorId)),
  };
}
