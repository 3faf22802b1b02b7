import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import { type SpentTime, timeInOrganization, WORK_GROUPS, type WorkGroup, type WorkSpan } from '../../issues/times/organization.ts';
import { table } from '../admin/frame.ts';
import { fault } from '../components/fault.ts';
import { field } from '../components/form.ts';
import { day } from '../components/numbers.ts';
import { tabs } from '../components/tabs.ts';
import { titleText } from '../components/title.ts';
import { type Html, html } from '../html.ts';

import type { OrganizationVisit } from '../resource-pages.ts';
import { path } from '../view.ts';
import { organizationSection } from './settings-frame.ts';

const section = organizationSection('worktime');
const DAY = 24 * 60 * 60;

/** The time that was spent in the repositories of an organization, for its owners. */
export const worktimePages: readonly AnyRoute[] = section.pages({ show: worktime });

async function worktime(visit: OrganizationVisit, context: Context) {
  const { view, organization, fields } = visit;
  const { owners: text } = view.text;
  const by = WORK_GROUPS.find((name) => name === worded(fields.get('by'))) ?? 'repositories';
  const today = new Date(now() * 1000).toISOString().slice(0, 10);
  const [from, to] = [fields.get('from') || `${today.slice(0, 8)}01`, fields.get('to') || today];
  const span = spanOf(from, to);
  const base = section.href(visit);
  const links = WORK_GROUPS.map((name) => ({
    href: `${base}?${new URLSearchParams({ by: name, from, to })}`,
    label: text.workGroups[name],
    isCurrent: name === by,
  }));
  const form = html`<form class="run-filters" action="${base}" aria-label="${text.workRange}"><input type="hidden" name="by" value="${by}">
${field({ name: 'from', label: text.from, type: 'date', value: from, isRequired: true })}${field({ name: 'to', label: text.to, type: 'date', value: to, isRequired: true })}
<button>${text.showRange}</button></form>`;
  const shown = span ? list(visit, by, [from, to], await timeInOrganization(context, organization, span, by)) : fault(view, text.badRange);
  const body = html`${form}${tabs(view, text.pages.worktime, links)}<div class="tab-body">${shown}</div>`;
  return { body, status: span ? 200 : 422 };
}

/** Gitea's word for repositories is shorter. */
function worded(by: string | undefined): string | undefined {
  return by === 'repos' ? 'repositories' : by;
}

/** Undefined for invalid days, and for days in the wrong order. */
function spanOf(from: string, to: string): WorkSpan | undefined {
  const [since, last] = [from, to].map((day) => (/^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) / 1000 : Number.NaN));
  return since !== undefined && last !== undefined && since <= last ? { since, before: last + DAY } : undefined;
}

function list(visit: OrganizationVisit, by: WorkGroup, [from, to]: readonly [string, string], times: readonly SpentTime[]): Html {
  const { view } = visit;
  const { owners: text } = view.text;
  if (times.length === 0) return html`<p class="empty">${text.noWork}</p>`;
  const total = times.reduce((sum, { seconds }) => sum + seconds, 0);
  const rows = times.map(
    (time) =>
      html`<tr>${cells(visit, by, time)}<td>${text.spent(time.seconds)}</td><td><meter min="0" max="${total}" value="${time.seconds}"></meter> ${Math.round((time.seconds / total) * 100)} %</td></tr>`,
  );
  const names = { repositories: [text.repository], milestones: [text.repository, text.milestone], members: [text.member] }[by];
  return html`<p>${text.totalWork(day(view, from), day(view, to))} <strong>${text.spent(total)}</strong></p>${table(text.workGroups[by], [...names, text.time, text.share], rows)}`;
}

function cells({ view, organization }: OrganizationVisit, by: WorkGroup, { repository, member, milestone }: SpentTime): Html {
  if (by === 'members') return html`<td><a href="${path(view, encodeURIComponent(member))}">${member}</a></td>`;
  const home = path(view, `${encodeURIComponent(organization.name)}/${encodeURIComponent(repository)}`);
  const cell = html`<td><a href="${home}">${repository}</a></td>`;
  if (by === 'repositories') return cell;
  const { owners: text } = view.text;
  return html`${cell}<td>${milestone ? html`<a href="${home}/milestone/${milestone.id}">${titleText(milestone.title)}</a>` : html`<span class="muted">${text.noMilestone}</span>`}</td>`;
}
