import type { Fields } from '../../http/bodies/fields.ts';
import { MILESTONE_ORDERS, type MilestoneOrder } from '../../issues/milestones/order.ts';
import { menu } from '../components/menu.ts';
import { day } from '../components/numbers.ts';
import { tabs } from '../components/tabs.ts';
import { type Html, html } from '../html.ts';
import { icon, type View } from '../view.ts';
import { dueDate } from './rows.ts';
import type { ShownMilestone } from './shown.ts';
import { percentDone } from './side-bar.ts';

/** The filter and order of a list of milestones. */
export interface MilestoneChoice {
  readonly isClosed: boolean;
  readonly q: string;
  readonly sort: MilestoneOrder;
}

/** Reads the choice from the query of a URL. */
export function readMilestoneChoice(fields: Fields): MilestoneChoice {
  return {
    isClosed: fields.get('state') === 'closed',
    q: (fields.get('q') ?? '').trim().slice(0, 255),
    sort: MILESTONE_ORDERS.find((order) => order === fields.get('sort')) ?? 'closestduedate',
  };
}

function queryOf({ isClosed, q, sort }: MilestoneChoice): string {
  const query = { ...(isClosed && { state: 'closed' }), ...(q !== '' && { q }), ...(sort !== 'closestduedate' && { sort }) };
  return Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`;
}

/** A list of milestones under its search, its states with their numbers, and its orders. */
export function milestoneBar(
  view: View,
  base: string,
  choice: MilestoneChoice,
  [open, closed]: readonly [number, number],
  { rows }: { rows: readonly Html[] },
): Html {
  const { issues: text } = view.text;
  const to = (change: Partial<MilestoneChoice>) => base + queryOf({ ...choice, ...change });
  const { isClosed, q, sort } = choice;
  return html`<form class="list-search list-bar" role="search" action="${base}" aria-label="${text.searchMilestones}">
${isClosed && html`<input type="hidden" name="state" value="closed">`}<input type="hidden" name="sort" value="${sort}">
<input type="search" name="q" value="${q}" maxlength="255" aria-label="${text.searchMilestones}" placeholder="${text.searchMilestones}"></form>
<section class="box" aria-label="${text.milestones}"><header class="list-head">${tabs(view, text.states, [
    { href: to({ isClosed: false }), label: text.open(open), isCurrent: !isClosed },
    { href: to({ isClosed: true }), label: text.closed(closed), isCurrent: isClosed },
  ])}
<div class="push row">${menu(
    text.sort,
    MILESTONE_ORDERS.map(
      (order) => html`<a href="${to({ sort: order })}"${order === sort && html` aria-current="true"`}>${text.milestoneOrders[order]}</a>`,
    ),
  )}</div></header>
${
  rows.length > 0
    ? html`<ul class="rows">${rows}</ul>`
    : html`<div class="empty plain-empty"><p><strong>${text.noMilestones}</strong></p><p>${text.noMilestonesHint}</p></div>`
}</section>`;
}

/** The title, the date and the progress of a milestone. @param place its repository, if a list has several */
export function milestoneSummary(view: View, milestone: ShownMilestone, href: string, place?: string): Html {
  return html`<h3>${place !== undefined && html`<span class="muted">${place}</span> `}<a class="issue-title" href="${href}">${milestone.title}</a></h3>
<div class="milestone-facts">${progress(view, milestone)}</div>`;
}

/** How far a milestone is, and when it is due. */
export function progress(view: View, milestone: ShownMilestone): Html {
  const { issues: text } = view.text;
  const percent = percentDone(milestone);
  const when =
    milestone.state === 'closed' && milestone.closed_at
      ? html`${icon(view, 'check')} ${text.closedOn(day(view, milestone.closed_at))}`
      : milestone.due_on
        ? dueDate(view, milestone.due_on, milestone.state)
        : text.noDueDate;
  return html`<progress max="100" value="${percent}" aria-label="${text.closedPart(percent)}"></progress>
<p class="row muted"><span>${text.closedPart(percent)}</span><span>${text.open(milestone.open_issues)}</span><span>${text.closed(milestone.closed_issues)}</span><span>${when}</span></p>`;
}
