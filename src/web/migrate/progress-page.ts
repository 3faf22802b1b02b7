import type { Context } from '../../context.ts';
import type { MigrationRow, MigrationStep } from '../../database/tables/migrations.ts';
import type { HttpError } from '../../http/errors.ts';
import { stepsOf } from '../../migrations/load.ts';
import { presentMigration } from '../../migrations/present.ts';
import { subjects } from '../../processes/subjects.ts';
import type { IconName } from '../assets/icon-names.ts';
import { fault } from '../components/fault.ts';
import { actionButton } from '../components/form.ts';
import { timeAgo } from '../components/numbers.ts';
import type { Document } from '../document.ts';
import { Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import { icon, path, type View } from '../view.ts';

type Shown = Awaited<ReturnType<typeof presentMigration>>;
type StepState = 'done' | 'current' | 'waiting';

const ICONS: Readonly<Record<StepState, IconName>> = { done: 'check', current: 'sync', waiting: 'clock' };
/** Without scripts the page reloads after some seconds. */
const REFRESH = new Html('<noscript><meta http-equiv="refresh" content="5"></noscript>');

/** The page of a repository during its migration, and after a failed one. @param problem the error of a form of the page */
export async function progressPage({ view }: Visit, context: Context, migration: MigrationRow, problem?: HttpError): Promise<Document> {
  const shown = await presentMigration(context, migration);
  const { name, owner } = { name: shown.repo_name, owner: shown.owner };
  const isActive = migration.ended_at === null;
  const part = isActive ? running(view, context, migration, shown) : ended(view, shown, migration.repository_id !== null);
  return {
    title: `${owner}/${name}`,
    status: problem ? 422 : 200,
    live: [subjects.migration(migration.id)],
    body: html`${problem && fault(view, problem.message)}<section id="migration" class="migration" data-live-part="page">${part}</section>`,
  };
}

function running(view: View, context: Context, migration: MigrationRow, shown: Shown): Html {
  const { migration: text } = view.text;
  const steps = stepsOf(context, migration);
  const at = steps.indexOf(migration.checkpoint.step);
  // Topics come between git and the first list.
  const current = at >= 0 ? at : 1;
  const rows = steps.map((step, index) => stepRow(view, step, index < current ? 'done' : index > current ? 'waiting' : 'current', shown));
  return html`${REFRESH}<h2>${text.running(shown.clone_addr)}</h2><p class="muted">${text.since} ${timeAgo(view, migration.created_at)}. ${text.runningHint}</p>
<ul class="rows box migration-steps">${rows}</ul>
${migration.state === 'waiting' && html`<p role="status">${text.waiting}</p>`}
<div class="buttons">${actionButton(view, { action: formPath(view, shown, 'cancel'), label: html`${icon(view, 'stop')} ${text.cancel}`, className: 'danger' })}<span class="muted">${text.cancelHint}</span></div>`;
}

function stepRow(view: View, step: MigrationStep, state: StepState, { done, message }: Shown): Html {
  const { migration: text } = view.text;
  const isCurrent = state === 'current';
  // The job reports the name and the count of a list.
  const says = isCurrent && !/^[a-z]*(: \d+)?$/.test(message) && message;
  return html`<li class="${state}">${icon(view, ICONS[state], text.stepStates[state])}<div class="grow"><span${isCurrent && html` aria-current="step"`}>${text.steps[step]}</span>
${isCurrent && done > 0 && html`<span class="muted">${text.done(done)}</span>`}${says && html`<code>${says}</code>`}</div></li>`;
}

function ended(view: View, shown: Shown, isStopping: boolean): Html {
  const { migration: text } = view.text;
  const isFailed = shown.status === 'failed';
  const forms = html`<div class="buttons">${actionButton(view, { action: formPath(view, shown, 'retry'), label: html`${icon(view, 'sync')} ${text.retry}`, className: 'primary' })}
${actionButton(view, { action: formPath(view, shown, 'cancel'), label: html`${icon(view, 'trash')} ${text.remove}`, fields: { do: 'delete' }, className: 'danger' })}</div>
<p class="hint">${text.retryHint}</p>`;
  return html`<h2>${isFailed ? text.failed : text.cancelled}</h2>${isFailed && fault(view, shown.message)}<p>${text.failedHint(shown.clone_addr)}</p>
${isStopping ? html`${REFRESH}<p role="status">${text.stopping}</p>` : forms}`;
}

function formPath(view: View, { owner, repo_name: name }: Shown, form: 'cancel' | 'retry'): string {
  return path(view, `${encodeURIComponent(owner)}/${encodeURIComponent(name)}/-/migrate/${form}`);
}
