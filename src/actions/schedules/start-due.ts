import { findRepository, type Repository } from '../../access/find-repository.ts';
import { ExpiringMap } from '../../accounts/expiring-map.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { ActionSchedule } from '../../database/tables/action-schedules.ts';
import { triggerUser } from '../jobs/contexts.ts';
import { insertRun } from '../jobs/create-run.ts';
import { type PreparedRun, prepareRun } from '../jobs/prepare-run.ts';
import { disabledWorkflows } from '../workflows/disabled.ts';
import { WorkflowError } from '../workflows/file/error.ts';
import { nextTime } from './times.ts';

const BATCH = 50;
/** Minimum number of seconds until the next time. */
const PAUSE = 60;

/** Preparing a run usually takes less than so many milliseconds. */
const SLOW_MS = 1000;
/** How long slow workflows are started for in each run of the task, in milliseconds. */
const LAST_MS = 30_000;
/** How long an owner is remembered for slow workflows, in milliseconds. */
const REMEMBERED_MS = 3_600_000;
/** Times of such owners that are looked at. */
const MAX_LAST = 1000;

/** Owners with recent slow workflows. */
const slow = new ExpiringMap<true>(10_000, Date.now);

/** A due time of a schedule. */
interface DueTime {
  readonly id: number;
  readonly spec: string;
  readonly next_at: number | null;
  readonly schedule_id: number;
  readonly owner_id: number;
}

/**
 * Starts the workflows whose time has come, each once among all processes. Those of owners with slow workflows are started after
 * all others, and for a limited time only: the rest of them waits.
 */
export async function startDue(context: Context, signal: AbortSignal, { slowMs = SLOW_MS, lastMs = LAST_MS } = {}): Promise<void> {
  const time = now();
  const last: DueTime[] = [];
  for await (const due of dueTimes(context, time)) {
    signal.throwIfAborted();
    if (!slow.get(keyOf(context, due))) await startNoted(context, due, { time, slowMs });
    else if (last.length < MAX_LAST) last.push(due);
  }
  const end = performance.now() + lastMs;
  for (const due of last.sort((a, b) => (a.next_at ?? 0) - (b.next_at ?? 0))) {
    signal.throwIfAborted();
    if (performance.now() >= end) return;
    await startNoted(context, due, { time, slowMs });
  }
}

async function* dueTimes({ db }: Context, time: number): AsyncGenerator<DueTime> {
  for (let last = 0; ; ) {
    const due = await db
      .selectFrom('action_schedule_specs as specs')
      .innerJoin('action_schedules as schedules', 'schedules.id', 'specs.schedule_id')
      .select(['specs.id', 'specs.spec', 'specs.next_at', 'specs.schedule_id', 'schedules.owner_id'])
      .where('specs.next_at', '<=', time)
      .where('specs.id', '>', last)
      .orderBy('specs.id')
      .limit(BATCH)
      .execute();
    yield* due;
    if (due.length < BATCH) return;
    last = due.at(-1)?.id ?? 0;
  }
}

function keyOf({ settings }: Context, { owner_id: owner }: DueTime): string {
  return `${settings.server.rootUrl} ${owner}`;
}

/** Starts one, and records whether it was slow. A failure, whatever its owner wrote, does not block the others. */
async function startNoted(context: Context, due: DueTime, { time, slowMs }: { time: number; slowMs: number }): Promise<void> {
  const begin = performance.now();
  await startOne(context, due, time).catch((error: unknown) => {
    context.log.error({ schedule: due.schedule_id, error }, 'a workflow could not be started at its time');
  });
  if (performance.now() - begin >= slowMs) slow.set(keyOf(context, due), true, REMEMBERED_MS);
}

async function startOne(context: Context, due: DueTime, time: number): Promise<void> {
  const schedule = await context.db.selectFrom('action_schedules').selectAll().where('id', '=', due.schedule_id).executeTakeFirst();
  const repository = schedule && (await findRepository(context.db, schedule.repository_id));
  if (!schedule || !repository) return;
  const run = await prepare(context, repository, schedule, due.spec);
  await inTransaction(context, async (context) => {
    const { numUpdatedRows } = await context.db
      .updateTable('action_schedule_specs')
      .set({ previous_at: due.next_at, next_at: nextTime(due.spec, time + PAUSE) })
      .where('id', '=', due.id)
      .where('next_at', '=', due.next_at)
      .executeTakeFirst();
    if (run && numUpdatedRows > 0n) await insertRun(context, run);
  });
}

/** The run of a workflow at its time; undefined if it must not run. */
async function prepare(context: Context, repository: Repository, schedule: ActionSchedule, spec: string): Promise<PreparedRun | undefined> {
  const isOn = context.settings.actions.enabled && !repository.is_archived && repository.units.actions !== undefined;
  if (!isOn || (await disabledWorkflows(context, repository.id)).has(schedule.workflow_id)) return undefined;
  const payload = JSON.parse(schedule.event_payload) as object | null;
  try {
    return await prepareRun(context, {
      repository,
      actor: await triggerUser(context, schedule.trigger_user_id),
      workflowId: schedule.workflow_id,
      content: schedule.content,
      title: schedule.title,
      ref: schedule.ref,
      commitSha: schedule.commit_sha,
      event: schedule.event,
      triggerEvent: 'schedule',
      payload: JSON.stringify({ ...payload, schedule: spec }),
      isForkPullRequest: false,
      needsApproval: false,
      scheduleId: schedule.id,
    });
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    context.log.info({ repository: repository.id, workflow: schedule.workflow_id, problem: error.message }, 'a workflow cannot be started');
    return undefined;
  }
}
