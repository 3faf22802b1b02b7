import { notArchived, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../http/errors.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty, type HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { array, type Shape } from '../../http/schema.ts';
import { readTimeRange, timeRangeQuery } from '../../http/time-range.ts';
import { canWriteIssue, issueOf } from '../find.ts';
import { idParameter, indexParameter, issuesOrPulls } from '../requirements.ts';
import { createComment, deleteComment, editComment, hasText, refuseLocked } from './comments.ts';
import { type CommentInput, commentOf } from './find.ts';
import { commentsIn, commentsOf } from './list.ts';
import { presentComment, presentComments } from './present.ts';
import { Comment, CreateIssueCommentOption, EditIssueCommentOption } from './schema.ts';

const AT_ISSUE = '/repos/:owner/:repo/issues/:index/comments';
const AT_REPOSITORY = '/repos/:owner/:repo/issues/comments';

const common = { tag: 'issue', scope: 'issue' } as const;
const editResponses = { 200: Comment, 204: null, 403: null };
const deleteResponses = { 204: null, 400: null, 403: null };

/** Comments of issues and pull requests. */
export const commentRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...common,
    method: 'GET',
    path: AT_REPOSITORY,
    id: 'issueGetRepoComments',
    summary: 'Lists the comments in a repository, the oldest first',
    needs: [issuesOrPulls],
    query: { ...timeRangeQuery, ...pageQuery },
    responses: { 200: array(Comment) },
    handle: async ({ repository, access, query }, context) => {
      const [issues, pulls] = [access.canRead('issues'), access.canRead('pulls')];
      if (!issues && !pulls) throw notFound();
      const isPull = issues && pulls ? undefined : pulls;
      const { comments, total } = await commentsIn(context, repository, readTimeRange(query), isPull, pageOf(context, query));
      return listed(await presentComments(context, comments), total);
    },
  }),
  repositoryRoute({
    ...common,
    method: 'GET',
    path: AT_ISSUE,
    id: 'issueGetComments',
    summary: 'Lists the comments of an issue, the oldest first',
    parameters: indexParameter,
    needs: [issuesOrPulls],
    query: timeRangeQuery,
    responses: { 200: array(Comment) },
    handle: async ({ query, ...input }, context) => {
      const span = readTimeRange(query);
      const issue = await issueOf(input, context);
      const comments = await commentsOf(context, issue, span);
      const presented = await presentComments(
        context,
        comments.map((comment) => ({ comment, issue })),
      );
      return listed(presented, presented.length);
    },
  }),
  repositoryRoute({
    ...common,
    method: 'POST',
    path: AT_ISSUE,
    id: 'issueCreateComment',
    summary: 'Comments on an issue',
    parameters: indexParameter,
    needs: [issuesOrPulls, signedIn, notArchived],
    body: CreateIssueCommentOption,
    responses: { 201: Comment },
    also: [423],
    handle: async ({ body, ...input }, context) => {
      const issue = await issueOf(input, context);
      refuseLocked(context, issue, input.access);
      return presentComment(context, await createComment(context, issue, body.body), issue);
    },
  }),
  repositoryRoute({
    ...common,
    method: 'GET',
    path: `${AT_REPOSITORY}/:id`,
    id: 'issueGetComment',
    summary: 'Gets a comment',
    parameters: idParameter,
    needs: [issuesOrPulls],
    responses: { 200: Comment, 204: null },
    handle: async (input, context) => {
      const { comment, issue } = await commentOf(input, context);
      if (comment.kind !== 'comment') return empty(204);
      // As clients expect, a single comment has no files; lists and the routes of its files have them.
      return { ...(await presentComment(context, comment, issue)), assets: [] };
    },
  }),
  repositoryRoute({
    ...common,
    method: 'PATCH',
    path: `${AT_REPOSITORY}/:id`,
    id: 'issueEditComment',
    summary: 'Changes the text of a comment',
    parameters: idParameter,
    needs: [issuesOrPulls, notArchived, signedIn],
    body: EditIssueCommentOption,
    responses: { ...editResponses },
    also: [409, 423],
    handle: edit,
  }),
  repositoryRoute({
    ...common,
    method: 'PATCH',
    path: `${AT_ISSUE}/:id`,
    id: 'issueEditCommentDeprecated',
    summary: 'Changes the text of a comment',
    parameters: { ...indexParameter, ...idParameter },
    needs: [issuesOrPulls, signedIn],
    deprecated: true,
    body: EditIssueCommentOption,
    responses: editResponses,
    also: [409],
    handle: edit,
  }),
  repositoryRoute({
    ...common,
    method: 'DELETE',
    path: `${AT_REPOSITORY}/:id`,
    id: 'issueDeleteComment',
    summary: 'Deletes a comment',
    parameters: idParameter,
    needs: [issuesOrPulls, signedIn],
    responses: deleteResponses,
    handle: remove,
  }),
  repositoryRoute({
    ...common,
    method: 'DELETE',
    path: `${AT_ISSUE}/:id`,
    id: 'issueDeleteCommentDeprecated',
    summary: 'Deletes a comment',
    parameters: { ...indexParameter, ...idParameter },
    needs: [issuesOrPulls, signedIn],
    deprecated: true,
    responses: deleteResponses,
    handle: remove,
  }),
];

async function edit(input: CommentInput & { body: Shape<typeof EditIssueCommentOption> }, context: Context): Promise<unknown> {
  const { comment, issue } = await commentOf(input, context);
  if (comment.author_id !== context.actor?.id && !canWriteIssue(input.access, issue)) return empty(403);
  if (!hasText(comment.kind)) return empty(204);
  return presentComment(context, await editComment(context, comment, issue, input.body.body), issue);
}

async function remove(input: CommentInput, context: Context): Promise<HttpResponse> {
  const { comment, issue } = await commentOf(input, context);
  if (comment.author_id !== context.actor?.id && !canWriteIssue(input.access, issue)) return empty(403);
  if (!hasText(comment.kind)) return empty(400);
  await deleteComment(context, comment, issue);
  return empty(204);
}
