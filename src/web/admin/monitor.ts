import { runTask } from '../../admin/cron/run.ts';
import { type Context, inTransaction } from '../../context.ts';
import { notFound } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { isTaskName } from '../../jobs/tasks.ts';
import { actionButton } from '../components/form.ts';
import { number, timeAgo } from '../components/numbers.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { seeOther, type Visit } from '../page.ts';
import { plainPage } from '../resource-pages.ts';
import { path, type View } from '../view.ts';
import { ADMIN_NEEDS, ADMIN_PATHS, adminDocument, table } from './frame.ts';
import { problems, processTable, queueTable } from './overview.ts';

/** Scheduled tasks, queues, failed jobs and processes. */
export const monitorPages: readonly AnyRoute[] = plainPage({
  path: `/${ADMIN_PATHS.monitor}`,
  needs: ADMIN_NEEDS,
  get: monitor,
  post: async ({ fields }, context) => {
    const task = fields.get('task') ?? '';
    if (!isTaskName(task)) throw notFound();
    // The audit entry is written before anything is changed, since that may be outside of the database.
    await inTransaction(context, async () => {});
    await runTask(context, task);
    return seeOther(context, ADMIN_PATHS.monitor);
  },
});

async function monitor({ view }: Visit, context: Context): Promise<Document> {
  const { admin: text } = view.text;
  const body = html`<h2>${text.problems}</h2>${await problems(view, context)}
<h2>${text.tasks}</h2>${await taskTable(view, context)}
<h2>${text.queues}</h2>${await queueTable(view, context)}
<h2>${text.processes}</h2>${await processTable(view, context)}`;
  return adminDocument(view, context, { current: 'monitor', body });
}

async function taskTable(view: View, context: Context): Promise<Html> {
  const { admin: text } = view.text;
  const { name, schedule, next, previous, runs } = text.columns;
  const rows = (await context.schedule.list(context)).map(
    (
      task,
    ) => html`<tr><td><code>${task.name}</code></td><td><code>${task.schedule}</code></td><td>${task.next !== null && timeAgo(view, task.next)}</td>
<td>${task.prev !== null && timeAgo(view, task.prev)}</td><td>${number(view, task.runs)}</td>
<td>${actionButton(view, { action: path(view, ADMIN_PATHS.monitor), label: text.run, fields: { task: task.name }, title: text.runTask(task.name) })}</td></tr>`,
  );
  return table(text.tasks, [name, schedule, next, previous, runs, text.run], rows);
}
