import { avatar, userLink } from '../components/avatar.ts';
import { day, timeAgo } from '../components/numbers.ts';
import { titleText } from '../components/title.ts';
import { type Html, html } from '../html.ts';
import { icon, localUrl, type View } from '../view.ts';
import { labelChip } from './label.ts';
import { type ShownIssue, stateIcon } from './shown.ts';

/** How rows are shown. */
export interface RowOptions {
  /** Names the repository of each, for lists over several. */
  readonly withRepository?: boolean;
  /** The id of the form that the boxes of the rows belong to; without boxes when left out. */
  readonly form?: string;
  /** Where a label leads. */
  readonly labelHref?: (id: number) => string;
  readonly milestoneHref?: (id: number) => string;
  /** The actions of an issue, by its id. */
  readonly action?: (id: number) => Html | false;
  /** Additional information about an issue, by its id. */
  readonly more?: (id: number) => Html | false;
}

/** The rows of a list of issues or pull requests. */
export function issueRows(view: View, issues: readonly ShownIssue[], options: RowOptions = {}): Html {
  return html`<ul class="rows issue-rows">${issues.map((issue) => row(view, issue, options))}</ul>`;
}

function row(view: View, issue: ShownIssue, options: RowOptions): Html {
  const { text } = view;
  const { form, withRepository, labelHref } = options;
  const href = localUrl(view, issue.html_url);
  const repository = withRepository && issue.repository;
  return html`<li>
${form !== undefined && html`<input type="checkbox" form="${form}" name="issue" value="${issue.number}" aria-label="${text.issues.select(issue.number)}">`}
${stateIcon(view, issue)}
<div class="issue-main"><div class="issue-line">
${repository && html`<a class="muted" href="${view.root}${repository.full_name}">${repository.full_name}</a>`}
<a class="issue-title" href="${href}">${titleText(issue.title)}</a>
${issue.labels.map((label) => html`${labelChip(view, label, labelHref?.(label.id))} `)}</div>
<div class="issue-facts">${facts(view, issue, options)}</div></div>
<div class="issue-side">${issue.assignees?.slice(0, 3).map((user) => html`<span title="${text.issues.assignedTo(user.login)}">${avatar(view, user, 20)}</span>`)}
${issue.comments > 0 && html`<a class="plain nowrap" href="${href}" aria-label="${text.issues.comments(issue.comments)}">${icon(view, 'comment')} ${issue.comments}</a>`}${options.action?.(issue.id)}</div>
</li>`;
}

function facts(view: View, issue: ShownIssue, { milestoneHref, more }: RowOptions): Html {
  const { text } = view;
  const tasks = countTasks(issue.body);
  const { milestone, due_date: due } = issue;
  return html`<span>#${issue.number} ${when(view, issue)}</span>
${milestone && html`<span>${icon(view, 'milestone')} ${milestoneHref ? html`<a class="plain" href="${milestoneHref(milestone.id)}">${milestone.title}</a>` : milestone.title}</span>`}
${tasks && html`<span>${icon(view, 'tasklist')} ${text.issues.tasks(tasks.done, tasks.all)}</span>`}
${due && dueDate(view, due, issue.state)}${more?.(issue.id)}`;
}

function when(view: View, issue: ShownIssue): Html {
  const { issues } = view.text;
  const { state, created_at: created, closed_at: closed, pull_request: pull, original_author: original } = issue;
  const by = html`${issues.by} ${original === '' ? userLink(view, issue.user, 16) : original}`;
  if (state === 'open' || closed === null) return html`${issues.opened} ${timeAgo(view, created)} ${by}`;
  return html`${by} · ${pull?.merged ? issues.merged : issues.closedWhen} ${timeAgo(view, closed)}`;
}

/** A due date, with a mark if it has passed. */
export function dueDate(view: View, due: string, state: string): Html {
  const isOver = state === 'open' && Date.parse(due) < Date.now();
  const { issues } = view.text;
  const shown = day(view, due);
  return html`<span class="${isOver ? 'overdue' : ''}">${icon(view, 'clock')} ${isOver ? issues.overdue(shown) : issues.due(shown)}</span>`;
}

/** Tasks are looked for at the beginning of long texts only. */
const MAX_LOOKED_AT = 32 * 1024;

/** How many tasks a text has, and how many of them are ticked; undefined for none. */
export function countTasks(body: string): { done: number; all: number } | undefined {
  const marks = body.slice(0, MAX_LOOKED_AT).match(/^ {0,20}[-*+] {1,4}\[[ xX]\] /gm) ?? [];
  const done = marks.filter((mark) => !mark.includes('[ ]')).length;
  return marks.length === 0 ? undefined : { done, all: marks.length };
}
