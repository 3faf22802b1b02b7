import { durationInWords } from '../../issues/times/duration.ts';
import { avatar } from '../components/avatar.ts';
import { actionButton, field, postForm, select } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { icon, path as pagePath } from '../view.ts';
import type { Conversation } from './conversation.ts';
import { issueLink } from './events.ts';
import type { ShownIssue } from './shown.ts';
import type { SideData } from './side-data.ts';
import { sideForm, sidePart } from './side-part.ts';

/** What has to be closed before, and what waits. */
export function dependencies(conversation: Conversation, { dependencies: data }: SideData): Html | false {
  if (!data) return false;
  const { visit, canWrite, path } = conversation;
  const { view } = visit;
  const { timeline: text } = view.text;
  const remove = (issue: ShownIssue) =>
    canWrite &&
    issue.repository &&
    actionButton(view, {
      action: path,
      label: icon(view, 'x', text.remove),
      fields: { do: 'remove-dependency', issue: `${issue.repository.full_name}#${issue.number}` },
      className: 'link',
    });
  const list = (title: string, issues: readonly ShownIssue[], isOwn: boolean) =>
    issues.length > 0 &&
    html`<h3>${title}</h3><ul class="plain-list">${issues.map((issue) => html`<li class="row">${issueLink(view, issue)} ${isOwn && remove(issue)}</li>`)}</ul>`;
  const { blockedBy, blocks } = data;
  const shown = html`${list(text.blockedBy, blockedBy, true)}${list(text.blocks, blocks, false)}
${blockedBy.length + blocks.length === 0 && html`<span class="muted">${text.noDependencies}</span>`}`;
  const form =
    canWrite &&
    sideForm(
      conversation,
      'add-dependency',
      field({ name: 'issue', label: text.addDependency, hint: text.issueNumber, isRequired: true, maxLength: 300 }),
    );
  return sidePart(conversation, text.dependencies, shown, form);
}

/** The time that was spent, and the reader's clock. */
export function timeTracking(conversation: Conversation, { time }: SideData): Html | false {
  if (!time || (!time.mayTrack && time.total === 0)) return false;
  const { visit, path } = conversation;
  const { view } = visit;
  const { timeline: text } = view.text;
  const button = (action: string, label: string) => actionButton(view, { action: path, label, fields: { do: action } });
  const clock = time.isRunning
    ? html`${button('stop-timer', text.stopTimer)} ${button('cancel-timer', text.cancelTimer)}`
    : button('start-timer', text.startTimer);
  const shown = html`${
    time.users.length > 0 &&
    html`<p>${text.totalTime}: ${durationInWords(time.total)}</p>
<ul class="plain-list muted">${time.users.map(({ name, seconds }) => html`<li>${name}: ${durationInWords(seconds)}</li>`)}</ul>`
  }
${time.mayTrack && html`<div class="buttons">${clock}</div>`}`;
  const fields = html`${field({ name: 'hours', label: text.hours, type: 'number', value: '' })}${field({ name: 'minutes', label: text.minutes, type: 'number', value: '' })}`;
  return sidePart(conversation, text.timeTracking, shown, time.mayTrack && sideForm(conversation, 'add-time', fields));
}

/** Whether the reader is notified. */
export function subscription({ visit: { view }, path }: Conversation, { isSubscribed }: SideData): Html | false {
  if (isSubscribed === undefined) return false;
  const { timeline: text } = view.text;
  return html`<section class="side-part"><h2>${text.subscription}</h2>
${actionButton(view, { action: path, label: html`${icon(view, 'bell')} ${isSubscribed ? text.unsubscribe : text.subscribe}`, fields: { do: isSubscribed ? 'unsubscribe' : 'subscribe' } })}
<p class="hint">${isSubscribed ? text.subscribed : text.notSubscribed}</p></section>`;
}

/** Who takes part. */
export function participants({ visit: { view } }: Conversation, { participants: { users, total } }: SideData): Html {
  return html`<section class="side-part"><h2>${view.text.timeline.participants(total)}</h2>
<p class="pictures">${users.map((user) => html`<a href="${pagePath(view, encodeURIComponent(user.login))}" title="${user.login}">${avatar(view, user, 24)}</a> `)}</p></section>`;
}

/** What only administrators of the repository may do. */
export function administration(conversation: Conversation): Html | false {
  const { visit, issue, path } = conversation;
  const { view, access } = visit;
  if (!(access.isAdmin || view.user?.is_admin) || issue.repository.is_archived) return false;
  const { timeline: text, common } = view.text;
  const button = (action: string, name: 'lock' | 'pin' | 'unlock', label: string) =>
    actionButton(view, { action: path, label: html`${icon(view, name)} ${label}`, fields: { do: action }, className: 'link' });
  const reasons = Object.entries(text.lockReasons).map(([value, label]) => [value === 'none' ? '' : value, label] as const);
  const lock = html`<details class="side-fold"><summary>${icon(view, 'lock')} ${text.lock}</summary>
${postForm(view, html`<input type="hidden" name="do" value="lock">${select({ name: 'reason', label: text.lockReason, value: '', options: reasons })}<button>${text.lock}</button>`, { action: path, className: 'side-form' })}</details>`;
  const remove = html`<details class="side-fold"><summary class="danger-text">${icon(view, 'trash')} ${text.deleteIssue}</summary>
${postForm(view, html`<p>${text.deleteConfirm}</p><input type="hidden" name="do" value="delete">${field({ name: 'confirm', label: text.confirmNumber(issue.number), isRequired: true, autocomplete: 'off' })}<button class="danger">${common.delete}</button>`, { action: path, className: 'side-form' })}</details>`;
  return html`<section class="side-part" aria-label="${common.administration}">
${issue.pin_order > 0 ? button('unpin', 'pin', text.unpin) : button('pin', 'pin', text.pin)}
${issue.is_locked ? button('unlock', 'unlock', text.unlock) : lock}
${!issue.is_pull && remove}</section>`;
}
