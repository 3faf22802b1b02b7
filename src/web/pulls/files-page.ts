import { notArchived, signedIn } from '../../access/requirements.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { presentUser } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import { forbidden, HttpError, notFound, unprocessable } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { refuseLocked } from '../../issues/comments/comments.ts';
import { findPeople } from '../../issues/people.ts';
import { pullRange } from '../../pulls/range.ts';
import { pullsOn } from '../../pulls/requirements.ts';
import { deleteReview } from '../../pulls/reviews/delete.ts';
import { type ReviewWithComments, reviewsOfPull } from '../../pulls/reviews/of-pull.ts';
import type { CodeComment } from '../../pulls/reviews/present.ts';
import { pendingReview, writeReview } from '../../pulls/reviews/write.ts';
import { diffStyle, diffView } from '../code/diff/diff-view.ts';
import type { DiffOptions } from '../code/diff/options.ts';
import { diffWishes, openDiff } from '../code/diff/source.ts';
import { composerBytes } from '../components/composer.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { issuePath } from '../issues/addresses.ts';
import { COMMENT_SCRIPTS } from '../issues/comment.ts';
import { type Conversation, readConversation } from '../issues/conversation.ts';
import { fault, type Reply, seeOther } from '../page.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { pullDocument } from './document.ts';
import { pullOfVisit } from './pull-page.ts';
import { codeThread } from './review-block.ts';
import { lineForm, lineLink, placeKey, readPlace, reviewForm } from './review-form.ts';

/** What a pull request changes, with the comments on its lines, and the form of a review. */
export const pullFilePages: readonly AnyRoute[] = repositoryPage({
  path: '/:owner/:repo/pulls/:index(^[0-9]+$)/files',
  needs: pullsOn,
  semaphore: 'renders',
  maxBytes: composerBytes,
  get: (visit, context) => filesPage(visit, context),
  postNeeds: [signedIn, notArchived],
  post: review,
});

const KINDS = { approve: 'approve', reject: 'reject', comment: 'comment', pending: 'pending' } as const;

/** Submits a review, adds a comment on a line to the one that is pending, or discards that. */
async function review(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const { fields, view, access } = visit;
  const { pulls: text } = view.text;
  const pull = await pullOfVisit(visit, context);
  const actor = signedInActor(context);
  refuseLocked(context, pull.issue, access);
  const pending = await pendingReview(context, pull.issue_id, actor);
  const own = issuePath(view, pull.issue).slice(view.root.length);
  if (fields.get('do') === 'discard') {
    if (!pending) throw notFound();
    await deleteReview(context, pull, pending);
    return seeOther(context, `${own}/files`);
  }
  const wished = fields.get('type') ?? '';
  const type = Object.hasOwn(KINDS, wished) ? KINDS[wished as keyof typeof KINDS] : undefined;
  if (!type) throw unprocessable(`[type]: ${wished}`);
  const body = fields.get('body')?.trim() ?? '';
  const place = readPlace(fields.get('at') ?? '');
  try {
    const comments = place ? [{ ...place, body }] : [];
    if (body === '' && (place || (type !== 'approve' && !pending))) throw unprocessable(text.emptyReview);
    if (type !== 'pending' && type !== 'comment' && pull.issue.author_id === actor.id)
      throw forbidden(`${type} your own pull is not allowed`);
    await writeReview(context, pull, { type, body: place ? '' : body, commitId: pull.head_id, comments });
  } catch (error) {
    if (!(error instanceof HttpError) || error.status === 404) throw error;
    return filesPage(visit, context, error);
  }
  return seeOther(context, type === 'pending' || place ? `${own}/files` : own);
}

async function filesPage(visit: RepositoryVisit, context: Context, problem?: HttpError): Promise<Document> {
  const { repository, fields } = visit;
  const pull = await pullOfVisit(visit, context);
  const conversation = await readConversation(visit, context, pull.issue);
  const range = await pullRange(context, pull);
  const source = { base: { repository, commit: range.mergeBase ?? range.base }, head: { repository, commit: range.head } };
  const diff = await openDiff(context, source, diffWishes(fields));
  const reviews = await reviewsOfPull(context, pull.issue);
  const threads = await lineThreads(context, conversation, reviews);
  const canReview = conversation.canComment && !pull.issue.is_closed;
  const open = canReview ? fields.get('at') : undefined;
  const extrasOf = (at: string) => {
    const thread = threads.get(at);
    return at === open ? html`${thread}${lineForm(conversation, at, problem ? fields.get('body') : '')}` : thread;
  };
  const options: DiffOptions = {
    style: await diffStyle(visit, context),
    lineExtras: ({ path }, place) => extrasOf(placeKey(path, place)),
    ...(canReview && { lineAction: ({ path }, place) => lineLink(visit.view, placeKey(path, place)) }),
  };
  const pending = pendingComments(context, reviews);
  return pullDocument(visit, context, {
    pull,
    conversation,
    current: 'files',
    layout: 'wide',
    scripts: ['diff.js', ...COMMENT_SCRIPTS],
    status: problem ? 422 : 200,
    body: body(visit, context, { diff, options, problem, form: conversation.canComment && reviewForm(conversation, pending) }),
  });
}

async function* body(
  { view }: RepositoryVisit,
  context: Context,
  {
    diff,
    options,
    problem,
    form,
  }: { diff: Parameters<typeof diffView>[2]; options: DiffOptions; problem: HttpError | undefined; form: Html | false },
): AsyncGenerator<Html> {
  if (problem) yield fault(problem.message);
  if (form) yield form;
  yield* diffView(view, context, diff, options);
}

/** How many comments on lines wait for the review of the reader. */
function pendingComments({ actor }: Context, reviews: readonly ReviewWithComments[]): number {
  const own = reviews.find(({ review: { type, reviewer_id: id } }) => type === 'pending' && id === actor?.id);
  return own?.comments.length ?? 0;
}

/** The comments on the lines as they are now, by place. */
async function lineThreads(
  context: Context,
  conversation: Conversation,
  reviews: readonly ReviewWithComments[],
): Promise<Map<string, Html>> {
  const placed = reviews.flatMap((one) => one.comments.map((comment) => ({ comment, review: one.review })));
  const people = await findPeople(
    context.db,
    placed.map(({ comment }) => comment.author_id),
    [context.actor],
  );
  const groups = Map.groupBy(placed, ({ comment }) => lineKey(comment));
  const threads = new Map<string, Html>();
  for (const [key, group] of groups) {
    if (key === undefined) continue;
    const isPending = group.some(({ review }) => review.type === 'pending');
    const comments = group.map(({ comment }) => comment);
    const thread = await codeThread(conversation, comments, (id) => presentUser(context, people(id)), { withCode: false });
    const mark = isPending && html`<span class="badge warning">${conversation.visit.view.text.pulls.pending}</span>`;
    threads.set(key, html`<div class="line-thread">${mark}${thread}</div>`);
  }
  return threads;
}

function lineKey({ path, current_line: line }: CodeComment): string | undefined {
  if (line === null || line === 0) return undefined;
  return placeKey(path, { side: line < 0 ? 'old' : 'new', line: Math.abs(line) });
}
