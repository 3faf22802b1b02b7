import { findUserById } from '../access/find-user.ts';
import type { Context } from '../context.ts';
import type { Events } from '../events/events.ts';

/** Comments on code that one mail shows. */
const MAX_COMMENTS = 50;

/**
 * The text of a mail about a review, or its dismissal.
 * @param text of the row of the timeline, in Markdown
 * @returns `body` in Markdown, with the code comments of the review
 */
export async function reviewText(
  context: Context,
  payload: Events['review.submitted'] | Events['review.dismissed'],
  text: string,
): Promise<{ deed: string; body: string }> {
  const { db } = context;
  const review = await db.selectFrom('reviews').select(['type', 'reviewer_id']).where('id', '=', payload.reviewId).executeTakeFirst();
  if (!('mentions' in payload)) {
    const reviewer = await findUserById(db, review?.reviewer_id ?? 0);
    return { deed: `dismissed the review of ${reviewer?.name ?? 'somebody'}`, body: text };
  }
  const deed = review?.type === 'approve' ? 'approved this' : review?.type === 'reject' ? 'asked for changes' : 'reviewed this';
  const comments = await db
    .selectFrom('comments')
    .innerJoin('code_comments', 'code_comments.comment_id', 'comments.id')
    .select(['comments.body', 'code_comments.path', 'code_comments.line'])
    .where('comments.review_id', '=', payload.reviewId)
    .where('comments.kind', '=', 'code')
    .orderBy('comments.id')
    .limit(MAX_COMMENTS)
    .execute();
  const onCode = comments.map(({ path, line, body }) => `${asCode(line === 0 ? path : `${path}:${Math.abs(line)}`)}\n\n${body}`);
  return { deed, body: [text, ...onCode].filter((part) => part.trim() !== '').join('\n\n') };
}

/** In as many backquotes as the text allows. */
function asCode(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const quotes = '`'.repeat(longest + 1);
  return longest === 0 ? `${quotes}${text}${quotes}` : `${quotes} ${text} ${quotes}`;
}
