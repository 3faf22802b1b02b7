import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import { signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { migratedUser } from '../../accounts/users/ghost.ts';
import { presentUser } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { ReactionRow } from '../../database/tables/issue-activity.ts';
import { notFound } from '../../http/errors.ts';
import { pageHeaders, pageOf } from '../../http/paging.ts';
import { pathId } from '../../http/path-id.ts';
import { empty, HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { array, nullable, type Shape, wireTime } from '../../http/schema.ts';
import { type CommentInput, commentOf } from '../comments/find.ts';
import { issueOf } from '../find.ts';
import { findPeople } from '../people.ts';
import { issuesOrPulls } from '../requirements.ts';
import { listReactions, type ReactionTarget, react, takeBackReaction } from './reactions.ts';
import { EditReactionOption, Reaction } from './schema.ts';

const onIssue = { index: { type: 'integer', format: 'int64', description: 'number of the issue' } } as const;
const onComment = { id: { type: 'integer', format: 'int64', description: 'id of the comment' } } as const;
const common = { scope: 'issue', tag: 'issue' } as const;
const given = { body: EditReactionOption, bodyParameter: { name: 'content' }, responses: { 200: Reaction, 201: Reaction } } as const;
const takenBack = { body: EditReactionOption, bodyParameter: { name: 'content' }, responses: { 204: null } } as const;

/** Reactions to issues and to comments. */
export const reactionRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...common,
    method: 'GET',
    path: '/repos/:owner/:repo/issues/:index/reactions',
    id: 'issueGetIssueReactions',
    summary: 'Lists the reactions to an issue',
    needs: [issuesOrPulls],
    parameters: onIssue,
    query: pageQuery,
    responses: { 200: nullable(array(Reaction)) },
    handle: async (input, context) => {
      const { reactions, total } = await listReactions(context, { issue: await issueOf(input, context) }, pageOf(context, input.query));
      return new HttpResponse(await presentReactions(context, reactions, input.repository), { headers: pageHeaders(total) });
    },
  }),
  repositoryRoute({
    ...common,
    ...given,
    method: 'POST',
    path: '/repos/:owner/:repo/issues/:index/reactions',
    id: 'issuePostIssueReaction',
    summary: 'Adds a reaction to an issue',
    needs: [issuesOrPulls, signedIn],
    parameters: onIssue,
    handle: async (input, context) => give(context, { issue: await issueOf(input, context) }, input.access, input.body),
  }),
  repositoryRoute({
    ...common,
    ...takenBack,
    method: 'DELETE',
    path: '/repos/:owner/:repo/issues/:index/reactions',
    id: 'issueDeleteIssueReaction',
    summary: 'Removes a reaction from an issue',
    needs: [issuesOrPulls, signedIn],
    parameters: onIssue,
    handle: async (input, context) => {
      await takeBackReaction(context, { issue: await issueOf(input, context) }, input.access, input.body.content ?? '');
      return empty(204);
    },
  }),
  repositoryRoute({
    ...common,
    method: 'GET',
    path: '/repos/:owner/:repo/issues/comments/:id/reactions',
    id: 'issueGetCommentReactions',
    summary: 'Lists the reactions to a comment',
    needs: [issuesOrPulls],
    parameters: onComment,
    responses: { 200: nullable(array(Reaction)) },
    handle: async (input, context) => {
      const { reactions } = await listReactions(context, await reactedComment(input, context));
      return new HttpResponse(await presentReactions(context, reactions, input.repository));
    },
  }),
  repositoryRoute({
    ...common,
    ...given,
    method: 'POST',
    path: '/repos/:owner/:repo/issues/comments/:id/reactions',
    id: 'issuePostCommentReaction',
    summary: 'Adds a reaction to a comment',
    needs: [issuesOrPulls, signedIn],
    parameters: onComment,
    handle: async (input, context) => give(context, await reactedComment(input, context), input.access, input.body),
  }),
  repositoryRoute({
    ...common,
    ...takenBack,
    method: 'DELETE',
    path: '/repos/:owner/:repo/issues/comments/:id/reactions',
    id: 'issueDeleteCommentReaction',
    summary: 'Removes a reaction from a comment',
    needs: [issuesOrPulls, signedIn],
    parameters: onComment,
    handle: async (input, context) => {
      await takeBackReaction(context, await reactedComment(input, context), input.access, input.body.content ?? '');
      return empty(204);
    },
  }),
];

/**
 * The comment that a path names, and its issue.
 * @throws HttpError 404; as in Gitea, it does not name a comment of another repository
 */
async function reactedComment(input: CommentInput, context: Context): Promise<ReactionTarget> {
  const { repository, params } = input;
  const found = await context.db.selectFrom('comments').select('repository_id').where('id', '=', pathId(params.id)).executeTakeFirst();
  if (found && found.repository_id !== repository.id) throw notFound();
  return await commentOf(input, context);
}

async function give(
  context: Context,
  target: ReactionTarget,
  access: RepositoryAccess,
  { content = '' }: Shape<typeof EditReactionOption>,
): Promise<HttpResponse> {
  const { reaction, isNew } = await react(context, target, access, content);
  const user = presentUser(context, signedInActor(context));
  return new HttpResponse({ ...presentOne(reaction), user }, { status: isNew ? 201 : 200 });
}

/** An empty list is null, as clients expect. */
async function presentReactions(
  context: Context,
  reactions: readonly ReactionRow[],
  repository: Repository,
): Promise<Shape<typeof Reaction>[] | null> {
  if (reactions.length === 0) return null;
  const ids = reactions.map((reaction) => reaction.user_id);
  const people = await findPeople(context.db, ids, [context.actor]);
  const giver = ({ user_id: id, original_author: original }: ReactionRow) =>
    original === '' ? people(id) : migratedUser(`${original}(${repository.original_service})`);
  return reactions.map((reaction) => ({ ...presentOne(reaction), user: presentUser(context, giver(reaction)) }));
}

function presentOne({ content, created_at: at }: ReactionRow) {
  return { content, created_at: wireTime(at) };
}
