import type { Repository } from '../../access/find-repository.ts';
import { ACTIONS_ID } from '../../accounts/users/ghost.ts';
import { now } from '../../clock.ts';
import { recordStatus } from '../../code/statuses/statuses.ts';
import type { Context } from '../../context.ts';
import type { ActionJob, ActionRun, ActionStatus } from '../../database/tables/actions.ts';
import { durationOf } from './status.ts';

const STATES = {
  success: 'success',
  failure: 'failure',
  cancelled: 'failure',
  skipped: 'skipped',
  waiting: 'pending',
  blocked: 'pending',
  running: 'pending',
} as const satisfies Record<ActionStatus, string>;

/** Sets the status of each job at the commit that the run is about, where it differs. Runs of some events have none. */
export async function setStatusesOfJobs(
  context: Context,
  repository: Repository,
  run: ActionRun,
  jobs: readonly ActionJob[],
): Promise<void> {
  const about = run.schedule_id === null ? commitOf(run) : undefined;
  if (!about) return;
  for (const job of jobs) {
    const check = `${run.workflow_name} / ${job.name} (${about.event})`.trim();
    const status = {
      sha: about.sha,
      context: check,
      state: STATES[job.status],
      description: descriptionOf(job),
      target_url: `/${repository.owner.name}/${repository.name}/actions/runs/${run.id}/jobs/${job.id}`,
      creatorId: ACTIONS_ID,
    };
    if (await isNew(context, repository, status)) await recordStatus(context, repository, status);
  }
}

/** The commit that the statuses of a run are for, and the event that they name. */
function commitOf(run: ActionRun): { event: string; sha: string } | undefined {
  if (run.event === 'push') {
    const { head_commit: head } = JSON.parse(run.event_payload) as { head_commit?: { id: string } | null };
    return head ? { event: 'push', sha: head.id } : undefined;
  }
  if (run.event === 'release') return { event: 'release', sha: run.commit_sha };
  if (!run.event.startsWith('pull_request') || run.event === 'pull_request_comment') return undefined;
  const { pull_request: pull } = JSON.parse(run.event_payload) as { pull_request?: { head?: { sha: string } | null } | null };
  const sha = pull?.head?.sha;
  return sha ? { event: run.trigger_event, sha } : undefined;
}

function descriptionOf(job: ActionJob): string {
  switch (job.status) {
    case 'success':
      return `Successful in ${printed(durationOf(job, now()))}`;
    case 'failure':
      return `Failing after ${printed(durationOf(job, now()))}`;
    case 'cancelled':
      return 'Has been cancelled';
    case 'skipped':
      return 'Has been skipped';
    case 'running':
      return 'Has started running';
    case 'waiting':
      return 'Waiting to run';
    case 'blocked':
      return 'Blocked by required conditions';
  }
}

/** Seconds as `1h2m3s`, as clients know it. */
function printed(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = `${seconds % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${minutes}m${rest}` : rest;
}

async function isNew(
  { db }: Context,
  repository: Repository,
  status: { sha: string; context: string; state: string; description: string; target_url: string },
): Promise<boolean> {
  const latest = await db
    .selectFrom('commit_statuses')
    .select(['state', 'description', 'target_url'])
    .where('repository_id', '=', repository.id)
    .where('sha', '=', status.sha)
    .where('context', '=', status.context)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return latest?.state !== status.state || latest.description !== status.description || latest.target_url !== status.target_url;
}
