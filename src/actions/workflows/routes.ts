import { canRead, canWrite, signedIn, unitOn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { notFound, unauthorized } from '../../http/errors.ts';
import { empty, raw } from '../../http/responses.ts';
import { type AnyRoute, query } from '../../http/route.ts';
import { repositoryApiUrl, repositoryHtmlUrl } from '../../repositories/urls.ts';
import { workflowBadge } from './badge.ts';
import { setWorkflowEnabled } from './disabled.ts';
import { dispatchWorkflow } from './dispatch.ts';
import { ActionWorkflow, ActionWorkflowResponse, CreateActionWorkflowDispatch, RunDetails } from './schema.ts';
import { getWorkflow, listWorkflows } from './workflows.ts';

const PATH = '/repos/:owner/:repo/actions/workflows';
/** Bytes of a body that starts a workflow: many small inputs take far longer to read than their bytes say. */
const MAX_DISPATCH = 512 * 1024;
const reading = { scope: 'repository', needs: [signedIn, canRead('actions')] } as const;
const writing = { scope: 'repository', needs: [signedIn, canRead('actions'), canWrite('actions')] } as const;
const parameters = { workflow_id: { description: 'the name of the workflow file' } };

/** Workflow files of a repository. */
export const workflowRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: PATH,
    id: 'ActionsListRepositoryWorkflows',
    summary: 'Lists the workflows of the default branch',
    responses: { 200: ActionWorkflowResponse },
    handle: async ({ repository }, context) => {
      const workflows = await listWorkflows(context, repository);
      return { workflows, total_count: workflows.length };
    },
  }),
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${PATH}/:workflow_id`,
    id: 'ActionsGetWorkflow',
    summary: 'Gets a workflow of the default branch',
    parameters,
    responses: { 200: ActionWorkflow },
    handle: async ({ repository, params }, context) => getWorkflow(context, repository, params.workflow_id),
  }),
  ...(['enable', 'disable'] as const).map((word) =>
    repositoryRoute({
      ...writing,
      method: 'PUT',
      path: `${PATH}/:workflow_id/${word}`,
      id: word === 'enable' ? 'ActionsEnableWorkflow' : 'ActionsDisableWorkflow',
      summary: word === 'enable' ? 'Lets a workflow run' : 'Lets a workflow not run any more',
      parameters,
      responses: { 204: null },
      handle: async ({ repository, params }, context) => {
        const { id } = await getWorkflow(context, repository, params.workflow_id);
        await setWorkflowEnabled(context, repository.id, id, word === 'enable');
        return empty(204);
      },
    }),
  ),
  repositoryRoute({
    ...writing,
    method: 'POST',
    path: `${PATH}/:workflow_id/dispatches`,
    id: 'ActionsDispatchWorkflow',
    summary: 'Starts a workflow',
    parameters,
    query: { return_run_details: query.boolean('whether the response says which run was started') },
    body: CreateActionWorkflowDispatch,
    bodyLimit: () => MAX_DISPATCH,
    responses: { 200: RunDetails, 204: null },
    handle: async ({ repository, params, query, body }, context) => {
      const dispatch = { workflowId: params.workflow_id, ref: body.ref, inputs: body.inputs ?? {} };
      const run = await dispatchWorkflow(context, repository, callerOf(context), dispatch);
      if (!query.return_run_details) return empty(204);
      return {
        workflow_run_id: run.id,
        run_url: `${repositoryApiUrl(context.settings, repository)}/actions/runs/${run.id}`,
        html_url: `${repositoryHtmlUrl(context.settings, repository)}/actions/runs/${run.id}`,
      };
    },
  }),
  repositoryRoute({
    method: 'GET',
    // A file may be in a folder.
    path: '//:owner/:repo/actions/workflows/*',
    id: 'workflowBadge',
    summary: 'A picture of the state of a workflow',
    scope: 'repository',
    needs: [unitOn('actions')],
    query: {
      branch: query.string('the branch; the default branch when left out'),
      event: query.string('only runs of this event'),
      style: query.string('`flat` or `flat-square`'),
    },
    produces: ['image/svg+xml'],
    responses: { 200: null },
    handle: async ({ repository, params, query }, context) => {
      const { branch = repository.default_branch, event = '', style } = query;
      const [, workflow] = /^(.+)\/badge\.svg$/.exec(params['*']) ?? [];
      if (workflow === undefined) throw notFound();
      const badge = { workflow, branch, event, isSquare: style === 'flat-square' };
      const headers = { 'cache-control': 'no-cache', 'content-security-policy': "default-src 'none'" };
      return raw(await workflowBadge(context, repository, badge), 'image/svg+xml', { headers });
    },
  }),
];

function callerOf({ actor }: Context): User {
  if (!actor) throw unauthorized('token is required');
  return actor;
}
