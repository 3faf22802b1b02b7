import { composer, mayUpload } from '../components/composer.ts';
import { postForm } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { path as pagePath } from '../view.ts';
import type { Conversation } from './conversation.ts';

/**
 * The form of a new comment, with the button that closes or reopens. It is sent to the page of the conversation, see `changeConversation`.
 * @param beside further buttons of the page, such as those of a review
 */
export function commentForm(conversation: Conversation, beside?: Html): Html {
  const { visit, issue, path, draft, canComment, canEdit, settings } = conversation;
  const { view, repository } = visit;
  const { timeline: text } = view.text;
  if (!view.user) {
    const login = pagePath(view, `user/login?redirect_to=${encodeURIComponent(view.here)}`);
    return html`<p class="comment-note"><a href="${login}">${text.signInToComment}</a></p>`;
  }
  if (!canComment) return issue.is_locked ? html`<p class="comment-note">${text.locked}</p>` : html``;
  const isNew = draft.edit === undefined;
  const state = issue.is_closed ? 'open' : 'closed';
  const mayChangeState = canEdit && issue.merged_at === null;
  const fields = html`<input type="hidden" name="do" value="comment">
${composer(view, {
  name: 'text',
  label: text.leaveComment,
  value: isNew ? (draft.text ?? '') : '',
  repository,
  draft: `${path}#comment`,
  files: mayUpload(settings, view),
  preview: isNew ? draft.preview : undefined,
})}
<div class="buttons end">${mayChangeState && html`<button name="state" value="${state}" data-with-text="${issue.is_closed ? text.commentAndReopen : text.commentAndClose}">${issue.is_closed ? text.reopen : text.close}</button>`}
${beside}<button class="primary">${text.addComment}</button></div>`;
  return html`<section class="new-comment" id="new-comment" aria-label="${text.leaveComment}">${issue.is_locked && html`<p class="comment-note">${text.locked}</p>`}
${postForm(view, fields, { action: path })}</section>`;
}
