import { searchUsers } from '../../accounts/users/search.ts';
import { listProcesses } from '../../admin/processes/processes.ts';
import { listFailedTasks, listFailingJobs, listQueues } from '../../admin/queues.ts';
import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import { listAllOrganizations } from '../../organizations/list.ts';
import { searchRepositories } from '../../repositories/search/search.ts';
import { bytes, number, timeAgo } from '../components/numbers.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import { plainPage } from '../resource-pages.ts';
import { path, type View } from '../view.ts';
import { ADMIN_NEEDS, ADMIN_PATHS, type AdminPage, adminDocument, table } from './frame.ts';

/** Number of failing jobs that are shown. */
const MAX_FAILING = 50;
/** Length limit of an error in characters. */
const MAX_ERROR = 500;
const COUNT_ALONE = { page: 1, limit: 1, offset: 0 };

/** The overview: problems, totals, and processes. */
export const overviewPages: readonly AnyRoute[] = plainPage({ path: '/-/admin', needs: ADMIN_NEEDS, get: overview });

async function overview({ view }: Visit, context: Context): Promise<Document> {
  const { admin: text } = view.text;
  const counts: readonly (readonly [AdminPage, number])[] = [
    ['users', (await searchUsers(context, {}, COUNT_ALONE)).total],
    ['organizations', (await listAllOrganizations(context, COUNT_ALONE)).total],
    ['repositories', (await searchRepositories(context, { includePrivate: true }, COUNT_ALONE)).total],
  ];
  const body = html`<section aria-labelledby="problems"><h2 id="problems">${text.problems}</h2>${await problems(view, context)}</section>
<ul class="counts">${counts.map(
    ([page, count]) =>
      html`<li class="box"><a href="${path(view, ADMIN_PATHS[page])}"><strong>${number(view, count)}</strong> ${text.pages[page]}</a></li>`,
  )}</ul>
<h2>${text.processes}</h2>${await processTable(view, context)}
<h2>${text.queues}</h2>${await queueTable(view, context)}`;
  return adminDocument(view, context, { current: 'overview', body });
}

/** Unresolved failures of background jobs. */
export async function problems(view: View, context: Context): Promise<Html> {
  const { admin: text } = view.text;
  const [tasks, jobs] = [await listFailedTasks(context), await listFailingJobs(context, MAX_FAILING)];
  if (tasks.length + jobs.length === 0) return html`<p class="notice">${text.noProblems}</p>`;
  return html`<ul class="rows box">${tasks.map(
    ({ name, error }) =>
      html`<li><span class="badge danger">${text.task}</span> <code>${name}</code> <span class="muted">${error.slice(0, MAX_ERROR)}</span></li>`,
  )}${jobs.map(
    ({ type, attempts, due_at, error }) =>
      html`<li><span class="badge danger">${text.job}</span> <code>${type}</code> <span class="muted">${text.attempts(attempts)}, ${text.again} ${timeAgo(view, due_at)}: ${error.slice(0, MAX_ERROR)}</span></li>`,
  )}</ul>`;
}

/** The running processes, and the work of each. */
export async function processTable(view: View, context: Context): Promise<Html> {
  const { admin: text } = view.text;
  const rows = (await listProcesses(context)).map(
    ({ role, host, pid, version, started_at, is_draining, load, jobs, tasks }) => html`<tr><td>${host}:${pid}
${is_draining && html`<span class="badge warning">${text.draining}</span>`}</td><td>${role}</td><td>${version}</td><td>${timeAgo(view, started_at)}</td>
<td>${load && `${number(view, Math.round(load.cpu * 100))} %`}</td><td>${load && bytes(view, load.memory)}</td>
<td>${[...jobs.map((job) => (job.progress === '' ? job.type : `${job.type} (${job.progress})`)), ...tasks].join(', ') || '-'}</td></tr>`,
  );
  const { process, role, version, started, cpu, memory, doing } = text.columns;
  return table(text.processes, [process, role, version, started, cpu, memory, doing], rows);
}

/** The queues that have jobs. */
export async function queueTable(view: View, context: Context): Promise<Html> {
  const { admin: text } = view.text;
  const queues = await listQueues(context);
  if (queues.length === 0) return html`<p class="muted">${text.noJobs}</p>`;
  const { queue, waiting, running, failing } = text.columns;
  const rows = queues.map(
    (one) =>
      html`<tr><td>${one.queue}</td><td>${number(view, one.waiting)}</td><td>${number(view, one.running)}</td><td>${number(view, one.failing)}</td></tr>`,
  );
  return table(text.queues, [queue, waiting, running, failing], rows);
}
