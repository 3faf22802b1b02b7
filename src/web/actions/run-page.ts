import { canRead, canWrite, signedIn } from '../../access/requirements.ts';
import { deleteArtifact, findNamed, isAvailable, listArtifacts } from '../../actions/artifacts/artifacts.ts';
import { serveArtifact } from '../../actions/artifacts/download.ts';
import { jobsOfRun } from '../../actions/jobs/find.ts';
import { isDone } from '../../actions/jobs/status.ts';
import { approveRun, cancelRun } from '../../actions/runs/approve.ts';
import { deleteRun } from '../../actions/runs/delete.ts';
import { runOf } from '../../actions/runs/find.ts';
import { presentRuns } from '../../actions/runs/present.ts';
import { rerun } from '../../actions/runs/rerun.ts';
import type { Context } from '../../context.ts';
import type { ActionJob, ActionRun } from '../../database/tables/actions.ts';
import { HttpError, notFound, notFoundBecause, unprocessable } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { subjects } from '../../processes/subjects.ts';
import { userLink } from '../components/avatar.ts';
import { fault } from '../components/fault.ts';
import { actionButton } from '../components/form.ts';
import { menu } from '../components/menu.ts';
import { bytes, timeAgo } from '../components/numbers.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type Reply, seeOther } from '../page.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { icon, type View } from '../view.ts';
import { failures } from './failures.ts';
import { runRef } from './run-ref.ts';
import { stagesOf } from './stages.ts';
import { duration, joinedFacts, statusBadge, statusIcon } from './status.ts';

/** Artifacts of a run that are listed. */
const MAX_ARTIFACTS = 500;

const PATH = '/:owner/:repo/actions/runs/:run';

/** A run, its actions, and its artifacts. */
export const runPages: readonly AnyRoute[] = [
  ...repositoryPage({
    path: PATH,
    needs: [canRead('actions')],
    get: async (visit, context) => runPage(visit, context, await found(visit, context)),
    postNeeds: [signedIn, canWrite('actions')],
    post: change,
  }),
  ...repositoryPage({
    path: `${PATH}/delete`,
    needs: [canRead('actions'), signedIn, canWrite('actions')],
    post: async (visit, context) => {
      await deleteRun(context, await found(visit, context));
      return seeOther(context, repositoryPath(visit.view, visit.repository, 'actions').slice(visit.view.root.length));
    },
  }),
  ...repositoryPage({
    path: `${PATH}/artifacts/:name`,
    needs: [canRead('actions')],
    get: async (visit, context) => {
      const run = await found(visit, context);
      const artifact = await findNamed(context, run.id, visit.params.name ?? '');
      if (!artifact || !isAvailable(artifact)) throw notFoundBecause('artifact not found');
      return await serveArtifact(context, visit.request, artifact);
    },
  }),
  ...repositoryPage({
    path: `${PATH}/artifacts/:name/delete`,
    needs: [canRead('actions'), signedIn, canWrite('actions')],
    post: async (visit, context) => {
      const { view, repository } = visit;
      const run = await found(visit, context);
      const artifact = await findNamed(context, run.id, visit.params.name ?? '');
      // Unfinished artifacts are deleted with their run.
      if (!artifact || !['confirmed', 'expired'].includes(artifact.status)) throw notFoundBecause('artifact not found');
      await deleteArtifact(context, artifact);
      return seeOther(context, repositoryPath(view, repository, `actions/runs/${run.id}`).slice(view.root.length));
    },
  }),
];

function found({ repository, params }: RepositoryVisit, context: Context): Promise<ActionRun> {
  return runOf({ repository, params: { run: params.run ?? '' } }, context);
}

async function change(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const { view, repository } = visit;
  const run = await found(visit, context);
  try {
    await changeRun(context, run, visit.fields.get('do') ?? '');
  } catch (error) {
    if (!(error instanceof HttpError) || ![400, 422].includes(error.status)) throw error;
    return runPage(visit, context, run, error.message);
  }
  return seeOther(context, repositoryPath(view, repository, `actions/runs/${run.id}`).slice(view.root.length));
}

async function changeRun(context: Context, run: ActionRun, act: string): Promise<void> {
  if (act === 'rerun') await rerun(context, run, 'all');
  else if (act === 'rerun-failed') await rerun(context, run, 'failed');
  else if (act === 'cancel') await cancelRun(context, run);
  else if (act === 'approve') await approveRun(context, run);
  else throw unprocessable('[do]: unknown');
}

async function runPage(visit: RepositoryVisit, context: Context, run: ActionRun, problem?: string): Promise<Document> {
  const { view, repository, access } = visit;
  const { actions: text } = view.text;
  const jobs = await jobsOfRun(context.db, run.id);
  const base = repositoryPath(view, repository, `actions/runs/${run.id}`);
  return repositoryDocument(visit, context, {
    tab: 'actions',
    title: `${run.title || text.run(run.number)} #${run.number}`,
    live: [subjects.run(run.id)],
    ...(problem !== undefined && { status: 422 }),
    body: html`<div id="run" data-live-part><div class="row list-bar"><h2 class="issue-heading">${run.title || text.run(run.number)} <span class="muted">#${run.number}</span></h2>
${access.canWrite('actions') && controls(visit, run, jobs, base)}</div>
${problem !== undefined && fault(view, problem)}
${await facts(visit, context, run)}
${run.error !== '' && html`<div class="fault" role="alert"><p>${text.fileProblem}</p><pre class="plain-log" tabindex="0">${run.error}</pre></div>`}
${run.need_approval && html`<p class="warning" role="status">${text.needsApproval}</p>`}
${await failures(visit, context, jobs, base)}
${jobs.length > 0 && html`<h3>${text.jobs}</h3>${stages(visit, jobs, base)}`}
${await artifacts(visit, context, run, base)}</div>`,
  });
}

function controls({ view }: RepositoryVisit, run: ActionRun, jobs: readonly ActionJob[], base: string): Html {
  const { actions: text } = view.text;
  const button = (act: string, label: string, className = '') =>
    actionButton(view, { action: base, label, fields: { do: act }, className });
  const isOver = isDone(run.status);
  const hasFailed = jobs.some(({ status }) => status === 'failure' || status === 'cancelled');
  return html`<div class="push row">
${run.need_approval && button('approve', text.approve, 'primary')}
${isOver && hasFailed && button('rerun-failed', text.rerunFailed)}
${isOver && jobs.length > 0 && button('rerun', text.rerun)}
${!isOver && button('cancel', text.cancel, 'danger')}
${
  isOver &&
  menu(icon(view, 'trash', text.deleteRun), [
    html`<p class="hint">${text.deleteRunHint}</p>`,
    actionButton(view, { action: `${base}/delete`, label: text.deleteRun, className: 'danger' }),
  ])
}</div>`;
}

async function facts({ view, repository }: RepositoryVisit, context: Context, run: ActionRun): Promise<Html> {
  const { actions: text } = view.text;
  const [wire] = await presentRuns(context, [run]);
  if (!wire) throw notFound();
  const workflow = `${repositoryPath(view, repository, 'actions')}?${new URLSearchParams({ workflow: run.workflow_id })}`;
  return html`<p class="run-facts">${statusBadge(view, run.status)}
<span><a href="${workflow}">${run.workflow_name || run.workflow_id}</a> · ${run.trigger_event} ${text.by} ${userLink(view, wire.actor, 16)}</span>
<span>${icon(view, 'git-commit', text.commit)} <a href="${repositoryPath(view, repository, `commit/${run.commit_sha}`)}"><code>${run.commit_sha.slice(0, 10)}</code></a>
${runRef(view, repository, run.ref)}</span>
<span class="muted">${timeAgo(view, run.created_at)}${joinedFacts(duration(view, run), run.attempt > 1 && text.attempt(run.attempt))}</span></p>`;
}

function stages({ view }: RepositoryVisit, jobs: readonly ActionJob[], base: string): Html {
  const { actions: text } = view.text;
  return html`<ol class="stages">${stagesOf(jobs).map(
    (stage, at) =>
      html`<li><section class="box" aria-label="${text.stage(at + 1)}"><ul class="rows">${stage.map(
        (job) => html`<li>${statusIcon(view, job.status)} <a class="grow" href="${base}/jobs/${job.id}">${job.name}</a>
<span class="muted nowrap">${duration(view, job)}</span>
${job.needs.length > 0 && html`<span class="muted job-needs">${text.needs(job.needs.join(', '))}</span>`}</li>\n`,
      )}</ul></section></li>`,
  )}</ol>`;
}

async function artifacts(
  { view, repository, access }: RepositoryVisit,
  context: Context,
  run: ActionRun,
  base: string,
): Promise<Html | false> {
  const { actions: text } = view.text;
  const page = { page: 1, limit: MAX_ARTIFACTS, offset: 0 };
  const { artifacts, total } = await listArtifacts(context, { repositoryId: repository.id, runId: run.id }, page);
  if (total === 0) return false;
  return html`<h3>${text.artifacts}</h3><ul class="rows box">${artifacts.map(
    (one) =>
      html`<li>${icon(view, 'file-zip')} ${
        isAvailable(one)
          ? html`<a class="grow" href="${base}/artifacts/${encodeURIComponent(one.name)}">${one.name}</a>`
          : html`<span class="grow">${one.name} <span class="badge">${text.expired}</span></span>`
      } <span class="muted nowrap">${bytes(view, one.size)}</span>${access.canWrite('actions') && removal(view, one.name, base)}</li>\n`,
  )}</ul>`;
}

/** A button that asks for confirmation. */
function removal(view: View, name: string, base: string): Html {
  const { actions: text } = view.text;
  const action = `${base}/artifacts/${encodeURIComponent(name)}/delete`;
  return menu(icon(view, 'trash', text.deleteArtifact(name)), [
    html`<p class="hint">${text.deleteArtifactHint}</p>`,
    actionButton(view, { action, label: text.deleteArtifact(name), className: 'danger' }),
  ]);
}
