import { canRead, canWrite, signedIn } from '../../access/requirements.ts';
import { findRun } from '../../actions/jobs/find.ts';
import { isDone } from '../../actions/jobs/status.ts';
import { jobOf } from '../../actions/runs/find.ts';
import { rerun } from '../../actions/runs/rerun.ts';
import { findTask, stepsOfTask } from '../../actions/tasks/find.ts';
import { downloadLog } from '../../actions/tasks/logs/download.ts';
import type { Context } from '../../context.ts';
import type { ActionJob, ActionRun, ActionTask, ActionTaskStep } from '../../database/tables/actions.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import { pathId } from '../../http/path-id.ts';
import type { AnyRoute } from '../../http/route.ts';
import { subjects } from '../../processes/subjects.ts';
import { fault } from '../components/fault.ts';
import { actionButton } from '../components/form.ts';
import { timeAgo } from '../components/numbers.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type Reply, seeOther } from '../page.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import type { View } from '../view.ts';
import { logLineAsked } from './log-search.ts';
import { type JobState, logUpdate, stateWord } from './log-updates.ts';
import { duration, joinedFacts, statusBadge, statusIcon } from './status.ts';
import { stepLog } from './step-log.ts';

const PATH = '/:owner/:repo/actions/runs/:run/jobs/:job_id';

/** A job with its steps and their logs. */
export const jobPages: readonly AnyRoute[] = [
  ...repositoryPage({
    path: PATH,
    needs: [canRead('actions')],
    semaphore: 'renders',
    get: async (visit, context) => {
      const line = logLineAsked(visit.fields);
      return line === undefined
        ? jobPage(visit, context)
        : seeOther(context, `${visit.view.here.split('?', 1)[0]?.slice(visit.view.root.length)}${line}`);
    },
    postNeeds: [signedIn, canWrite('actions')],
    post: again,
  }),
  ...repositoryPage({
    path: `${PATH}/logs`,
    needs: [signedIn, canRead('actions')],
    get: async (visit, context) => downloadLog(context, (await found(visit, context)).job),
  }),
  ...repositoryPage({
    path: `${PATH}/lines`,
    needs: [signedIn, canRead('actions')],
    semaphore: 'renders',
    get: async (visit, context) => {
      const shown = await found(visit, context);
      return logUpdate(visit, context, shown.job, (steps) => stateOf(visit, shown, steps));
    },
  }),
];

interface Found {
  readonly run: ActionRun;
  readonly job: ActionJob;
}

async function found({ repository, params }: RepositoryVisit, context: Context): Promise<Found> {
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
  const { view } = visit;
  const { actions: text } = view.text;
  const shown = await found(visit, context);
  const { run, job } = shown;
  const base = repositoryPath(view, visit.repository, `actions/runs/${run.id}`);
  const task = job.task_id === null ? undefined : await findTask(context, job.task_id);
  const steps = task ? await stepsOfTask(context, task.id) : [];
  const hasSteps = task !== undefined && steps.length > 0;
  return repositoryDocument(visit, context, {
    tab: 'actions',
    title: `${job.name} #${run.number}`,
    live: [subjects.run(run.id), subjects.log(job.id)],
    scripts: ['job-log.js'],
    ...(problem !== undefined && { status: 422 }),
    body: html`<p><a href="${base}">${run.title || text.run(run.number)} #${run.number}</a></p>
${problem !== undefined && fault(view, problem)}
<div id="job"${!hasSteps && html` data-live-part`}><div data-facts>${facts(visit, shown)}</div>
${hasSteps ? await stepList(visit, context, { ...shown, task, steps }) : html`<p class="empty">${isDone(job.status) ? text.neverRan : text.noSteps}</p>`}</div>`,
  });
}

/** The name of a job with its state and its actions. */
function facts(visit: RepositoryVisit, { run, job }: Found): Html {
  const { view, access } = visit;
  const { actions: text } = view.text;
  const here = pathOf(visit, job);
  return html`<div class="row list-bar"><h2 class="issue-heading">${job.name}</h2><div class="push row">
${!isDone(job.status) && html`<a class="button without-script" href="${here}">${text.reload}</a>`}
${view.user && job.task_id !== null && html`<a class="button" href="${here}/logs">${text.rawLog}</a>`}
${access.canWrite('actions') && isDone(run.status) && actionButton(view, { action: here, label: text.rerunJob })}</div></div>
<p class="run-facts">${statusBadge(view, job.status)} <span>${text.runsOn} ${job.runs_on.map((label) => html`<span class="badge">${label}</span> `)}</span>
<span class="muted">${job.started_at > 0 && html`${text.started} ${timeAgo(view, job.started_at)}`}${joinedFacts(duration(view, job), job.attempt > 1 && text.attempt(job.attempt))}</span></p>`;
}

function pathOf({ view, repository }: RepositoryVisit, { run_id: runId, id }: ActionJob): string {
  return repositoryPath(view, repository, `actions/runs/${runId}/jobs/${id}`);
}

async function stepList(
  visit: RepositoryVisit,
  context: Context,
  { job, task, steps }: Found & { task: ActionTask; steps: readonly ActionTaskStep[] },
): Promise<Html> {
  const { view } = visit;
  const here = pathOf(visit, job);
  const open = openStep(visit, steps);
  const parts: Html[] = [];
  for (const step of steps) {
    const head = stepHead(view, step);
    const log = step === open && (await stepLog(visit, context, { task, step, here }));
    const link = html`<a class="step-link" href="${here}?step=${step.number}#step-${step.number}">${head}</a>`;
    parts.push(
      html`<li id="step-${step.number}" data-status="${step.status}">${log ? html`<details open><summary>${head}</summary>${log}</details>` : link}</li>\n`,
    );
  }
  const follows = view.user && html` data-lines="${here}/lines" data-task="${task.id}" data-seen="${stateWord(job, steps)}"`;
  return html`<h3>${view.text.actions.steps}</h3><ol class="steps box"${follows}>${parts}</ol>`;
}

function stepHead(view: View, step: ActionTaskStep): Html {
  return html`${statusIcon(view, step.status)} <span class="grow">${step.name}</span> <span class="muted nowrap">${duration(view, step)}</span>`;
}

/** The parts of the page that change with the states. */
function stateOf(visit: RepositoryVisit, shown: Found, steps: readonly ActionTaskStep[]): JobState {
  const changed = ({ number, status, ...step }: ActionTaskStep) => ({
    number,
    status,
    head: stepHead(visit.view, { ...step, number, status }).text,
  });
  return { facts: facts(visit, shown).text, steps: steps.map(changed) };
}

/** The step whose log is shown: the requested one, else the failed one, else the running one, else the last one with output. */
function openStep({ fields }: RepositoryVisit, all: readonly ActionTaskStep[]): ActionTaskStep | undefined {
  const asked = /^\d{1,6}$/.test(fields.get('step') ?? '') ? Number(fields.get('step')) : undefined;
  const inState = (status: ActionTaskStep['status']) => all.find((step) => step.status === status);
  return (
    all.find(({ number }) => number === asked) ?? inState('failure') ?? inState('running') ?? all.findLast((step) => step.log_length > 0)
  );
}
