import { pageOf } from '../../http/paging.ts';
import { pathId } from '../../http/path-id.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query, route } from '../../http/route.ts';
import { instanceLevel, type Level, organizationLevel, repositoryLevel, userLevel } from '../levels.ts';
import { registrationToken } from './registration-tokens.ts';
import { deleteRunner, getRunner, listRunners, presentRunner, setRunnerDisabled } from './runners.ts';
import { ActionRunner, ActionRunnersResponse, EditActionRunnerOption, RegistrationToken } from './schema.ts';

const undescribedPage = {
  page: { ...pageQuery.page, undescribed: true },
  limit: { ...pageQuery.limit, undescribed: true },
};

function runnerRoutesOf({ common, path, name, of, parameters, scopeOf }: Level): AnyRoute[] {
  const one = {
    ...common,
    path: `${path}/runners/:runner_id` as const,
    parameters: { ...parameters, runner_id: { description: 'id of the runner' } },
  };
  return [
    route({
      ...common,
      method: 'GET',
      path: `${path}/runners`,
      id: `get${name}Runners`,
      summary: name === 'Admin' ? 'Lists all runners' : `Lists the runners of ${of}`,
      parameters,
      query: { disabled: query.boolean('only runners that are disabled, or only those that are not'), ...undescribedPage },
      responses: { 200: ActionRunnersResponse },
      handle: async (input, context) => {
        const { runners, total } = await listRunners(context, scopeOf(input, context), pageOf(context, input.query), input.query.disabled);
        return { runners: runners.map(presentRunner), total_count: total };
      },
    }),
    route({
      ...one,
      method: 'GET',
      id: `get${name}Runner`,
      summary: name === 'Admin' ? 'Gets any runner' : `Gets a runner of ${of}`,
      responses: { 200: ActionRunner },
      handle: async (input, context) => presentRunner(await getRunner(context, scopeOf(input, context), pathId(input.params.runner_id))),
    }),
    route({
      ...one,
      method: 'PATCH',
      id: `update${name}Runner`,
      summary: `Disables or enables ${name === 'Admin' ? 'any runner' : `a runner of ${of}`}`,
      body: EditActionRunnerOption,
      bodyParameter: { required: false },
      responses: { 200: ActionRunner },
      handle: async (input, context) =>
        presentRunner(await setRunnerDisabled(context, scopeOf(input, context), pathId(input.params.runner_id), input.body.disabled)),
    }),
    route({
      ...one,
      method: 'DELETE',
      id: `delete${name}Runner`,
      summary: `Removes ${name === 'Admin' ? 'any runner' : `a runner of ${of}`}`,
      responses: { 204: null },
      handle: async (input, context) => {
        await deleteRunner(context, scopeOf(input, context), pathId(input.params.runner_id));
        return empty(204);
      },
    }),
  ];
}

function tokenRoutesOf({ common, path, prefix, of, parameters, scopeOf }: Level): AnyRoute[] {
  const token = {
    ...common,
    summary: `Gets the token by which runners of ${of} register`,
    parameters,
    responses: { 200: RegistrationToken },
  };
  // For older clients, one path is different.
  const older = prefix === 'admin' ? '/admin/runners/registration-token' : `${path}/runners/registration-token`;
  const handle: AnyRoute['handle'] = async (input, context) => ({ token: await registrationToken(context, scopeOf(input, context)) });
  return [
    route({
      ...token,
      method: 'POST',
      path: `${path}/runners/registration-token`,
      id: `${prefix}CreateRunnerRegistrationToken`,
      handle,
    }),
    route({ ...token, method: 'GET', path: older, id: `${prefix}GetRunnerRegistrationToken`, deprecated: true, handle }),
  ];
}

const LEVELS = [repositoryLevel, organizationLevel, userLevel, instanceLevel];

/** Runners of repositories, organizations, users and the instance, and the tokens by which they register. */
export const runnerRoutes: readonly AnyRoute[] = [...LEVELS.flatMap(tokenRoutesOf), ...LEVELS.flatMap(runnerRoutesOf)];
