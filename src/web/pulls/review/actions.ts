import type { Context } from '../../../context.ts';
import { forbidden, notFound, unprocessable } from '../../../http/errors.ts';
import { refuseLocked } from '../../../issues/comments/comments.ts';
import { findReviewers } from '../../../pulls/reviewers.ts';
import { dismissReview } from '../../../pulls/reviews/dismiss.ts';
import { loadReview } from '../../../pulls/reviews/load.ts';
import { replyToComment } from '../../../pulls/reviews/reply.ts';
import { type RequestedReviewers, requestReviews, takeBackRequests } from '../../../pulls/reviews/requests.ts';
import { resolveConversation } from '../../../pulls/reviews/resolve.ts';
import { applySuggestions } from '../../../pulls/suggestions/apply.ts';
import type { Action, ActionInput } from '../../issues/action.ts';
import { CONVERSATION_ACTIONS } from '../../issues/actions.ts';
import { chosenNames } from '../../issues/named-others.ts';
import { issuePath } from '../../issues/paths.ts';
import { pullIn } from '../pull-in.ts';

/** The actions of reviews and of comments on lines, by the field `do`. */
export const reviewActions: Readonly<Record<string, Action>> = {
  resolve: returning((input, context) => resolve(input, context, true)),
  unresolve: returning((input, context) => resolve(input, context, false)),
  reply: returning(reply),
  'apply-suggestions': returning(apply),
  'edit-comment': returning(ofConversation('edit-comment')),
  'delete-comment': returning(ofConversation('delete-comment')),
  dismiss: { run: dismiss },
  'request-reviews': { run: (input, context) => changeRequests(input, context, requestReviews) },
  'take-back-requests': { run: (input, context) => changeRequests(input, context, takeBackRequests) },
};

/** The same action, but it redirects to the files page if its form was there. */
function returning(run: Action['run']): Action {
  return {
    run: async (input, context) => {
      const anchor = await run(input, context);
      if (input.fields.get('back') !== 'files') return anchor;
      const { view } = input.visit;
      return `${issuePath(view, input.issue, 'files').slice(view.root.length)}${anchor ?? ''}`;
    },
  };
}

function ofConversation(name: string): Action['run'] {
  const action = CONVERSATION_ACTIONS[name];
  if (!action) throw new Error(`no action ${name}`);
  return action.run;
}

async function resolve({ visit, fields }: ActionInput, context: Context, isResolved: boolean): Promise<string> {
  const { repository, access } = visit;
  const id = fields.get('comment') ?? '';
  await resolveConversation(context, { repository, access, params: { id } }, isResolved);
  return `#issuecomment-${id}`;
}

async function reply(input: ActionInput, context: Context): Promise<string> {
  const { visit, issue, fields } = input;
  refuseLocked(context, issue, visit.access);
  const comment = Number(fields.get('comment'));
  if (!Number.isSafeInteger(comment)) throw notFound();
  const { id } = await replyToComment(context, await pullIn(input, context), comment, fields.get('body') ?? '');
  return `#issuecomment-${id}`;
}

async function apply(input: ActionInput, context: Context): Promise<undefined> {
  const { fields, visit } = input;
  const ids = fields.all('suggestion').map((id) => {
    const [, comment, index] = /^(\d{1,15}):(\d{1,4})$/.exec(id) ?? [];
    if (comment === undefined) throw unprocessable(`[suggestion]: ${id.slice(0, 100)}`);
    return { commentId: Number(comment), index: Number(index) };
  });
  if (ids.length === 0) throw unprocessable(visit.view.text.reviewing.noneChosen);
  await applySuggestions(context, await pullIn(input, context), ids, fields.get('commit_message') ?? '');
}

async function dismiss(input: ActionInput, context: Context): Promise<undefined> {
  const { visit, issue, fields } = input;
  if (!visit.access.isAdmin && !context.actor?.is_admin) throw forbidden('Must be repo admin');
  const id = fields.get('review') ?? '';
  const { review, pull } = await loadReview({ repository: visit.repository, params: { index: String(issue.number), id } }, context);
  await dismissReview(context, pull, review, { message: fields.get(`reason_${review.id}`) ?? '', priors: false });
}

async function changeRequests(
  input: ActionInput,
  context: Context,
  change: (context: Context, pull: Awaited<ReturnType<typeof pullIn>>, requested: RequestedReviewers) => Promise<unknown>,
): Promise<undefined> {
  const { visit, fields } = input;
  const named = { reviewers: chosenNames(fields, 'reviewer'), team_reviewers: fields.all('team') };
  const requested = await findReviewers(context, visit.repository, named);
  if (requested.users.length + requested.teams.length > 0) await change(context, await pullIn(input, context), requested);
}
