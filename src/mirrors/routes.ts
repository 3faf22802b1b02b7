import { ownerAccess } from '../access/repository-access.ts';
import { canWrite, notArchived, signedIn } from '../access/requirements.ts';
import { repositoryRoute } from '../access/routes.ts';
import type { Context } from '../context.ts';
import { badRequest } from '../http/errors.ts';
import { empty } from '../http/responses.ts';
import { type AnyRoute, route } from '../http/route.ts';
import { presentRepository } from '../repositories/present.ts';
import { Repository } from '../repositories/schema.ts';
import { migrateRepository } from './migrate.ts';
import { pushMirrorRoutes } from './push/routes.ts';
import { enqueueMirror } from './schedule.ts';
import { MigrateRepoOptions } from './schema.ts';

/** @throws HttpError 400 if mirrors are disabled */
function requireMirrors({ settings }: Context): void {
  if (!settings.mirrors.enabled) throw badRequest('Mirror feature is disabled');
}

/** The routes of migrations, mirrors and push mirrors. */
export const mirrorRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/repos/migrate',
    id: 'repoMigrate',
    summary: 'Migrates a repository from another server',
    tag: 'repository',
    scope: 'repository',
    refusesPublicOnly: true,
    needs: [signedIn],
    body: MigrateRepoOptions,
    responses: { 201: Repository },
    also: [409],
    semaphore: 'uploads',
    handle: async ({ body }, context) => {
      const repository = await migrateRepository(context, body);
      return presentRepository(context, repository, ownerAccess(repository));
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/mirror-sync',
    id: 'repoMirrorSync',
    summary: 'Updates a mirror, in the background',
    scope: 'repository',
    needs: [signedIn, canWrite('code'), notArchived],
    responses: { 200: null },
    also: [400],
    handle: async ({ repository }, context) => {
      requireMirrors(context);
      const { db } = context;
      const mirror = await db.selectFrom('mirrors').select('id').where('repository_id', '=', repository.id).executeTakeFirst();
      if (!mirror) throw badRequest('Repository is not a mirror');
      await enqueueMirror(context, 'mirrors', mirror.id);
      return empty(200);
    },
  }),
  ...pushMirrorRoutes(requireMirrors),
];
