import { findUsersById } from '../access/find-user.ts';
import type { Context } from '../context.ts';
import type { MigrationRow } from '../database/tables/migrations.ts';
import { only } from '../http/only.ts';
import { type Shape, wireTime } from '../http/schema.ts';
import type { Progress } from '../jobs/jobs.ts';
import type { RepositoryMigration } from './schema.ts';

type Wire = Shape<typeof RepositoryMigration>;

/** A migration on the wire. */
export async function presentMigration(context: Context, migration: MigrationRow): Promise<Wire> {
  return only(await presentMigrations(context, [migration]));
}

/** {@link presentMigration} for a list, in as many queries as for one. */
export async function presentMigrations(context: Context, migrations: readonly MigrationRow[]): Promise<Wire[]> {
  const owners = await findUsersById(
    context.db,
    migrations.map(({ owner_id: id }) => id),
  );
  const texts = await progressOf(context, migrations);
  return migrations.map((migration) => ({
    id: migration.id,
    clone_addr: migration.clone_url,
    service: migration.service,
    owner: owners.get(migration.owner_id)?.name ?? '',
    repo_name: migration.name,
    repo_id: migration.state === 'failed' || migration.state === 'cancelled' ? null : migration.repository_id,
    status: migration.state,
    step: migration.checkpoint.step,
    done: migration.checkpoint.done,
    message: migration.ended_at === null ? (texts.get(migration.job_id ?? 0) ?? '') : migration.error,
    created_at: wireTime(migration.created_at),
    started_at: migration.started_at === null ? null : wireTime(migration.started_at),
    ended_at: migration.ended_at === null ? null : wireTime(migration.ended_at),
  }));
}

/** The progress of migration jobs, by the id of the job. */
async function progressOf({ db }: Context, migrations: readonly MigrationRow[]): Promise<Map<number, string>> {
  const ids = migrations.flatMap(({ job_id: id, ended_at: endedAt }) => (id === null || endedAt !== null ? [] : [id]));
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('jobs').select(['id', 'progress']).where('id', 'in', ids).execute();
  return new Map(
    rows.map(({ id, progress }) => {
      const { text = '', done } = (progress ?? {}) as Progress;
      return [id, done === undefined ? text : `${text}: ${done}`];
    }),
  );
}
