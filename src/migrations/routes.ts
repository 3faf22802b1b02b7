import { ownerAccess } from '../access/repository-access.ts';
import { signedIn } from '../access/requirements.ts';
import { listed, pageOf } from '../http/paging.ts';
import { pathId } from '../http/path-id.ts';
import { empty } from '../http/responses.ts';
import { type AnyRoute, pageQuery, route } from '../http/route.ts';
import { array } from '../http/schema.ts';
import { presentRepository } from '../repositories/present.ts';
import { Repository } from '../repositories/schema.ts';
import { cancelMigration, getMigration, listMigrations, retryMigration, startMigration } from './migrations.ts';
import { presentMigration, presentMigrations } from './present.ts';
import { MigrateRepoOptions, RepositoryMigration } from './schema.ts';
import { waitForMigration } from './wait.ts';

const common = { tag: 'repository', scope: 'repository', refusesPublicOnly: true, needs: [signedIn] } as const;
const parameters = { id: { type: 'integer', format: 'int64', description: 'id of the migration' } } as const;

/** The routes of migrations: the one that clients know, which responds at the end, and those that show how far one is. */
export const migrationRoutes: readonly AnyRoute[] = [
  route({
    ...common,
    method: 'POST',
    path: '/repos/migrate',
    id: 'repoMigrate',
    summary: 'Migrates a repository from another server',
    body: MigrateRepoOptions,
    responses: { 201: Repository },
    also: [409],
    handle: async ({ body, request }, context) => {
      const repository = await waitForMigration(context, await startMigration(context, body), request.signal);
      return presentRepository(context, repository, ownerAccess(repository));
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/user/migrations',
    id: 'userListMigrations',
    summary: 'Lists the migrations that the caller asked for, the latest first',
    query: pageQuery,
    responses: { 200: array(RepositoryMigration) },
    handle: async ({ query, request }, context) => {
      const page = pageOf(context, query);
      const { migrations, total } = await listMigrations(context, page);
      return listed(await presentMigrations(context, migrations), total, { url: request.url, ...page });
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/user/migrations/:id',
    id: 'userGetMigration',
    summary: 'Shows how far a migration is',
    parameters,
    responses: { 200: RepositoryMigration },
    handle: async ({ params }, context) => presentMigration(context, await getMigration(context, pathId(params.id))),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/user/migrations/:id',
    id: 'userCancelMigration',
    summary: 'Cancels a migration; nothing remains of its repository',
    parameters,
    responses: { 204: null },
    also: [409],
    handle: async ({ params }, context) => {
      await cancelMigration(context, await getMigration(context, pathId(params.id)));
      return empty(204);
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/user/migrations/:id/retry',
    id: 'userRetryMigration',
    summary: 'Begins a migration again that failed or was cancelled, in the background',
    parameters,
    responses: { 202: RepositoryMigration },
    also: [409],
    handle: async ({ params }, context) =>
      presentMigration(context, await retryMigration(context, await getMigration(context, pathId(params.id)))),
  }),
];
