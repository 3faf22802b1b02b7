import { sql } from 'kysely';
import { findUser } from '../access/find-user.ts';
import { signedInActor } from '../accounts/sign-in/actor.ts';
import type { Context } from '../context.ts';
import type { MigrationRow, MigrationStep } from '../database/tables/migrations.ts';
import { conflict, notFound } from '../http/errors.ts';
import type { Loader } from '../http/route.ts';
import { bodyOf } from './migrations.ts';
import { wantedSteps } from './steps.ts';

/** The migration in a path, which the caller started. */
export interface LoadedMigration {
  readonly migration: MigrationRow;
}

/**
 * The caller's latest migration to a repository of this name; undefined if that has succeeded, or if there is none.
 */
export async function findMigrationTo(context: Context, ownerName: string, name: string): Promise<MigrationRow | undefined> {
  const { actor, db } = context;
  const owner = actor && (await findUser(db, ownerName));
  if (!owner) return undefined;
  const latest = await db
    .selectFrom('repository_migrations')
    .selectAll()
    .where('actor_id', '=', actor.id)
    .where('owner_id', '=', owner.id)
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return latest?.state === 'finished' ? undefined : latest;
}

/** `:owner/:repo` of a repository that is being migrated, or could not be */
export const loadMigration: Loader<LoadedMigration> = async ({ owner = '', repo = '' }, context) => {
  const migration = await findMigrationTo(context, owner, repo);
  if (!migration) throw notFound();
  return { migration };
};

/** The steps that a migration takes, in their order. */
export function stepsOf(context: Pick<Context, 'secrets'>, migration: MigrationRow): MigrationStep[] {
  const body = bodyOf(context, migration);
  return body ? wantedSteps(body) : ['git'];
}

/**
 * Forgets a migration of the caller that failed or was cancelled, with its credentials, and those before it to the same name.
 * @throws HttpError 409 for one that is still running, or whose repository is still being removed
 */
export async function forgetMigration(context: Context, migration: MigrationRow): Promise<void> {
  if (migration.ended_at === null || migration.repository_id !== null) throw conflict('The migration has not ended yet.');
  await context.db
    .deleteFrom('repository_migrations')
    .where('actor_id', '=', signedInActor(context).id)
    .where('owner_id', '=', migration.owner_id)
    .where(sql`lower(name)`, '=', migration.name.toLowerCase())
    .where('id', '<=', migration.id)
    .where('state', 'in', ['failed', 'cancelled'])
    .where('repository_id', 'is', null)
    .execute();
}
