import { signedIn } from '../access/requirements.ts';
import { repositoryRoute } from '../access/routes.ts';
import type { Context } from '../context.ts';
import { badRequest, HttpError, unprocessable } from '../http/errors.ts';
import { empty } from '../http/responses.ts';
import type { AnyRoute } from '../http/route.ts';
import type { Shape } from '../http/schema.ts';
import { findAssignable, nextAssignees } from '../issues/assignees/assignees.ts';
import { endOfDay } from '../issues/deadline.ts';
import { refuseStale } from '../issues/edit.ts';
import { usableLabels } from '../issues/issue-labels/issue-labels.ts';
import { findMilestone } from '../issues/milestones/find.ts';
import { editPull, type PullChanges } from './edit.ts';
import { type Pull, pullOf } from './find.ts';
import { presentPull } from './present.ts';
import { pullIndex, pullsOn } from './requirements.ts';
import { EditPullRequestOption, PullRequest } from './schema.ts';

type Body = Shape<typeof EditPullRequestOption>;

/** Changing pull requests. */
export const pullEditRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'PATCH',
    path: '/repos/:owner/:repo/pulls/:index',
    id: 'repoEditPullRequest',
    summary: 'Changes a pull request',
    scope: 'repository',
    parameters: pullIndex,
    needs: [...pullsOn, signedIn],
    body: EditPullRequestOption,
    responses: { 201: PullRequest, 403: null },
    also: [400, 409, 412],
    handle: async ({ body, ...input }, context) => {
      const pull = await pullOf(input, context);
      const mayWrite = input.access.canWrite('pulls');
      if (!mayWrite && pull.issue.author_id !== context.actor?.id) return empty(403);
      refuseStale(pull.issue, body.content_version);
      const changes = { ...readChanges(body), ...(mayWrite && (await readAttributes(context, pull, body))) };
      return presentPull(context, await editPull(context, pull, changes));
    },
  }),
];

/** The changes that the author may make without write access. */
function readChanges(body: Body): PullChanges {
  const { state } = body;
  if (state !== undefined && state !== 'open' && state !== 'closed') throw new HttpError(412, `unknown state: ${state}`);
  return {
    title: body.title || undefined,
    body: body.body,
    contentVersion: body.content_version,
    deadline: readDeadline(body),
    base: body.base || undefined,
    allowMaintainerEdit: body.allow_maintainer_edit,
    state,
  };
}

function readDeadline({ due_date: due, unset_due_date: unset }: Body): number | null | undefined {
  if (unset) return null;
  if (due !== undefined) return endOfDay(due, 'own');
  if (unset === false) throw badRequest('The due_date cannot be empty');
  return undefined;
}

async function readAttributes(context: Context, { issue }: Pull, body: Body): Promise<PullChanges> {
  const changes: PullChanges = {};
  if (body.assignees !== undefined || body.assignee) {
    changes.assignees = await findAssignable(context, issue.repository, nextAssignees(body));
  }
  if (body.milestone !== undefined && body.milestone !== 0) {
    if (!(await findMilestone(context.db, issue.repository_id, body.milestone))) {
      throw unprocessable(`milestone does not exist [id: ${body.milestone}, repo_id: ${issue.repository_id}]`);
    }
    changes.milestoneId = body.milestone;
  }
  if (body.labels !== undefined) {
    changes.labels = await usableLabels(context, issue, body.labels);
    changes.hasSilentLabels = true;
  }
  return changes;
}
