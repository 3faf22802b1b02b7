import { avatar } from '../components/avatar.ts';
import { field, select } from '../components/form.ts';
import { titleText } from '../components/title.ts';
import { type Html, html } from '../html.ts';
import { labelChip } from '../issues/label.ts';
import { dueDate } from '../issues/rows.ts';
import { type ShownIssue, stateIcon } from '../issues/shown.ts';
import { icon, localUrl, type View } from '../view.ts';

/** The common data of a board's cards. */
export interface CardOptions {
  /** The path of moves; undefined for users who may not move cards. */
  readonly moveTo: string | undefined;
  readonly columns: readonly (readonly [id: string, title: string])[];
  readonly columnId: number;
  /** Whether cards name their repository. */
  readonly withRepository: boolean;
  /** The URLs of images, by the id of the issue. */
  readonly images: ReadonlyMap<number, readonly string[]>;
}

/** An issue or pull request on a board. */
export function card(view: View, issue: ShownIssue, options: CardOptions): Html {
  const { images, withRepository, moveTo } = options;
  const { milestone, assignees, due_date: due, repository } = issue;
  const pictures = images.get(issue.id) ?? [];
  return html`<li class="card" data-issue="${issue.id}"${moveTo !== undefined && html` draggable="true"`}>
${pictures.length > 0 && html`<p class="card-images">${pictures.map((src) => html`<img src="${localUrl(view, src)}" alt="" loading="lazy">`)}</p>`}
<div class="card-head">${stateIcon(view, issue)} <a class="issue-title grow" draggable="false" href="${localUrl(view, issue.html_url)}">${titleText(issue.title)}</a>
${moveTo !== undefined && moveMenu(view, issue, moveTo, options)}</div>
<p class="issue-facts"><span>${withRepository && repository?.full_name}#${issue.number}</span>
${milestone && html`<span>${icon(view, 'milestone')} ${milestone.title}</span>`}${due && html`<span>${dueDate(view, due, issue.state)}</span>`}
${(assignees ?? []).length > 0 && html`<span class="push">${(assignees ?? []).map((user) => html`<span title="${view.text.issues.assignedTo(user.login)}">${avatar(view, user, 20)}</span>`)}</span>`}</p>
${issue.labels.length > 0 && html`<p class="chips">${issue.labels.map((label) => html`${labelChip(view, label)} `)}</p>`}</li>`;
}

/** A form that moves a card without scripts; scripts send it for drags and keys. */
function moveMenu(view: View, { id, number }: ShownIssue, action: string, { columns, columnId }: CardOptions): Html {
  const { projects: text } = view.text;
  const label = text.moveCard(number);
  return html`<details class="menu card-menu"><summary aria-label="${label}" title="${label}">${icon(view, 'kebab-horizontal')}</summary>
<form method="post" action="${action}" class="card-form">${view.token}<input type="hidden" name="do" value="move-card"><input type="hidden" name="issue" value="${id}">
${select({ name: 'column', id: `c-${id}`, label: text.column, value: String(columnId), options: columns })}
${field({ name: 'position', id: `p-${id}`, label: text.position, type: 'number', value: '', hint: text.positionHint })}
<button>${text.move}</button></form></details>`;
}
