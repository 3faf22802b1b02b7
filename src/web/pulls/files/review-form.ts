import { composer, mayUpload } from '../../components/composer.ts';
import { actionButton, postForm } from '../../components/form.ts';
import { withParameter } from '../../components/pages.ts';
import { type Html, html } from '../../html.ts';
import type { Conversation } from '../../issues/conversation.ts';
import { icon, type View } from '../../view.ts';
import { type CommentedLines, linesKey } from './commented-lines.ts';

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

/** Creates the links that open the form of a comment on a line; their lines are as in {@link linesKey}. */
export function lineLinks(view: View): (at: string) => Html {
  const { addLineComment: label } = view.text.pulls;
  const here = withParameter(view, 'at', undefined);
  const start = `${here}${here.includes('?') ? '&' : '?'}at=`;
  const words = html`aria-label="${label}" title="${label}"`;
  return (at) => html`<a class="line-add" href="${start}${encodeURIComponent(at)}#line-form" data-at="${at}" ${words}>+</a>`;
}

/** A comment on lines that is being written. */
export interface LineDraft {
  readonly place: CommentedLines;
  /** The commit that is looked at. */
  readonly commit: string;
  readonly text: string;
  /** A block that suggests the lines as they are. */
  readonly suggestion: string | undefined;
  readonly hasPending: boolean;
}

/** The form of a comment on lines. */
export function lineForm({ visit, path }: Conversation, { place, commit, text, suggestion, hasPending }: LineDraft): Html {
  const { view } = visit;
  const { pulls, reviewing, common } = view.text;
  const at = linesKey(place.path, place, place.first);
  const label = place.first === place.line ? pulls.addLineComment : `${pulls.comment}: ${reviewing.lines(place.first, place.line)}`;
  const insert =
    suggestion !== undefined &&
    html`<button name="suggest" value="1" class="link" formnovalidate data-suggestion="${suggestion}">${icon(view, 'diff')} ${reviewing.insertSuggestion}</button>`;
  const fields = html`<input type="hidden" name="at" value="${at}"><input type="hidden" name="commit" value="${commit}">
<div class="row"><label for="line-text">${label}</label><span class="push">${insert}</span></div>
<textarea id="line-text" name="body" rows="5" required autofocus>
${text}</textarea>
<div class="buttons"><button name="type" value="pending" class="primary">${pulls.startReview}</button>${!hasPending && html`<button name="type" value="comment">${pulls.addSingle}</button>`}
<a class="button" href="${withParameter(view, 'at', undefined)}">${common.cancel}</a></div>`;
  return html`<div class="line-thread" id="line-form">${postForm(view, fields, { action: `${path}/files` })}</div>`;
}
