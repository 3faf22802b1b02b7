import type { Repository } from '../../access/find-repository.ts';
import { ACTIONS_ID } from '../../accounts/users/ghost.ts';
import { now } from '../../clock.ts';
import { type NewStatus, recordStatuses } from '../../code/statuses/statuses.ts';
import type { Context } from '../../context.ts';
import type { ActionJob, ActionRun, ActionStatus } from '../../database/tables/actions.ts';
import type { CommitStatusRow } from '../../database/tables/code.ts';
import { isReview } from '../triggers/events.ts';
import { eventPayload } from './event-payload.ts';
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

/** A run, and its changed jobs. */
export interface ChangedRun {
  readonly run: ActionRun;
  readonly jobs: readonly ActionJob[];
}

/** Sets the status of each job at the commit of its run, if it differs. Runs of some events have none. */
export async function setStatusesOfJobs(context: Context, repository: Repository, runs: readonly ChangedRun[]): Promise<void> {
  const wanted = runs.flatMap(({ run, jobs }) => statusesOf(repository, run, jobs));
  for (const [sha, statuses] of Map.groupBy(wanted, (status) => status.sha)) {
    const latest = await latestOf(context, repository, sha, statuses);
    const isNew = (status: NewStatus) => {
      const before = latest.get(status.context);
      return before?.state !== status.state || before.description !== status.description || before.target_url !== status.target_url;
    };
    await recordStatuses(context, repository, sha, statuses.filter(isNew));
  }
}

function statusesOf(repository: Repository, run: ActionRun, jobs: readonly ActionJob[]): NewStatus[] {
  const about = run.schedule_id === null ? commitOf(run) : undefined;
  if (!about) return [];
  return jobs.map((job) => ({
    sha: about.sha,
    context: `${run.workflow_name} / ${job.name} (${about.event})`.trim(),
    state: STATES[job.status],
    description: descriptionOf(job),
    target_url: `/${repository.owner.name}/${repository.name}/actions/runs/${run.id}/jobs/${job.id}`,
    creatorId: ACTIONS_ID,
  }));
}

/** The commit of a run's statuses, and the event in their names. */
function commitOf(run: ActionRun): { event: string; sha: string } | undefined {
  if (run.event === 'push') {
    const { head_commit: head } = eventPayload<{ head_commit: { id: string } | null }>(run);
    return head ? { event: 'push', sha: head.id } : undefined;
  }
  if (run.event === 'release') return { event: 'release', sha: run.commit_sha };
  if (!run.event.startsWith('pull_request') || run.event === 'pull_request_comment') return undefined;
  const { pull_request: pull } = eventPayload<{ pull_request: { head?: { sha: string } | null } | null }>(run);
  const sha = pull?.head?.sha;
  return sha ? { event: isReview(run.event) ? run.trigger_event : eventOfPull(run), sha } : undefined;
}

/** The names of payloads, such as `pull_request_sync`, start workflows as well. */
function eventOfPull({ trigger_event: name }: ActionRun): string {
  return name === 'pull_request_target' ? name : 'pull_request';
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

/** How many contexts one query reads. */
const BATCH = 500;

/** The latest statuses of these checks at a commit, by their contexts. */
async function latestOf({ db }: Context, { id }: Repository, sha: string, statuses: readonly NewStatus[]) {
  const contexts = [...new Set(statuses.map((status) => status.context))];
  const latest = new Map<string, Pick<CommitStatusRow, 'state' | 'description' | 'target_url'>>();
  for (let at = 0; at < contexts.length; at += BATCH) {
    const newest = db
      .selectFrom('commit_statuses')
      .select((select) => select.fn.max('id').as('id'))
      .where('repository_id', '=', id)
      .where('sha', '=', sha)
      .where('context', 'in', contexts.slice(at, at + BATCH))
      .groupBy('context');
    const rows = await db
      .selectFrom('commit_statuses')
      .select(['context', 'state', 'description', 'target_url'])
      .where('id', 'in', newest)
      .execute();
    for (const row of rows) latest.set(row.context, row);
  }
  return latest;
}
