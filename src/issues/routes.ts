import { canRead, notArchived, repositoryAdmin, signedIn } from '../access/requirements.ts';
import { repositoryRoute } from '../access/routes.ts';
import type { Context } from '../context.ts';
import { badRequest, forbidden, HttpError, unprocessable } from '../http/errors.ts';
import { listed, pageOf } from '../http/paging.ts';
import { pathId } from '../http/path-id.ts';
import { empty } from '../http/responses.ts';
import type { AnyRoute } from '../http/route.ts';
import { array, type Shape, wireTime } from '../http/schema.ts';
import { findAssignable, firstAssignees, nextAssignees } from './assignees/assignees.ts';
import { attachmentRoutes } from './attachments/routes.ts';
import { commentRoutes } from './comments/routes.ts';
import { createIssue } from './create.ts';
import { deadlineSeconds, endOfDay } from './deadline.ts';
import { deleteIssue } from './delete.ts';
import { dependencyRoutes } from './dependencies/routes.ts';
import { editIssue, type IssueChanges, refuseStale } from './edit.ts';
import { canWriteIssue, findIssue, type Issue, issueOf } from './find.ts';
import { issueLabelRoutes } from './issue-labels/routes.ts';
import { listIssues } from './list.ts';
import { listQuery, readListFilter } from './list-query.ts';
import { missingIssue } from './load.ts';
import { lockRoutes } from './lock/routes.ts';
import { findMilestone } from './milestones/find.ts';
import { milestoneRoutes } from './milestones/routes.ts';
import { pinRoutes } from './pins/routes.ts';
import { presentIssue, presentIssues } from './present.ts';
import { reactionRoutes } from './reactions/routes.ts';
import { indexParameter, issuesOrPulls } from './requirements.ts';
import { CreateIssueOption, EditDeadlineOption, EditIssueOption, IssueDeadline, Issue as IssueShape } from './schema.ts';
import { searchRoutes } from './search/routes.ts';
import { refuseOnceMerged } from './state.ts';
import { stopwatchRoutes } from './stopwatches/routes.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';
import { timelineRoutes } from './timeline/routes.ts';
import { timeRoutes } from './times/routes.ts';

/** Opening, reading, changing and deleting issues. */
const coreRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/issues',
    id: 'issueListIssues',
    summary: 'Lists the issues and pull requests of a repository, the newest first',
    tag: 'issue',
    scope: 'issue',
    needs: [issuesOrPulls],
    query: listQuery,
    responses: { 200: array(IssueShape) },
    handle: async ({ repository, access, query, request }, context) => {
      const page = pageOf(context, query);
      const { page: _page, limit: _limit, ...given } = query;
      const filter = await readListFilter(context, { repository, access }, given);
      const { issues, total } = await listIssues(context, repository, filter, page);
      return listed(await presentIssues(context, issues), total, { url: request.url, ...page });
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/issues',
    id: 'issueCreateIssue',
    summary: 'Opens an issue',
    tag: 'issue',
    scope: 'issue',
    needs: [issuesOrPulls, signedIn, notArchived, canRead('issues')],
    body: CreateIssueOption,
    responses: { 201: IssueShape },
    also: [412, 423],
    handle: async ({ repository, access, body }, context) => {
      const mayWrite = access.canWrite('issues');
      const { labels = [], milestone = 0 } = body;
      const issue = await createIssue(context, repository, {
        title: body.title,
        body: body.body ?? '',
        ref: body.ref ?? '',
        assignees: mayWrite ? await findAssignable(context, repository, firstAssignees(body)) : [],
        deadline: mayWrite ? deadlineSeconds(body.due_date) : null,
        milestoneId: mayWrite && milestone > 0 ? milestone : null,
        labelIds: mayWrite ? labels : [],
        isClosed: body.closed ?? false,
      });
      return presentIssue(context, issue);
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/issues/:index',
    id: 'issueGetIssue',
    summary: 'Gets an issue',
    tag: 'issue',
    scope: 'issue',
    parameters: indexParameter,
    needs: [issuesOrPulls],
    responses: { 200: IssueShape },
    handle: async (input, context) => presentIssue(context, await issueOf(input, context)),
  }),
  repositoryRoute({
    method: 'PATCH',
    path: '/repos/:owner/:repo/issues/:index',
    id: 'issueEditIssue',
    summary: 'Changes an issue',
    tag: 'issue',
    scope: 'issue',
    parameters: indexParameter,
    needs: [issuesOrPulls, signedIn],
    body: EditIssueOption,
    responses: { 201: IssueShape, 403: null },
    also: [400, 409, 412],
    handle: async ({ body, ...input }, context) => {
      const issue = await issueOf(input, context);
      const mayWrite = canWriteIssue(input.access, issue);
      if (!mayWrite && issue.author_id !== context.actor?.id) return empty(403);
      refuseStale(issue, body.content_version);
      return presentIssue(context, await editIssue(context, issue, await readChanges(context, issue, body, mayWrite)));
    },
  }),
  repositoryRoute({
    method: 'DELETE',
    path: '/repos/:owner/:repo/issues/:index',
    id: 'issueDelete',
    summary: 'Deletes an issue',
    tag: 'issue',
    scope: 'issue',
    parameters: indexParameter,
    needs: [issuesOrPulls, signedIn, repositoryAdmin],
    responses: { 204: null },
    handle: async ({ repository, params }, context) => {
      const number = pathId(params.index);
      const issue = await findIssue(context.db, repository, number);
      if (!issue) throw missingIssue(repository, number);
      await deleteIssue(context, issue);
      return empty(204);
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/issues/:index/deadline',
    id: 'issueEditIssueDeadline',
    summary: 'Sets or removes the due date of an issue',
    tag: 'issue',
    scope: 'issue',
    parameters: indexParameter,
    needs: [issuesOrPulls, signedIn],
    body: EditDeadlineOption,
    responses: { 201: IssueDeadline },
    handle: async ({ body, ...input }, context) => {
      const issue = await issueOf(input, context);
      if (!canWriteIssue(input.access, issue)) throw forbidden('Not repo writer');
      const deadline = endOfDay(body.due_date, 'utc');
      await editIssue(context, issue, { deadline });
      return { due_date: wireTime(deadline ?? 0) };
    },
  }),
];

/** The changes in a body: texts and state for the author, everything for writers. */
async function readChanges(context: Context, issue: Issue, body: Shape<typeof EditIssueOption>, mayWrite: boolean): Promise<IssueChanges> {
  const { state } = body;
  if (state !== undefined && state !== 'open' && state !== 'closed') throw new HttpError(412, `unknown state: ${state}`);
  if (state !== undefined) refuseOnceMerged(issue);
  const changes: IssueChanges = {
    title: body.title || undefined,
    body: body.body,
    contentVersion: body.content_version,
    ref: body.ref,
    state,
  };
  return mayWrite ? { ...changes, ...(await readAttributes(context, issue, body)) } : changes;
}

async function readAttributes(context: Context, issue: Issue, body: Shape<typeof EditIssueOption>): Promise<IssueChanges> {
  const changes: IssueChanges = {};
  if (body.unset_due_date) changes.deadline = null;
  else if (body.due_date !== undefined) changes.deadline = endOfDay(body.due_date, 'own');
  else if (body.unset_due_date === false) throw badRequest('The due_date cannot be empty');
  if (body.assignees !== undefined || body.assignee !== undefined) {
    changes.assignees = await findAssignable(context, issue.repository, nextAssignees(body));
  }
  if (body.milestone !== undefined) {
    const { milestone: id } = body;
    if (id > 0 && !(await findMilestone(context.db, issue.repository_id, id))) {
      throw unprocessable(`milestone does not exist [id: ${id}, repo_id: ${issue.repository_id}]`);
    }
    changes.milestoneId = id > 0 ? id : null;
  }
  return changes;
}

/** All routes of issues. */
export const issueRoutes: readonly AnyRoute[] = [
  ...coreRoutes,
  ...commentRoutes,
  ...milestoneRoutes,
  ...issueLabelRoutes,
  ...timelineRoutes,
  ...reactionRoutes,
  ...lockRoutes,
  ...pinRoutes,
  ...dependencyRoutes,
  ...subscriptionRoutes,
  ...timeRoutes,
  ...stopwatchRoutes,
  ...attachmentRoutes,
  ...searchRoutes,
];
