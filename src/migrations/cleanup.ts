import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import type { MigrationRow } from '../database/tables/migrations.ts';
import type { Events } from '../events/events.ts';
import { discardRepository, endMigration } from './migrations.ts';
import { SourceError } from './source/errors.ts';

/** Seconds for which an ended migration is shown, and the request of a failed one is retained. */
const SHOWN_FOR = 30 * 86_400;
const REPEATABLE_FOR = 7 * 86_400;

/** Fails a migration whose job is missing: it has crashed its process repeatedly, or an administrator deleted it. */
export async function giveUpIfLost(context: Context, { id, job_id: jobId }: MigrationRow): Promise<void> {
  if (jobId !== null && (await context.jobs.find(context, jobId))) return;
  await endMigration(context, id, 'failed', new SourceError('other', 'it was interrupted too often'));
  await discardRepository(context, id);
}

/** The regular task that ends lost migrations, and takes back repositories that a crash has left. */
export async function endLostMigrations(context: Context): Promise<void> {
  const active = await context.db.selectFrom('repository_migrations').selectAll().where('ended_at', 'is', null).orderBy('id').execute();
  for (const migration of active) await giveUpIfLost(context, migration);
  const left = await context.db
    .selectFrom('repositories')
    .innerJoin('repository_migrations as migrations', 'migrations.repository_id', 'repositories.id')
    .select(['migrations.id', 'migrations.job_id'])
    .where('repositories.state', '=', 'migrating')
    .where('migrations.ended_at', 'is not', null)
    .execute();
  for (const { id, job_id: jobId } of left)
    if (jobId === null || !(await context.jobs.find(context, jobId))) await discardRepository(context, id);
}

/** The regular task that forgets old migrations, and the credentials of those that failed some time ago. */
export async function expireMigrations({ db }: Context): Promise<void> {
  const time = now();
  await db
    .deleteFrom('repository_migrations')
    .where('ended_at', '<', time - SHOWN_FOR)
    .execute();
  await db
    .updateTable('repository_migrations')
    .set({ options: null })
    .where('ended_at', '<', time - REPEATABLE_FOR)
    .where('options', 'is not', null)
    .execute();
}

/** Ends the migrations to and of an account that is being purged. */
export async function endMigrationsOf({ userId }: Events['user.purging'], context: Context): Promise<void> {
  const rows = await context.db
    .selectFrom('repository_migrations')
    .select(['id', 'job_id'])
    .where((row) => row.or([row('owner_id', '=', userId), row('actor_id', '=', userId)]))
    .where('ended_at', 'is', null)
    .execute();
  for (const { id, job_id: jobId } of rows) {
    await endMigration(context, id, 'cancelled');
    if (jobId !== null) await context.jobs.cancel(context, jobId);
    await discardRepository(context, id);
  }
}
