import type { Context } from '../../../context.ts';
import type { ReviewWithComments } from '../../../pulls/reviews/of-pull.ts';
import { userLink } from '../../components/avatar.ts';
import { field, postForm } from '../../components/form.ts';
import { timeAgo } from '../../components/numbers.ts';
import { type Html, html } from '../../html.ts';
import type { ShownEvent, WholeConversation } from '../../issues/conversation.ts';
import { type EventRenderers, eventComment } from '../../issues/timeline.ts';
import { icon } from '../../view.ts';
import { pushRenderer } from './pushes.ts';
import type { ThreadSource } from './source.ts';
import { codeThread } from './thread.ts';

/** How reviews and pushes are shown in the timeline of a pull request. */
export async function reviewRenderers(context: Context, conversation: WholeConversation, source: ThreadSource): Promise<EventRenderers> {
  const byId = new Map(source.reviews.map((one) => [one.review.id, one]));
  // A review has an event for each addition while it was pending: only the last one is shown.
  const last = new Map(conversation.events.filter(({ type }) => type === 'review').map(({ id, review_id: review }) => [review, id]));
  return {
    review: async (event) => {
      const found = byId.get(event.review_id);
      if (!found || last.get(event.review_id) !== event.id || found.review.type === 'pending' || found.review.type === 'request')
        return false;
      return reviewBlock(conversation, source, event, found);
    },
    dismiss_review: async (event) =>
      event.body === ''
        ? html`<div class="event review-line" id="issuecomment-${event.id}">${userLink(conversation.visit.view, event.user)} ${conversation.visit.view.text.timeline.events.reviewDismissed}</div>`
        : eventComment(conversation, event, conversation.visit.view.text.timeline.events.reviewDismissed),
    pull_push: await pushRenderer(context, conversation),
  };
}

async function reviewBlock(
  conversation: WholeConversation,
  source: ThreadSource,
  event: ShownEvent,
  found: ReviewWithComments,
): Promise<Html> {
  const { view } = conversation.visit;
  const { pulls: text } = view.text;
  const { review, comments } = found;
  const did = { approve: text.approved, reject: text.requestedChanges }[review.type as string] ?? text.reviewed;
  const tone = { approve: 'success', reject: 'danger' }[review.type as string] ?? '';
  const name = review.type === 'approve' ? 'check' : review.type === 'reject' ? 'file-diff' : 'comment';
  const words = html`<span class="review-verdict ${tone}">${icon(view, name)} ${did}</span>
${review.is_dismissed && html`<span class="badge">${text.dismissed}</span>`}${review.is_stale && html` <span class="badge">${text.stale}</span>`}`;
  const opening =
    event.body === ''
      ? html`<div class="event review-line" id="issuecomment-${event.id}">${userLink(view, event.user)} ${words} ${timeAgo(view, event.created_at)}</div>`
      : await eventComment(conversation, event, words);
  const threads = Map.groupBy(comments, ({ path, line }) => `${path}:${line}`);
  const blocks = await Promise.all([...threads.values()].map((thread) => codeThread(source, thread, { withCode: true, isPending: false })));
  return html`<div class="review">${opening}${dismissForm(conversation, found)}${blocks.length > 0 && html`<div class="review-threads">${blocks}</div>`}</div>`;
}

/** Dismisses a review; administrators may, with a reason. */
function dismissForm({ visit, path, issue }: WholeConversation, { review }: ReviewWithComments): Html | false {
  const { view, access } = visit;
  const { reviewing: text } = view.text;
  const decides = (review.type === 'approve' || review.type === 'reject') && !review.is_dismissed;
  if (!decides || !view.user || issue.is_closed || !(access.isAdmin || view.user.is_admin) || issue.repository.is_archived) return false;
  const fields = html`<input type="hidden" name="do" value="dismiss"><input type="hidden" name="review" value="${review.id}">
${field({ name: `reason_${review.id}`, label: text.dismissReason, value: '', maxLength: 1000 })}<button class="danger">${text.dismiss}</button>`;
  return html`<details class="dismiss"><summary>${text.dismiss}</summary>${postForm(view, fields, { action: path })}</details>`;
}
