import { presentUser } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import { findPeople } from '../../issues/people.ts';
import { type ReviewWithComments, reviewsOfPull } from '../../pulls/reviews/of-pull.ts';
import type { CodeComment } from '../../pulls/reviews/present.ts';
import { userLink } from '../components/avatar.ts';
import { actionButton } from '../components/form.ts';
import { timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import type { Conversation, ShownEvent } from '../issues/conversation.ts';
import { type EventRenderers, eventComment } from '../issues/timeline.ts';
import { icon } from '../view.ts';

/** How reviews are shown in the timeline of a pull request: with what they decide, and their comments on lines. */
export async function reviewRenderers(context: Context, conversation: Conversation): Promise<EventRenderers> {
  const reviews = await reviewsOfPull(context, conversation.issue);
  const byId = new Map(reviews.map((one) => [one.review.id, one]));
  const authors = reviews.flatMap(({ comments }) => comments.map(({ author_id: id }) => id));
  const people = await findPeople(context.db, authors, [context.actor]);
  const author = (id: number) => presentUser(context, people(id));
  return {
    review: async (event) => {
      const found = byId.get(event.review_id);
      if (!found || found.review.type === 'pending' || found.review.type === 'request') return false;
      return reviewBlock(conversation, event, found, author);
    },
  };
}

type AuthorOf = (id: number) => ReturnType<typeof presentUser>;

async function reviewBlock(conversation: Conversation, event: ShownEvent, found: ReviewWithComments, author: AuthorOf): Promise<Html> {
  const { view } = conversation.visit;
  const { pulls: text } = view.text;
  const { review, comments } = found;
  const did = { approve: text.approved, reject: text.requestedChanges }[review.type as string] ?? text.reviewed;
  const tone = { approve: 'success', reject: 'danger' }[review.type as string] ?? '';
  const name = review.type === 'approve' ? 'check' : review.type === 'reject' ? 'file-diff' : 'comment';
  const words = html`<span class="review-verdict ${tone}">${icon(view, name)} ${did}</span>
${review.is_dismissed && html`<span class="badge">${text.dismissed}</span>`}${review.is_stale && html` <span class="badge">${text.stale}</span>`}`;
  const said =
    event.body === ''
      ? html`<div class="event review-line" id="issuecomment-${event.id}">${userLink(view, event.user)} ${words} ${timeAgo(view, event.created_at)}</div>`
      : await eventComment(conversation, event, words);
  const threads = Map.groupBy(comments, ({ path, line }) => `${path}:${line}`);
  const blocks = await Promise.all([...threads.values()].map((thread) => codeThread(conversation, thread, author)));
  return html`${said}${blocks.length > 0 && html`<div class="review-threads">${blocks}</div>`}`;
}

/** Comments on one line, under the piece of the difference that they are about. */
export async function codeThread(
  conversation: Conversation,
  thread: readonly CodeComment[],
  author: AuthorOf,
  options: { withCode?: boolean } = {},
): Promise<Html> {
  const { view } = conversation.visit;
  const { pulls: text } = view.text;
  const [first] = thread;
  if (!first) return html``;
  const { withCode = true } = options;
  const isResolved = first.resolver_id !== null;
  const line = Math.abs(first.line);
  const said = await Promise.all(
    thread.map(
      async ({
        id,
        author_id: authorId,
        body,
        created_at: created,
      }) => html`<div class="thread-comment" id="issuecomment-${id}"><p>${userLink(view, author(authorId))} ${timeAgo(view, created)}</p>
${await conversation.render(body, `issuecomment-${id}`)}</div>`,
    ),
  );
  const button =
    view.user &&
    conversation.canComment &&
    actionButton(view, {
      action: conversation.path,
      label: isResolved ? text.unresolve : text.resolve,
      fields: { do: isResolved ? 'unresolve' : 'resolve', comment: first.id },
    });
  const head = html`<span class="mono">${first.path}</span> ${line > 0 && html`<span class="muted">${text.line(line)}</span>`}
${isResolved && html`<span class="badge success">${text.resolved}</span>`}${first.current_line === null && line > 0 && html` <span class="badge">${text.stale}</span>`}`;
  const hunk = withCode && first.diff_hunk !== '' && html`<pre class="thread-code" tabindex="0">${hunkLines(first.diff_hunk)}</pre>`;
  return html`<details class="box thread"${!isResolved && html` open`}><summary>${head}</summary>${hunk}${said}${button && html`<div class="buttons">${button}</div>`}</details>`;
}

function hunkLines(hunk: string): Html[] {
  const lines = hunk.trimEnd().split('\n');
  return lines.map((line) => {
    const tone = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : line.startsWith('@@') ? 'muted' : '';
    return html`<span class="${tone}">${line}\n</span>`;
  });
}
