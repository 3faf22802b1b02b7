import { findUserById } from '../../access/find-user.ts';
import { canRead, canWrite, signedIn } from '../../access/requirements.ts';
import { listRuns, statusesOf } from '../../actions/runs/list.ts';
import { presentRuns } from '../../actions/runs/present.ts';
import { setWorkflowEnabled } from '../../actions/workflows/disabled.ts';
import { getWorkflow, listWorkflows } from '../../actions/workflows/workflows.ts';
import type { Context } from '../../context.ts';
import type { ActionRun } from '../../database/tables/actions.ts';
import type { HttpError } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { subjects } from '../../processes/subjects.ts';
import { userLink } from '../components/avatar.ts';
import { fault } from '../components/fault.ts';
import { actionButton, field, select } from '../components/form.ts';
import { requestedPage } from '../components/list-page.ts';
import { timeAgo } from '../components/numbers.ts';
import { pageLinks, withParameter } from '../components/pages.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { seeOther } from '../page.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { localUrl } from '../view.ts';
import { dispatch, dispatchForm } from './dispatch.ts';
import { runRef } from './run-ref.ts';
import { duration, statusIcon } from './status.ts';

/** The states to choose from, by their names in the API. */
const STATES = {
  success: 'success',
  failure: 'failure',
  in_progress: 'running',
  queued: 'waiting',
  waiting: 'blocked',
  cancelled: 'cancelled',
  skipped: 'skipped',
} as const;
const MAX_WORD = 255;

type Workflows = Awaited<ReturnType<typeof listWorkflows>>;

/** The runs of a repository, and the form that starts a workflow. */
export const runListPages: readonly AnyRoute[] = [
  ...repositoryPage({
    path: '/:owner/:repo/actions',
    needs: [canRead('actions')],
    get: (visit, context) => runList(visit, context),
    postNeeds: [signedIn, canWrite('actions')],
    post: (visit, context) => dispatch(visit, context, (refused) => runList(visit, context, refused)),
  }),
  ...(['enable', 'disable'] as const).flatMap((word) =>
    repositoryPage({
      path: `/:owner/:repo/actions/${word}`,
      needs: [signedIn, canRead('actions'), canWrite('actions')],
      post: async (visit, context) => {
        const { view, repository, request, fields } = visit;
        const asked = fields.get('workflow') ?? new URL(request.url).searchParams.get('workflow') ?? '';
        const { id } = await getWorkflow(context, repository, asked);
        await setWorkflowEnabled(context, repository.id, id, word === 'enable');
        return seeOther(
          context,
          `${repositoryPath(view, repository, 'actions').slice(view.root.length)}?${new URLSearchParams({ workflow: id })}`,
        );
      },
    }),
  ),
];

interface Choice {
  readonly workflow: string;
  readonly state: string;
  readonly branch: string;
  readonly actor: string;
}

/** The states by the numbers that Gitea's links have; 0 is any. */
const NUMBERED_STATES = ['', 'success', 'failure', 'cancelled', 'skipped', 'queued', 'in_progress', 'waiting'];

function readChoice({ fields, request }: RepositoryVisit): Choice {
  const isForm = request.method === 'POST';
  const word = (name: string) => (isForm && name !== 'workflow' ? '' : (fields.get(name)?.trim() ?? '').slice(0, MAX_WORD));
  const given = word('status');
  const state = /^\d$/.test(given) ? (NUMBERED_STATES[Number(given)] ?? '') : given;
  return { workflow: word('workflow'), state: Object.hasOwn(STATES, state) ? state : '', branch: word('branch'), actor: word('actor') };
}

/** Gitea's links name people by their ids; 0 is anybody. */
async function actorName({ db }: Context, given: string): Promise<string> {
  if (!/^\d{1,15}$/.test(given)) return given;
  return given === '0' ? '' : ((await findUserById(db, Number(given)))?.name ?? given);
}

async function runList(visit: RepositoryVisit, context: Context, refused?: HttpError): Promise<Document> {
  const { view, repository, access } = visit;
  const { actions: text } = view.text;
  const asked = readChoice(visit);
  const choice = { ...asked, actor: await actorName(context, asked.actor) };
  const { workflow: workflowId, branch, actor, state } = choice;
  const page = requestedPage(visit, context.settings);
  const statuses = statusesOf(state === '' ? [] : [state]);
  const { runs, total } = await listRuns(context, { repositoryId: repository.id }, { workflowId, branch, actor, statuses }, page);
  const workflows = repository.is_empty ? [] : await listWorkflows(context, repository);
  const workflow = workflows.find(({ id }) => id === workflowId);
  const base = repositoryPath(view, repository, 'actions');
  const isFiltered = [workflowId, branch, actor, state].some((word) => word !== '');
  const rows = runs.length > 0 ? await runRows(visit, context, runs) : emptyList(visit, context, isFiltered, base);
  return repositoryDocument(visit, context, {
    tab: 'actions',
    title: text.title,
    live: [subjects.runs(repository.id)],
    ...(refused && { status: 422 }),
    body: html`<div class="with-menu">${menuOf(visit, workflows, choice, base)}
<div><div class="row list-bar"><h2>${workflow?.name ?? (workflowId || text.allWorkflows)}</h2>
${workflow && access.canWrite('actions') && stateButton(visit, workflow, base)}</div>
${refused && fault(view, refused.message)}
${workflow?.state !== 'active' && workflow && html`<p class="warning" role="status">${text.isDisabled}</p>`}
${workflow?.state === 'active' && access.canWrite('actions') && (await dispatchForm(visit, context, workflowId, refused !== undefined))}
${filterForm(visit, choice, base)}
<section class="box" id="runs" data-live-part aria-label="${text.title}"><header><strong>${text.runs(total)}</strong></header>${rows}</section>
${pageLinks(view, { ...page, total })}</div></div>`,
  });
}

function menuOf({ view }: RepositoryVisit, workflows: Workflows, choice: Choice, base: string): Html {
  const { actions: text } = view.text;
  const item = (id: string, label: string, isDisabled = false) =>
    html`<a href="${id === '' ? base : `${base}?${new URLSearchParams({ workflow: id })}`}"${id === choice.workflow && html` aria-current="page"`}>${label}${isDisabled && html` <span class="badge">${text.disabled}</span>`}</a>`;
  return html`<nav class="side-menu" aria-label="${text.workflows}">${item('', text.allWorkflows)}
${workflows.map(({ id, name, state }) => item(id, name, state !== 'active'))}</nav>`;
}

/** Enables or disables a workflow. */
function stateButton({ view }: RepositoryVisit, { id, state }: Workflows[number], base: string): Html {
  const { actions: text } = view.text;
  const isActive = state === 'active';
  const action = `${base}/${isActive ? 'disable' : 'enable'}?${new URLSearchParams({ workflow: id })}`;
  return html`<div class="push">${actionButton(view, { action, label: isActive ? text.disableWorkflow : text.enableWorkflow, fields: { workflow: id } })}</div>`;
}

function filterForm({ view }: RepositoryVisit, { workflow, state, branch, actor }: Choice, base: string): Html {
  const { actions: text } = view.text;
  const states = (Object.keys(STATES) as (keyof typeof STATES)[]).map((word) => [word, text.statuses[STATES[word]]] as const);
  return html`<form class="run-filters" action="${base}" aria-label="${text.filter}">
${workflow !== '' && html`<input type="hidden" name="workflow" value="${workflow}">`}
${select({ name: 'status', label: text.state, value: state, options: [['', text.anyState], ...states] })}
${field({ name: 'branch', label: text.branch, value: branch, maxLength: MAX_WORD })}
${field({ name: 'actor', label: text.actor, value: actor, maxLength: MAX_WORD })}
<button>${text.apply}</button></form>`;
}

function emptyList({ view }: RepositoryVisit, { settings }: Context, isFiltered: boolean, base: string): Html {
  const { actions: text } = view.text;
  if (isFiltered) return html`<div class="empty plain-empty"><p>${text.noneMatch}</p><a href="${base}">${text.clear}</a></div>`;
  return html`<div class="empty plain-empty"><p><strong>${text.noRuns}</strong></p>
<p>${text.noRunsHint} ${settings.actions.workflowFolders.map((folder) => html`<code>${folder}</code> `)}</p></div>`;
}

async function runRows({ view, repository }: RepositoryVisit, context: Context, runs: readonly ActionRun[]): Promise<Html> {
  const { actions: text } = view.text;
  const shown = await presentRuns(context, runs);
  const rows = runs.map((run) => {
    const wire = shown.find(({ id }) => id === run.id);
    if (!wire) return false;
    return html`<li class="run-row">${statusIcon(view, run.status)}
<div class="issue-main"><a class="issue-title" href="${localUrl(view, wire.html_url)}">${run.title || text.run(run.number)}</a>
<p class="issue-facts"><span>${run.workflow_name || run.workflow_id} #${run.number}</span> <span>${run.trigger_event}</span>
<span>${text.by} ${userLink(view, wire.actor, 16)}</span>
${runRef(view, repository, run.ref, (branch) => withParameter(view, 'branch', branch))}</p></div>
<div class="run-times muted"><span>${timeAgo(view, run.created_at)}</span> <span>${duration(view, run)}</span></div></li>\n`;
  });
  return html`<ul class="rows">${rows}</ul>`;
}
