import { canRead, canWrite, signedIn } from '../../access/requirements.ts';
import { findRun } from '../../actions/jobs/find.ts';
import { isDone } from '../../actions/jobs/status.ts';
import { jobOf } from '../../actions/runs/find.ts';
import { rerun } from '../../actions/runs/rerun.ts';
import { findTask, stepsOfTask } from '../../actions/tasks/find.ts';
import { downloadLog } from '../../actions/tasks/logs/download.ts';
import type { Context } from '../../context.ts';
import type { ActionJob, ActionRun, ActionTaskStep } from '../../database/tables/actions.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import { pathId } from '../../http/path-id.ts';
import type { AnyRoute } from '../../http/route.ts';
import { subjects } from '../../processes/subjects.ts';
import { actionButton } from '../components/form.ts';
import { timeAgo } from '../components/numbers.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { fault, type Reply, seeOther } from '../page.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { duration, statusBadge, statusIcon } from './status.ts';
import { stepLog } from './step-log.ts';

const PATH = '/:owner/:repo/actions/runs/:run/jobs/:job_id';

/** A job with its steps and their logs. */
export const jobPages: readonly AnyRoute[] = [
  ...repositoryPage({
    path: PATH,
    needs: [canRead('actions')],
    semaphore: 'renders',
    get: (visit, context) => jobPage(visit, context),
    postNeeds: [signedIn, canWrite('actions')],
    post: again,
  }),
  ...repositoryPage({
    path: `${PATH}/logs`,
    needs: [signedIn, canRead('actions')],
    get: async (visit, context) => downloadLog(context, (await found(visit, context)).job),
  }),
];

async function found({ repository, params }: RepositoryVisit, context: Context): Promise<{ run: ActionRun; job: ActionJob }> {
  const job = await jobOf({ repository, params: { job_id: params.job_id ?? '' } }, context);
  const run = await findRun(context.db, job.run_id);
  if (!run || run.id !== pathId(params.run ?? '')) throw notFound(['resource does not exist']);
  return { run, job };
}

async function again(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const { view, repository } = visit;
  const { run, job } = await found(visit, context);
  try {
    await rerun(context, run, { jobId: job.id });
  } catch (error) {
    if (!(error instanceof HttpError) || ![400, 422].includes(error.status)) throw error;
    return jobPage(visit, context, error.message);
  }
  return seeOther(context, repositoryPath(view, repository, `actions/runs/${run.id}/jobs/${job.id}`).slice(view.root.length));
}

async function jobPage(visit: RepositoryVisit, context: Context, problem?: string): Promise<Document> {
  const { view, repository, access } = visit;
  const { actions: text } = view.text;
  const { run, job } = await found(visit, context);
  const base = repositoryPath(view, repository, `actions/runs/${run.id}`);
  const here = `${base}/jobs/${job.id}`;
  const hasLog = context.actor !== null && job.task_id !== null;
  return repositoryDocument(visit, context, {
    tab: 'actions',
    title: `${job.name} #${run.number}`,
    live: [subjects.run(run.id)],
    ...(problem !== undefined && { status: 422 }),
    body: html`<p><a href="${base}">${run.title || text.run(run.number)} #${run.number}</a></p>
<div class="row list-bar"><h2 class="issue-heading">${job.name}</h2><div class="push row">
${!isDone(job.status) && html`<a class="button" href="${view.here}">${text.reload}</a>`}
${hasLog && html`<a class="button" href="${here}/logs">${text.rawLog}</a>`}
${access.canWrite('actions') && isDone(run.status) && actionButton(view, { action: here, label: text.rerunJob })}</div></div>
${problem !== undefined && fault(problem)}
<div id="job" data-live-part><p class="run-facts">${statusBadge(view, job.status)} <span>${text.runsOn} ${job.runs_on.map((label) => html`<span class="badge">${label}</span> `)}</span>
<span class="muted">${job.started_at > 0 && html`${text.started} ${timeAgo(view, job.started_at)}`} ${duration(view, job)} ${job.attempt > 1 && text.attempt(job.attempt)}</span></p>
${await steps(visit, context, job, here)}</div>`,
  });
}

async function steps(visit: RepositoryVisit, context: Context, job: ActionJob, here: string): Promise<Html> {
  const { view } = visit;
  const { actions: text } = view.text;
  const task = job.task_id === null ? undefined : await findTask(context, job.task_id);
  const all = task ? await stepsOfTask(context, task.id) : [];
  if (!task || all.length === 0) return html`<p class="empty">${text.noSteps}</p>`;
  const open = openStep(visit, all);
  const parts: Html[] = [];
  for (const step of all) {
    const isOpen = step === open;
    const head = html`${statusIcon(view, step.status)} <span class="grow">${step.name}</span> <span class="muted nowrap">${duration(view, step)}</span>`;
    const log = isOpen && (await stepLog(visit, context, { task, step, here }));
    parts.push(
      html`<li id="step-${step.number}">${
        log
          ? html`<details open><summary>${head}</summary>${log}</details>`
          : html`<a class="step-link" href="${here}?step=${step.number}#step-${step.number}">${head}</a>`
      }</li>\n`,
    );
  }
  return html`<h3>${text.steps}</h3><ol class="steps box">${parts}</ol>`;
}

/** The step whose log is shown: the one that is asked for, else the one that failed, else the one that runs, else the last that wrote. */
function openStep({ fields }: RepositoryVisit, all: readonly ActionTaskStep[]): ActionTaskStep | undefined {
  const asked = /^\d{1,6}$/.test(fields.get('step') ?? '') ? Number(fields.get('step')) : undefined;
  const inState = (status: ActionTaskStep['status']) => all.find((step) => step.status === status);
  return (
    all.find(({ number }) => number === asked) ?? inState('failure') ?? inState('running') ?? all.findLast((step) => step.log_length > 0)
  );
}
