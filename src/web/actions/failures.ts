import { findTask, stepsOfTask } from '../../actions/tasks/find.ts';
import { readLines } from '../../actions/tasks/logs/read.ts';
import type { Context } from '../../context.ts';
import type { ActionJob } from '../../database/tables/actions.ts';
import { type Html, html } from '../html.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { codeLinks } from './code-links.ts';
import { lineText, readLogLine } from './log-lines.ts';
import { statusIcon } from './status.ts';

/** Failed jobs that are shown with the end of their log. */
const MAX_JOBS = 3;
/** Lines of the end of a failed step. */
const MAX_LINES = 12;

/** The failed jobs of a run with their failed step and the end of its log. Only signed-in users see logs, as in the API. */
export async function failures(visit: RepositoryVisit, context: Context, jobs: readonly ActionJob[], base: string): Promise<Html | false> {
  const { actions: text } = visit.view.text;
  const failed = jobs.filter(({ status }) => status === 'failure');
  if (failed.length === 0) return false;
  const boxes: Html[] = [];
  for (const job of failed.slice(0, MAX_JOBS)) boxes.push(await failure(visit, context, job, base));
  const more = failed.length - boxes.length;
  return html`<section aria-labelledby="what-failed"><h3 id="what-failed">${text.whatFailed}</h3>${boxes}
${more > 0 && html`<p class="muted">${text.moreFailed(more)}</p>`}</section>`;
}

async function failure(visit: RepositoryVisit, context: Context, job: ActionJob, base: string): Promise<Html> {
  const { view } = visit;
  const { actions: text } = view.text;
  const task = job.task_id === null ? undefined : await findTask(context, job.task_id);
  const step = task && (await stepsOfTask(context, task.id)).find(({ status }) => status === 'failure');
  const href = `${base}/jobs/${job.id}${step ? `#step-${step.number}` : ''}`;
  const lines = task && step && context.actor ? await lastLines(visit, context, task, step) : [];
  return html`<div class="box"><header>${statusIcon(view, job.status)} <a href="${href}"><strong>${job.name}</strong></a>
${step && html`<span class="muted">${text.failedAt(step.name)}</span>`}</header>
${lines.length > 0 && html`<pre class="plain-log" tabindex="0">${lines}</pre>`}</div>`;
}

type Task = Parameters<typeof readLines>[1];

async function lastLines(
  visit: RepositoryVisit,
  context: Context,
  task: Task,
  { log_index: first, log_length: length }: { log_index: number; log_length: number },
) {
  const count = Math.min(length, MAX_LINES);
  if (count === 0) return [];
  const read = await readLines(context, task, first + length - count, count);
  const code = await codeLinks(visit, context, task.commit_sha, read);
  const lines = read.map(readLogLine);
  return lines
    .filter(({ kind }) => kind !== 'endgroup')
    .map(({ kind, text }) => html`<span class="${kind}">${code(lineText(text))}</span>\n`);
}
