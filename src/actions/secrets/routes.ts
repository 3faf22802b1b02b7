import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, route } from '../../http/route.ts';
import { array, wireTime } from '../../http/schema.ts';
import { type Level, organizationLevel, repositoryLevel, userLevel } from '../levels.ts';
import { CreateOrUpdateSecretOption, Secret } from './schema.ts';
import { deleteSecret, listSecrets, setSecret } from './secrets.ts';

function listRoute({ common, path, prefix, of, parameters, scopeOf }: Level): AnyRoute {
  return route({
    ...common,
    method: 'GET',
    path: `${path}/secrets`,
    id: `${prefix}ListActionsSecrets`,
    summary: `Lists the secrets of ${of}, without their values`,
    parameters,
    query: pageQuery,
    responses: { 200: array(Secret) },
    handle: async (input, context) => {
      const page = pageOf(context, input.query);
      const { secrets, total } = await listSecrets(context, scopeOf(input, context), page);
      const shapes = secrets.map(({ name, description, created_at }) => ({ name, description, created_at: wireTime(created_at) }));
      return listed(shapes, total, { url: input.request.url, ...page });
    },
  });
}

function changeRoutes({ common, path, name, of, parameters, scopeOf }: Level): AnyRoute[] {
  const one = {
    ...common,
    path: `${path}/secrets/:secretname` as const,
    parameters: { ...parameters, secretname: { description: 'name of the secret' } },
  };
  return [
    route({
      ...one,
      method: 'PUT',
      id: `update${name}Secret`,
      summary: `Makes or changes a secret of ${of}`,
      body: CreateOrUpdateSecretOption,
      bodyParameter: { required: false },
      responses: { 201: null, 204: null },
      also: [400],
      handle: async (input, context) => {
        const isNew = await setSecret(context, scopeOf(input, context), input.params.secretname, input.body);
        return empty(isNew ? 201 : 204);
      },
    }),
    route({
      ...one,
      method: 'DELETE',
      id: `delete${name}Secret`,
      summary: `Removes a secret of ${of}`,
      responses: { 204: null },
      handle: async (input, context) => {
        await deleteSecret(context, scopeOf(input, context), input.params.secretname);
        return empty(204);
      },
    }),
  ];
}

/** Secrets of repositories, organizations and users. Those of a user are not listed. */
export const secretRoutes: readonly AnyRoute[] = [
  ...[repositoryLevel, organizationLevel].map(listRoute),
  ...[repositoryLevel, organizationLevel, userLevel].flatMap(changeRoutes),
];
