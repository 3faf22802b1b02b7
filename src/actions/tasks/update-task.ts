import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { now } from '../../clock.ts';
import { afterCommit, type Context, inTransaction } from '../../context.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';
import type { ActionStatus, ActionTask, ActionTaskStep } from '../../database/tables/actions.ts';
import { subjects } from '../../processes/subjects.ts';
import { cancelMatrix } from '../jobs/cancel.ts';
import { jobsChanged } from '../jobs/change.ts';
import { lockRuns } from '../jobs/lock.ts';
import { isDone } from '../jobs/status.ts';
import { refusal } from '../protocol/errors.ts';
import type { StepStateMessage, TaskStateMessage, UpdateTaskRequest } from '../protocol/messages.ts';
import { removeEphemeralRunner } from './ephemeral.ts';
import { findTaskOf } from './find.ts';
import { resultOf } from './message.ts';
import { keepOutputs } from './outputs.ts';

/** The states by their number in the protocol. */
const RESULTS: readonly (ActionStatus | undefined)[] = [undefined, 'success', 'failure', 'cancelled', 'skipped'];
/** Seconds: the end of the year 9999, after which no time can be written. */
const LAST_TIME = 253_402_300_799;

/**
 * Stores a runner's report on its task, unless that has ended. The response has the task's result: so a runner learns that it was
 * cancelled.
 * @throws ProcedureError for a task that is not this runner's
 */
export async function updateTask(context: Context, runner: ActionRunner, { state, outputs }: UpdateTaskRequest) {
  if (!state) throw refusal('InvalidArgument', 'missing state');
  const found = await findTaskOf(context, runner, state.id);
  const status = RESULTS[state.result];
  return await inTransaction(context, async (context) => {
    const sentOutputs = await keepOutputs(context, found.id, outputs);
    if (status !== undefined) await lockRuns(context, found.repository_id);
    const task = await findTaskOf(context, runner, state.id);
    const after = isDone(task.status) ? task.status : await report(context, task, state, status);
    return { state: { id: state.id, result: resultOf(after) }, sentOutputs };
  });
}

async function report(
  context: Context,
  task: ActionTask,
  state: TaskStateMessage,
  status: ActionStatus | undefined,
): Promise<ActionStatus> {
  const { db } = context;
  const time = now();
  const end = status && { status, stopped_at: secondsOf(state.stoppedAt) };
  // A concurrent cancellation takes precedence.
  const reported = await db
    .updateTable('action_tasks')
    .set({ ...end, has_reported: true, updated_at: time })
    .where('id', '=', task.id)
    .where('status', '=', 'running')
    .returning('status')
    .executeTakeFirst();
  if (!reported) return 'cancelled';
  const isNews = await updateSteps(context, task.id, state.steps);
  if (isNews) afterCommit(context, () => context.wakeUps.notify([subjects.log(task.job_id)]));
  if (!end) return task.status;
  await removeEphemeralRunner(context, task.runner_id);
  const job = await db
    .updateTable('action_jobs')
    .set({ ...end, updated_at: time })
    .where('id', '=', task.job_id)
    .where('task_id', '=', task.id)
    .returningAll()
    .executeTakeFirst();
  if (!job) return end.status;
  await jobsChanged(context, job.run_id, [job.id]);
  await cancelMatrix(context, job);
  return end.status;
}

/** @returns whether any has changed */
async function updateSteps({ db }: Context, taskId: number, states: readonly StepStateMessage[]): Promise<boolean> {
  let isNews = false;
  const byNumber = new Map(states.map((state) => [Number(state.id), state]));
  const steps = await db.selectFrom('action_task_steps').selectAll().where('task_id', '=', taskId).orderBy('number').execute();
  for (const step of steps) {
    const state = byNumber.get(step.number);
    const after = state ? stepAfter(step, state) : stepWithoutState(step);
    if (after && Object.entries(after).some(([key, value]) => step[key as keyof ActionTaskStep] !== value)) {
      await db.updateTable('action_task_steps').set(after).where('id', '=', step.id).execute();
      isNews = true;
    }
  }
  return isNews;
}

/** A report names every step: a step that it leaves out is running, if it has begun. */
function stepWithoutState({ started_at }: ActionTaskStep): Partial<ActionTaskStep> | undefined {
  return started_at === 0 ? undefined : { status: 'running' };
}

function stepAfter(step: ActionTaskStep, state: StepStateMessage): Partial<ActionTaskStep> {
  const started_at = secondsOf(state.startedAt);
  const status = RESULTS[state.result] ?? (started_at === 0 ? step.status : 'running');
  const times = { started_at, stopped_at: secondsOf(state.stoppedAt) };
  return { status, ...times, log_index: bounded(state.logIndex), log_length: bounded(state.logLength) };
}

/** 0 for none. */
function secondsOf(time: Timestamp | undefined): number {
  return time ? Math.min(Math.max(Number(time.seconds), 0), LAST_TIME) : 0;
}

function bounded(number: bigint): number {
  return Math.min(Math.max(Number(number), 0), Number.MAX_SAFE_INTEGER);
}
