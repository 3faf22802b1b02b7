import { setTimeout as sleep } from 'node:timers/promises';
import { findRepository, type Repository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import type { MigrationRow } from '../database/tables/migrations.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { giveUpIfLost } from './cleanup.ts';
import { findMigration } from './migrations.ts';

/** Milliseconds between two looks at a migration: soon at first, since most are short. */
const FIRST_MS = 20;
const MOST_MS = 1000;

/**
 * Waits for the end of a migration, which goes on if the caller leaves.
 * @param signal aborted when nobody waits any more
 * @returns its repository
 * @throws HttpError why it failed
 */
export async function waitForMigration(context: Context, { id }: MigrationRow, signal: AbortSignal): Promise<Repository> {
  for (let delay = FIRST_MS; ; delay = Math.min(MOST_MS, delay * 1.5)) {
    await sleep(delay, undefined, { signal }).catch(() => {
      throw new HttpError(503, 'The migration goes on in the background.');
    });
    const migration = await findMigration(context.db, id);
    if (!migration) throw notFound();
    const hasFailed = migration.state === 'failed' || migration.state === 'cancelled';
    // Until its job has taken back the repository, the name is taken.
    if (migration.ended_at === null || (hasFailed && migration.repository_id !== null)) {
      if (delay === MOST_MS) await giveUpIfLost(context, migration);
      continue;
    }
    if (hasFailed) throw new HttpError(migration.error_status || 500, migration.error);
    const repository = migration.repository_id === null ? undefined : await findRepository(context.db, migration.repository_id);
    if (!repository) throw notFound();
    return repository;
  }
}
