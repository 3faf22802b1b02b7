import { signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import type { LabelRow } from '../../database/tables/issues.ts';
import { badRequest, forbidden, unprocessable } from '../../http/errors.ts';
import { pathId } from '../../http/path-id.ts';
import { empty } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { array } from '../../http/schema.ts';
import { canWriteIssue, changingIssue, type Issue, type IssueInput, issueOf } from '../find.ts';
import { presentLabel } from '../labels/present.ts';
import { Label } from '../labels/schema.ts';
import { labelsOf } from '../present.ts';
import { idParameter, indexParameter, issuesOrPulls } from '../requirements.ts';
import { addLabels, clearLabels, removeLabels, replaceLabels, usableLabels, usableLabelsByName } from './issue-labels.ts';
import { IssueLabelsOption } from './schema.ts';

const AT = '/repos/:owner/:repo/issues/:index/labels';
const MAX_LABELS = 1000;

const common = { tag: 'issue', scope: 'issue' } as const;

/** The labels of one issue or pull request. */
export const issueLabelRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...common,
    method: 'GET',
    path: AT,
    id: 'issueGetLabels',
    summary: 'Lists the labels of an issue, by name',
    parameters: indexParameter,
    needs: [issuesOrPulls],
    responses: { 200: array(Label) },
    handle: async (input, context) => presentOf(context, await issueOf(input, context)),
  }),
  repositoryRoute({
    ...common,
    method: 'POST',
    path: AT,
    id: 'issueAddLabel',
    summary: 'Adds labels to an issue; returns all of its labels',
    parameters: indexParameter,
    needs: [issuesOrPulls, signedIn],
    body: IssueLabelsOption,
    responses: { 200: array(Label) },
    also: [400],
    handle: async ({ body, ...input }, context) => change(input, context, body.labels, addLabels),
  }),
  repositoryRoute({
    ...common,
    method: 'PUT',
    path: AT,
    id: 'issueReplaceLabels',
    summary: 'Replaces the labels of an issue; returns them',
    parameters: indexParameter,
    needs: [issuesOrPulls, signedIn],
    body: IssueLabelsOption,
    responses: { 200: array(Label) },
    also: [400],
    handle: async ({ body, ...input }, context) => change(input, context, body.labels, replaceLabels),
  }),
  repositoryRoute({
    ...common,
    method: 'DELETE',
    path: AT,
    id: 'issueClearLabels',
    summary: 'Removes all labels from an issue',
    parameters: indexParameter,
    needs: [issuesOrPulls, signedIn],
    responses: { 204: null, 403: null },
    handle: async (input, context) => {
      const issue = await issueOf(input, context);
      if (!canWriteIssue(input.access, issue)) return empty(403);
      await changingIssue(context, issue, clearLabels);
      return empty(204);
    },
  }),
  repositoryRoute({
    ...common,
    method: 'DELETE',
    path: `${AT}/:id`,
    id: 'issueRemoveLabel',
    summary: 'Removes a label from an issue',
    parameters: { ...indexParameter, ...idParameter },
    needs: [issuesOrPulls, signedIn],
    responses: { 204: null, 403: null },
    handle: async ({ params, ...input }, context) => {
      const issue = await issueOf({ ...input, params }, context);
      if (!canWriteIssue(input.access, issue)) return empty(403);
      const id = pathId(params.id);
      const labels = await usableLabels(context, issue, [id]);
      if (labels.length === 0) throw unprocessable(`label does not exist [label_id: ${Math.min(id, 0)}]`);
      await changingIssue(context, issue, (context, issue) => removeLabels(context, issue, labels));
      return empty(204);
    },
  }),
];

async function presentOf(context: Context, issue: Issue) {
  const labels = (await labelsOf(context, [issue.id])).get(issue.id) ?? [];
  return labels.map((label) => presentLabel(context, label, issue.repository));
}

async function change(
  input: IssueInput,
  context: Context,
  given: readonly unknown[] | undefined,
  apply: (context: Context, issue: Issue, labels: readonly LabelRow[]) => Promise<void>,
) {
  const issue = await issueOf(input, context);
  if (!canWriteIssue(input.access, issue)) throw forbidden('write permission is required');
  const read = readLabels(given ?? []);
  await changingIssue(context, issue, async (context, issue) => apply(context, issue, await read(context, issue)));
  return presentOf(context, issue);
}

/** @throws HttpError 400 for anything but a list of ids or one of names */
function readLabels(given: readonly unknown[]): (context: Context, issue: Issue) => Promise<LabelRow[]> {
  if (given.length > MAX_LABELS) throw badRequest(`more than ${MAX_LABELS} labels`);
  const ids = given.filter((label) => typeof label === 'number');
  const labelNames = given.filter((label) => typeof label === 'string');
  if (ids.length + labelNames.length < given.length) throw badRequest('a label must be an integer or a string');
  if (ids.length > 0 && labelNames.length > 0) throw badRequest('labels should be an array of strings or integers');
  return (context, issue) =>
    labelNames.length > 0 ? usableLabelsByName(context, issue, labelNames) : usableLabels(context, issue, ids.filter(Number.isSafeInteger));
}
