import { repositoryAdmin, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { CreateKeyOption } from '../../accounts/keys/schema.ts';
import { only } from '../../http/only.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { pathId } from '../../http/path-id.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query } from '../../http/route.ts';
import { array } from '../../http/schema.ts';
import { addDeployKey, deleteDeployKey, getDeployKey, listDeployKeys } from './deploy-keys.ts';
import { presentDeployKeys, presentNewDeployKey } from './present.ts';
import { DeployKey } from './schema.ts';

const ofKeys = { scope: 'repository', needs: [signedIn, repositoryAdmin] } as const;
const PATH = '/repos/:owner/:repo/keys';
const parameters = { id: { type: 'integer', format: 'int64', description: 'id of the key in the repository' } } as const;

/** Deploy keys. */
export const deployKeyRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...ofKeys,
    method: 'GET',
    path: PATH,
    id: 'repoListKeys',
    summary: 'Lists the deploy keys of a repository',
    query: { key_id: query.integer('id of the key itself'), fingerprint: query.string('fingerprint of the key'), ...pageQuery },
    responses: { 200: array(DeployKey) },
    handle: async ({ repository, query }, context) => {
      const { key_id: keyId, fingerprint } = query;
      const filter = { ...(keyId !== undefined && { keyId }), ...(fingerprint !== undefined && { fingerprint }) };
      const { keys, total } = await listDeployKeys(context, repository, filter, pageOf(context, query));
      return listed(await presentDeployKeys(context, repository, keys), total);
    },
  }),
  repositoryRoute({
    ...ofKeys,
    method: 'POST',
    path: PATH,
    id: 'repoCreateKey',
    summary: 'Adds a deploy key to a repository',
    body: CreateKeyOption,
    responses: { 201: DeployKey },
    handle: async ({ repository, body }, context) => {
      const { title, key, read_only: readOnly } = body;
      return presentNewDeployKey(context, repository, await addDeployKey(context, repository, { title, key, canWrite: !readOnly }));
    },
  }),
  repositoryRoute({
    ...ofKeys,
    method: 'GET',
    path: `${PATH}/:id`,
    id: 'repoGetKey',
    summary: 'Gets a deploy key of a repository',
    parameters,
    responses: { 200: DeployKey },
    handle: async ({ repository, params }, context) => {
      return only(await presentDeployKeys(context, repository, [await getDeployKey(context, repository, pathId(params.id))]));
    },
  }),
  repositoryRoute({
    ...ofKeys,
    method: 'DELETE',
    path: `${PATH}/:id`,
    id: 'repoDeleteKey',
    summary: 'Removes a deploy key from a repository',
    parameters,
    responses: { 204: null },
    handle: async ({ repository, params }, context) => {
      await deleteDeployKey(context, repository, pathId(params.id));
      return empty(204);
    },
  }),
];
