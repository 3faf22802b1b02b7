import { userLink } from '../components/avatar.ts';
import { checkBox, field, select } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { repositoryPath } from '../repository/frame.ts';
import { icon } from '../view.ts';
import type { Conversation } from './conversation.ts';
import { dependencies } from './dependency-part.ts';
import { labelChip, labelDot } from './label.ts';
import { othersField } from './named-others.ts';
import { projectPart } from './project-part.ts';
import { reference } from './reference-part.ts';
import { dueDate } from './rows.ts';
import type { SideData } from './side-data.ts';
import { sideForm, sidePart } from './side-part.ts';
import { administration, participants, subscription } from './side-parts.ts';
import { timeTracking } from './time-part.ts';

/**
 * The properties of an issue or pull request, beside its conversation. Each editable part contains its form, collapsed.
 * @param first the page's own first parts, such as the reviewers of a pull request
 */
export function sideBar(conversation: Conversation, data: SideData, first?: Html): Html {
  return html`<aside class="side-bar">${first}
${assignees(conversation, data)}
${labels(conversation, data)}
${milestone(conversation, data)}
${projectPart(conversation, data.projects)}
${deadline(conversation)}
${reference(conversation)}
${dependencies(conversation, data.dependencies)}
${timeTracking(conversation, data.time)}
${subscription(conversation, data)}
${participants(conversation, data)}
${administration(conversation)}
</aside>`;
}

function nothing({ visit: { view } }: Conversation, text = view.text.timeline.none): Html {
  return html`<span class="muted">${text}</span>`;
}

function assignees(conversation: Conversation, { choices }: SideData): Html {
  const { visit, shown } = conversation;
  const { view } = visit;
  const { timeline: text, issues } = view.text;
  const own = shown.assignees ?? [];
  const list =
    own.length > 0
      ? html`<ul class="plain-list">${own.map((user) => html`<li>${userLink(view, user)}</li>`)}</ul>`
      : nothing(conversation, issues.nobody);
  const chosen = new Set(own.map(({ id }) => id));
  const all = choices && [...own, ...choices.assignees.filter(({ id }) => !chosen.has(id))];
  const form =
    all &&
    sideForm(
      conversation,
      'assignees',
      html`<div class="choices" tabindex="-1">${all.map(({ id, login }) => checkBox({ name: 'assignee', label: login, value: login, isChecked: chosen.has(id) }))}</div>${choices.hasMore?.assignees && othersField(view, 'assignee')}`,
    );
  return sidePart(conversation, text.assignees, list, form ?? false);
}

function labels(conversation: Conversation, { choices }: SideData): Html {
  const { visit, shown } = conversation;
  const { view, repository } = visit;
  const list = repositoryPath(view, repository, shown.pull_request ? 'pulls' : 'issues');
  const own = shown.labels;
  const chips =
    own.length > 0
      ? html`<p class="chips">${own.map((label) => html`${labelChip(view, label, `${list}?labels=${label.id}`)} `)}</p>`
      : nothing(conversation);
  const chosen = new Set(own.map(({ id }) => id));
  const all = choices && [...own, ...choices.labels.filter(({ id, is_archived: isArchived }) => !isArchived && !chosen.has(id))];
  const form =
    all &&
    all.length > 0 &&
    sideForm(
      conversation,
      'labels',
      html`<div class="choices" tabindex="-1">${all.map(({ id, name, color }) => checkBox({ name: 'label', label: html`${labelDot(color)} ${name}`, value: String(id), isChecked: chosen.has(id) }))}</div>${choices.hasMore?.labels && othersField(view, 'label')}`,
    );
  return sidePart(conversation, view.text.timeline.labels, chips, form ?? false);
}

function milestone(conversation: Conversation, { choices }: SideData): Html {
  const { visit, shown } = conversation;
  const { view, repository } = visit;
  const { timeline: text, issues } = view.text;
  const own = shown.milestone;
  const link = own
    ? html`<a href="${repositoryPath(view, repository, `milestone/${own.id}`)}">${icon(view, 'milestone')} ${own.title}</a>
<progress max="100" value="${percentDone(own)}" aria-label="${issues.closedPart(percentDone(own))}"></progress>`
    : nothing(conversation, issues.noMilestone);
  const all = choices && [...(own ? [own] : []), ...choices.milestones.filter(({ id }) => id !== own?.id)];
  const form =
    all &&
    all.length > 0 &&
    sideForm(
      conversation,
      'milestone',
      select({
        name: 'milestone',
        label: text.milestone,
        value: String(own?.id ?? 0),
        options: [['0', issues.noMilestone], ...all.map(({ id, title }) => [String(id), title] as const)],
      }),
    );
  return sidePart(conversation, text.milestone, link, form ?? false);
}

/** How much of a milestone is done. */
export function percentDone({ open_issues: open, closed_issues: closed }: { open_issues: number; closed_issues: number }): number {
  return open + closed === 0 ? 0 : Math.floor((100 * closed) / (open + closed));
}

function deadline(conversation: Conversation): Html {
  const { visit, shown, canWrite } = conversation;
  const { view } = visit;
  const { timeline: text } = view.text;
  const due = shown.due_date;
  const form =
    canWrite &&
    sideForm(conversation, 'deadline', field({ name: 'date', label: text.dueDate, type: 'date', value: due?.slice(0, 10) ?? '' }));
  return sidePart(conversation, text.dueDate, due ? dueDate(view, due, shown.state) : nothing(conversation, text.noDueDate), form);
}
