import { findRepository, type Repository } from '../../access/find-repository.ts';
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
/** The next time is at least so many seconds away. */
const PAUSE = 60;

/** A time that has come. */
interface DueTime {
  readonly id: number;
  readonly spec: string;
  readonly next_at: number | null;
  readonly schedule_id: number;
}

/** Starts the workflows whose time has come, each once, however many processes look. */
export async function startDue(context: Context, signal: AbortSignal): Promise<void> {
  const time = now();
  for (let last = 0; !signal.aborted; ) {
    const due = await context.db
      .selectFrom('action_schedule_specs')
      .select(['id', 'spec', 'next_at', 'schedule_id'])
      .where('next_at', '<=', time)
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const one of due) {
      signal.throwIfAborted();
      // What fails for one, whatever its owner wrote, does not keep the others waiting.
      await startOne(context, one, time).catch((error: unknown) => {
        context.log.error({ schedule: one.schedule_id, error }, 'a workflow could not be started at its time');
      });
    }
    if (due.length < BATCH) return;
    last = due.at(-1)?.id ?? 0;
  }
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

/** The run of a workflow at its time; undefined where it is not to run. */
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
