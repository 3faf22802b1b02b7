import { avatar } from '../components/avatar.ts';
import { actionButton, field, postForm, select } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { icon, path as pagePath } from '../view.ts';
import type { Conversation } from './conversation.ts';
import type { SideData } from './side-data.ts';

/** Whether the reader is notified. */
export function subscription({ visit: { view }, path }: Conversation, { isSubscribed }: SideData): Html | false {
  if (isSubscribed === undefined) return false;
  const { timeline: text } = view.text;
  return html`<section class="side-part"><h2>${text.subscription}</h2>
${actionButton(view, { action: path, label: html`${icon(view, 'bell')} ${isSubscribed ? text.unsubscribe : text.subscribe}`, fields: { do: isSubscribed ? 'unsubscribe' : 'subscribe' } })}
<p class="hint">${isSubscribed ? text.subscribed : text.notSubscribed}</p></section>`;
}

/** The participants. */
export function participants({ visit: { view } }: Conversation, { participants: { users, total } }: SideData): Html {
  return html`<section class="side-part"><h2>${view.text.timeline.participants(total)}</h2>
<p class="pictures">${users.map((user) => html`<a href="${pagePath(view, encodeURIComponent(user.login))}" title="${user.login}">${avatar(view, user, 24)}</a> `)}</p></section>`;
}

/** The actions of the repository's administrators. */
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
