import type { DiffPlace } from '../code/diff/options.ts';
import { composer, mayUpload } from '../components/composer.ts';
import { actionButton, postForm } from '../components/form.ts';
import { withParameter } from '../components/pages.ts';
import { type Html, html } from '../html.ts';
import type { Conversation } from '../issues/conversation.ts';
import { icon, type View } from '../view.ts';

/** The form of a review as a whole. @param pending comments on lines that wait for it */
export function reviewForm({ visit, path, settings, issue }: Conversation, pending: number): Html {
  const { view, repository } = visit;
  const { pulls: text } = view.text;
  const action = `${path}/files`;
  const isOwn = issue.author_id === view.user?.id;
  const button = (type: string, label: string, className: string) =>
    html`<button name="type" value="${type}" class="${className}">${label}</button>`;
  const fields = html`${composer(view, { name: 'body', label: text.reviewText, value: '', repository, files: mayUpload(settings, view), draft: `${path}#review`, rows: 4 })}
<div class="buttons">${button('comment', text.comment, '')}${!isOwn && !issue.is_closed && html`${button('approve', text.approve, 'primary')}${button('reject', text.requestChanges, 'danger')}`}</div>`;
  const discard = pending > 0 && actionButton(view, { action, label: text.cancelReview, fields: { do: 'discard' }, className: 'danger' });
  return html`<details class="review-form box"${pending > 0 && html` open`}><summary>${icon(view, 'code-review')} ${text.reviewChanges}
${pending > 0 && html`<span class="badge warning">${text.pendingComments(pending)}</span>`}</summary><div class="content">${postForm(view, fields, { action })}${discard}</div></details>`;
}

/** The link that opens the form of a comment on a line. @param at as {@link placeKey} has it */
export function lineLink(view: View, at: string): Html {
  const { addLineComment: label } = view.text.pulls;
  return html`<a class="line-add" href="${withParameter(view, 'at', at)}#line-form" aria-label="${label}" title="${label}">+</a>`;
}

/** The form of a comment on a line. @param text what was typed, where it could not be taken */
export function lineForm({ visit, path }: Conversation, at: string, text = ''): Html {
  const { view } = visit;
  const { pulls, common } = view.text;
  const fields = html`<input type="hidden" name="at" value="${at}">
<label for="line-text">${pulls.addLineComment}</label>
<textarea id="line-text" name="body" rows="4" required autofocus>
${text}</textarea>
<div class="buttons"><button name="type" value="pending" class="primary">${pulls.startReview}</button><button name="type" value="comment">${pulls.addSingle}</button>
<a class="button" href="${withParameter(view, 'at', undefined)}">${common.cancel}</a></div>`;
  return html`<div class="line-thread" id="line-form">${postForm(view, fields, { action: `${path}/files` })}</div>`;
}

/** A line of a file, as forms and URLs of this page name it: `new:12:path`. */
export function placeKey(path: string, { side, line }: DiffPlace): string {
  return `${side}:${line}:${path}`;
}

/** Reads a {@link placeKey} as reviews name lines; undefined for what is none. */
export function readPlace(given: string): { path: string; line: number } | undefined {
  const [, side, line, path] = /^(old|new):(\d{1,9}):(.+)$/s.exec(given) ?? [];
  return path === undefined ? undefined : { path, line: side === 'old' ? -Number(line) : Number(line) };
}
