import type { ActionVariable as Row } from '../../database/tables/action-runners.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, route } from '../../http/route.ts';
import { array, type Shape } from '../../http/schema.ts';
import { type Level, organizationLevel, repositoryLevel, userLevel } from '../levels.ts';
import { ActionVariable, CreateVariableOption, UpdateVariableOption } from './schema.ts';
import { createVariable, deleteVariable, getVariable, listVariables, updateVariable } from './variables.ts';

function present({ owner_id, repository_id, name, value, description }: Row): Shape<typeof ActionVariable> {
  return { owner_id: owner_id ?? 0, repo_id: repository_id ?? 0, name, data: value, description };
}

function variableRoutesOf({ common, path, name, of, parameters, scopeOf }: Level): AnyRoute[] {
  const one = {
    ...common,
    path: `${path}/variables/:variablename` as const,
    parameters: { ...parameters, variablename: { description: 'name of the variable' } },
  };
  return [
    route({
      ...common,
      method: 'GET',
      path: `${path}/variables`,
      id: `get${name}VariablesList`,
      summary: `Lists the variables of ${of}`,
      parameters,
      query: pageQuery,
      responses: { 200: array(ActionVariable) },
      handle: async (input, context) => {
        const page = pageOf(context, input.query);
        const { variables, total } = await listVariables(context, scopeOf(input, context), page);
        return listed(variables.map(present), total, { url: input.request.url, ...page });
      },
    }),
    route({
      ...one,
      method: 'GET',
      id: `get${name}Variable`,
      summary: `Gets a variable of ${of}`,
      responses: { 200: ActionVariable },
      handle: async (input, context) => present(await getVariable(context, scopeOf(input, context), input.params.variablename)),
    }),
    route({
      ...one,
      method: 'POST',
      id: `create${name}Variable`,
      summary: `Makes a variable of ${of}`,
      body: CreateVariableOption,
      bodyParameter: { required: false },
      responses: { 201: null },
      also: [400, 409],
      handle: async (input, context) => {
        await createVariable(context, scopeOf(input, context), input.params.variablename, input.body);
        return empty(201);
      },
    }),
    route({
      ...one,
      method: 'PUT',
      id: `update${name}Variable`,
      summary: `Changes a variable of ${of}`,
      body: UpdateVariableOption,
      bodyParameter: { required: false },
      responses: { 204: null },
      also: [400, 409],
      handle: async (input, context) => {
        await updateVariable(context, scopeOf(input, context), input.params.variablename, input.body);
        return empty(204);
      },
    }),
    route({
      ...one,
      method: 'DELETE',
      id: `delete${name}Variable`,
      summary: `Removes a variable of ${of}`,
      responses: { 204: null },
      handle: async (input, context) => {
        await deleteVariable(context, scopeOf(input, context), input.params.variablename);
        return empty(204);
      },
    }),
  ];
}

/** Variables of repositories, organizations and users. */
export const variableRoutes: readonly AnyRoute[] = [repositoryLevel, organizationLevel, userLevel].flatMap(variableRoutesOf);
