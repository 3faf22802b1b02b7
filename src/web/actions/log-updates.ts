import { createHash } from 'node:crypto';
import { isDone } from '../../actions/jobs/status.ts';
import { findTask, stepsOfTask } from '../../actions/tasks/find.ts';
import { readLines } from '../../actions/tasks/logs/read.ts';
import type { Context } from '../../context.ts';
import type { ActionJob, ActionTaskStep } from '../../database/tables/actions.ts';
import { notFound } from '../../http/errors.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import { Html } from '../html.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { codeLinks } from './code-links.ts';
import { groupOf, type LogRow, logRows } from './log-lines.ts';
import { LOG_PAGE } from './step-log.ts';

/** The parts of a page of a job outside its logs, as markup. */
export interface JobState {
  readonly facts: string;
  readonly steps: readonly { readonly number: number; readonly status: string; readonly head: string }[];
}

/** A hash that changes with the states of a job and its steps, but not with the time. */
export function stateWord(job: ActionJob, steps: readonly ActionTaskStep[]): string {
  const states = steps.map(({ status, started_at, stopped_at }) => [status, started_at, stopped_at]);
  return createHash('sha256')
    .update(JSON.stringify([job.status, job.started_at, job.stopped_at, states]))
    .digest('base64url')
    .slice(0, 12);
}

/**
 * The update of a job's open page: the lines of a step from a given one on, and the states that differ from those on the page.
 * @throws HttpError 404 without a task, or when its log was deleted
 */
export async function logUpdate(
  visit: RepositoryVisit,
  context: Context,
  job: ActionJob,
  stateOf: (steps: readonly ActionTaskStep[]) => JobState,
): Promise<HttpResponse> {
  const { fields } = visit;
  const task = job.task_id === null ? undefined : await findTask(context, job.task_id);
  if (!task || task.log_expired) throw notFound(['logs not found']);
  const steps = await stepsOfTask(context, task.id);
  const seen = stateWord(job, steps);
  const step = steps.find(({ number }) => String(number) === fields.get('step'));
  const update = {
    task: task.id,
    isOver: isDone(job.status),
    ...(seen !== fields.get('seen') && { seen, ...stateOf(steps) }),
    ...(step &&
      (await newLines(visit, context, task, step, {
        from: numberOf(fields.get('from'), 1),
        count: numberOf(fields.get('count'), LOG_PAGE),
      }))),
  };
  return raw(JSON.stringify(update), 'application/json; charset=utf-8', { headers: { 'cache-control': 'no-store' } });
}

async function newLines(
  visit: RepositoryVisit,
  context: Context,
  task: Parameters<typeof readLines>[1],
  { number, status, log_index: start, log_length: total }: ActionTaskStep,
  asked: { from: number; count: number },
) {
  const from = Math.min(Math.max(asked.from, 1), total + 1);
  const count = Math.min(Math.max(asked.count, 0), LOG_PAGE, total - from + 1);
  const lines = count > 0 ? await readLines(context, task, start + from - 1, count) : [];
  const code = await codeLinks(visit, context, task.commit_sha, lines);
  const rows = (await logRows(lines, { step: number, first: from, code })).map(sent);
  return { from, next: from + lines.length, total, isDone: isDone(status), rows };
}

/** A line, a group for the lines that follow, or nothing for the end of a group. */
function sent({ kind, html }: LogRow): string {
  return kind === 'group' ? groupOf(html, new Html(''), { isUnfinished: true, isOpen: true }).text : html.text;
}

function numberOf(text: string | undefined, other: number): number {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : other;
}
