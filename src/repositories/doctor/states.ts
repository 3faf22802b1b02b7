import { sql } from 'kysely';
import { type Context, internalContext, type Services } from '../../context.ts';
import { removeRemains } from '../delete.ts';
import { removeUnfinished } from '../remove-unfinished.ts';
import type { Finding } from './finding.ts';

/** Repositories whose creation or deletion was interrupted. */
export async function* unfinishedRepositories(context: Context): AsyncGenerator<Finding> {
  const { db } = context;
  const rows = await db
    .selectFrom('repositories')
    .select(['id', 'owner_id', 'name', 'state', 'process_id'])
    .where('state', '<>', sql.lit('ready'))
    .orderBy('id')
    .execute();
  for (const row of rows) {
    // A living process is creating it.
    if (row.state === 'creating' && row.process_id !== null && (await context.processes.isAlive(row.process_id))) continue;
    // Its job continues, or undoes it.
    if (row.state === 'migrating' && (await isBeingMigrated(context, row.id))) continue;
    yield {
      text: `repository ${row.id} (${row.name}) was never ${row.state === 'deleting' ? 'wholly deleted' : 'finished'}`,
      fix: async () => {
        if (row.state !== 'deleting') await removeUnfinished(context, row.id, row.owner_id);
        await removeRemains({ repositoryId: row.id }, context);
      },
    };
  }
}

async function isBeingMigrated({ db }: Context, repositoryId: number): Promise<boolean> {
  const row = await db
    .selectFrom('repository_migrations')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst();
  return row !== undefined;
}

/** Undoes the creations of dead processes: their names are free again. */
export async function recoverCreations(services: Services): Promise<void> {
  const rows = await services.database.db
    .selectFrom('repositories')
    .select(['id', 'owner_id'])
    .where('state', '<>', sql.lit('ready'))
    .where('state', '=', 'creating')
    .where('process_id', 'is', null)
    .orderBy('id')
    .execute();
  for (const row of rows) await removeUnfinished(internalContext(services), row.id, row.owner_id);
  if (rows.length > 0) services.log.warn({ repositories: rows.map(({ id }) => id) }, 'took back interrupted creations of repositories');
}
