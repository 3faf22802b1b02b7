import { AUDIT_ACTIONS } from '../../audit/actions.ts';
import { listEntries, presentEntry } from '../../audit/list.ts';
import type { Context } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { fault } from '../components/fault.ts';
import { field, select } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import type { Section } from './section.ts';

const FILTERS = ['actor', 'action', 'object', 'since', 'until', 'request_id'] as const;
/** Length limit of the details of an entry in characters. */
const MAX_DETAILS = 300;

type Filter = Partial<Record<(typeof FILTERS)[number], string>>;

/**
 * The audit log.
 * @param organizationOf whose entries are shown, without addresses; by default those of the whole instance
 */
export function auditSection<V extends Visit>(section: Section<V>, organizationOf?: (visit: V) => number): readonly AnyRoute[] {
  return section.pages({ show: (visit, context) => audit(section, visit, context, organizationOf?.(visit)) });
}

async function audit<V extends Visit>(section: Section<V>, visit: V, context: Context, organizationId: number | undefined) {
  const { view, fields } = visit;
  const filter: Filter = Object.fromEntries(FILTERS.map((name) => [name, (fields.get(name) ?? '').trim().slice(0, 255)]));
  const page = requestedPage(visit, context.settings);
  const form = filterForm(visit, section.href(visit), filter);
  try {
    const { rows, total } = await listEntries(context, filter, page, organizationId);
    const shown = html`<ul class="rows box">${rows.map((row) => entry(visit, presentEntry(row, organizationId === undefined)))}</ul>`;
    return html`${form}${listOrEmpty(visit, page, { total, rows: shown, empty: view.text.admin.noneFound })}`;
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    return { body: html`${form}${fault(view, error.message)}`, status: 422 };
  }
}

function filterForm({ view }: Visit, action: string, filter: Filter): Html {
  const { admin: text } = view.text;
  const line = (name: Exclude<keyof Filter, 'action'>, placeholder?: string) =>
    field({ name, label: text.filters[name], value: filter[name], maxLength: 255, ...(placeholder !== undefined && { placeholder }) });
  const actions = AUDIT_ACTIONS.map((action) => [action, action] as const);
  return html`<form class="run-filters" action="${action}" aria-label="${text.filter}">
${line('actor')}${select({ name: 'action', label: text.filters.action, value: filter.action ?? '', options: [['', text.any], ...actions] })}
${line('object', 'repository:owner/name')}${line('since', '2026-01-31T12:00:00Z')}${line('until', '2026-01-31T12:00:00Z')}${line('request_id')}
<button>${text.filter}</button></form>`;
}

function entry({ view }: Visit, shown: ReturnType<typeof presentEntry>): Html {
  const { admin: text } = view.text;
  const { action, failed, count, actor, method, sudo, address, object, details, created } = shown;
  const json = JSON.stringify(details);
  return html`<li><div><strong>${actor?.login ?? text.nobody}</strong> ${sudo && html`<span class="muted">(${sudo.login})</span>`} <code>${action}</code>
${object.type} <strong>${object.name}</strong> ${failed && html`<span class="badge danger">${text.failed}</span>`} ${count > 1 && `× ${count}`}<br>
<span class="muted">${timeAgo(view, created)} · ${method} · ${address} ${json !== '{}' && html`<code>${json.slice(0, MAX_DETAILS)}</code>`}</span></div></li>\n`;
}
