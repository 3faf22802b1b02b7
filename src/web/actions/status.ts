import { durationOf } from '../../actions/jobs/status.ts';
import { now } from '../../clock.ts';
import type { ActionRun, ActionStatus } from '../../database/tables/actions.ts';
import type { IconName } from '../assets/icon-names.ts';
import { type Html, html } from '../html.ts';
import { icon, type View } from '../view.ts';

const ICONS: Readonly<Record<ActionStatus, IconName>> = {
  success: 'check',
  failure: 'x',
  cancelled: 'stop',
  skipped: 'skip',
  running: 'sync',
  waiting: 'clock',
  blocked: 'no-entry',
};

/** The state of a run, a job or a step as an icon. */
export function statusIcon(view: View, status: ActionStatus): Html {
  return html`<span class="action-status ${status}">${icon(view, ICONS[status], view.text.actions.statuses[status])}</span>`;
}

/** The state as an icon with its word. */
export function statusBadge(view: View, status: ActionStatus): Html {
  return html`<span class="state-badge action-status ${status}">${icon(view, ICONS[status])} ${view.text.actions.statuses[status]}</span>`;
}

type Timed = Pick<ActionRun, 'started_at' | 'stopped_at' | 'status'> & { readonly updated_at?: number };

/** How long something took, or has taken so far, such as `1 h 2 min`; empty before it started. */
export function duration({ text }: View, row: Timed): string {
  if (row.started_at === 0) return '';
  const { updated_at = row.started_at } = row;
  const seconds = durationOf({ ...row, updated_at }, now());
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return text.actions.duration(hours, minutes, seconds % 60);
}

/** Further facts after the first one; empty ones are left out. */
export function joinedFacts(...facts: readonly (string | false)[]): string {
  return facts.map((fact) => (fact === false || fact === '' ? '' : ` · ${fact}`)).join('');
}
