import { findUserById } from '../access/find-user.ts';
import { signedInActor } from '../accounts/sign-in/actor.ts';
import { now } from '../clock.ts';
import { afterCommit, type Context, inTransaction } from '../context.ts';
import type { Db } from '../database/database.ts';
import type { MigrationCheckpoint, MigrationRow, MigrationState } from '../database/tables/migrations.ts';
import { conflict, notFound, unprocessable } from '../http/errors.ts';
import type { Page } from '../http/paging.ts';
import { subjects } from '../processes/subjects.ts';
import { addMigratingRepository } from '../repositories/create.ts';
import { removeUnfinished } from '../repositories/remove-unfinished.ts';
import { recordedFailure } from './failure.ts';
import { checkRequest, type MigrationBody } from './request.ts';

/** Migrations that somebody may have waiting and running. */
const MAX_ACTIVE = 20;
const FIRST: MigrationCheckpoint = { step: 'git', cursor: '', lastId: 0, done: 0 };

/**
 * Begins a migration: the name of the repository is taken from then on, and a job brings over the rest.
 * @throws HttpError 403, 409, 422 for a request that cannot be done
 */
export async function startMigration(context: Context, body: MigrationBody): Promise<MigrationRow> {
  const actor = signedInActor(context);
  const { owner, request } = await checkRequest(context, body);
  const { service, url } = request;
  return inTransaction(context, async (context) => {
    const { db } = context;
    const { active } = await db
      .selectFrom('repository_migrations')
      .select((select) => select.fn.countAll<number>().as('active'))
      .where('actor_id', '=', actor.id)
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (Number(active) >= MAX_ACTIVE) throw unprocessable(`You have ${MAX_ACTIVE} migrations in progress; wait for one of them to end.`);
    const repository = await addMigratingRepository(context, owner, {
      name: body.repo_name,
      description: body.description ?? '',
      isPrivate: body.private ?? false,
      kind: body.mirror ? 'mirror' : 'plain',
      columns: { original_url: url.url, original_service: service, is_mirror: body.mirror ?? false },
    });
    const { id } = await db
      .insertInto('repository_migrations')
      .values({
        actor_id: actor.id,
        owner_id: owner.id,
        repository_id: repository.id,
        name: body.repo_name,
        service,
        clone_url: url.url,
        options: sealBody(context, body),
        state: 'waiting',
        checkpoint: JSON.stringify(FIRST),
        job_id: null,
        created_at: now(),
        started_at: null,
        ended_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const jobId = await context.jobs.add(context, 'repository.migrate', { migrationId: id }, { key: String(id) });
    return db.updateTable('repository_migrations').set({ job_id: jobId }).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
  });
}

const PURPOSE = 'options of a migration';

function sealBody({ secrets }: Context, body: MigrationBody): string {
  return secrets.encrypt(JSON.stringify(body), PURPOSE);
}

/** The request of a migration; undefined once it is deleted. */
export function bodyOf({ secrets }: Pick<Context, 'secrets'>, { options }: MigrationRow): MigrationBody | undefined {
  return options === null ? undefined : (JSON.parse(secrets.decrypt(options, PURPOSE).toString('utf8')) as MigrationBody);
}

/** The migrations that the caller started, latest first. */
export async function listMigrations(context: Context, page: Page): Promise<{ migrations: MigrationRow[]; total: number }> {
  const own = context.db.selectFrom('repository_migrations').where('actor_id', '=', signedInActor(context).id);
  const { total } = await own.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const migrations = await own.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute();
  return { migrations, total: Number(total) };
}

/**
 * A migration that the caller started.
 * @throws HttpError 404
 */
export async function getMigration(context: Context, id: number): Promise<MigrationRow> {
  const row = await findMigration(context.db, id);
  if (row?.actor_id !== signedInActor(context).id) throw notFound();
  return row;
}

/** The migration with this id. */
export async function findMigration(db: Db, id: number): Promise<MigrationRow | undefined> {
  return db.selectFrom('repository_migrations').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Cancels a migration. Nothing remains of its repository; while its job runs, that removes it.
 * @throws HttpError 409 for one that has ended
 */
export async function cancelMigration(context: Context, { id, job_id: jobId }: MigrationRow): Promise<void> {
  if (!(await endMigration(context, id, 'cancelled'))) throw conflict('The migration has ended.');
  const job = jobId === null ? undefined : await context.jobs.find(context, jobId);
  if (job) await context.jobs.cancel(context, job.id);
  if (!job?.isRunning) await discardRepository(context, id);
}

/**
 * Begins a migration again that failed or was cancelled, as a new one.
 * @throws HttpError 409 for one that has not, and when the request is no longer known; else as {@link startMigration}
 */
export async function retryMigration(context: Context, migration: MigrationRow): Promise<MigrationRow> {
  if (migration.state !== 'failed' && migration.state !== 'cancelled') throw conflict('The migration has not failed.');
  const body = bodyOf(context, migration);
  const owner = body && (await findUserById(context.db, migration.owner_id));
  if (!owner) throw conflict('The migration is too old to begin again.');
  // The owner may have another name by now.
  return startMigration(context, { ...body, repo_owner: owner.name });
}

/**
 * Ends a migration without success. What its job still does comes to nothing; {@link discardRepository} takes back the repository.
 * @returns false if it had ended already
 */
export async function endMigration(
  context: Context,
  id: number,
  state: Extract<MigrationState, 'failed' | 'cancelled'>,
  error?: unknown,
): Promise<boolean> {
  const failure = state === 'failed' ? recordedFailure(error) : { status: 422, message: 'The migration was cancelled.' };
  const { numUpdatedRows } = await context.db
    .updateTable('repository_migrations')
    .set({ state, error: failure.message, error_status: failure.status, ended_at: now() })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) afterCommit(context, () => context.wakeUps.notify([subjects.migration(id)]));
  return numUpdatedRows > 0n;
}

/** Takes back the repository of a migration that has ended without success: its name is free again. */
export async function discardRepository(context: Context, id: number): Promise<void> {
  const row = await findMigration(context.db, id);
  if (row?.repository_id == null || (row.state !== 'failed' && row.state !== 'cancelled')) return;
  await removeUnfinished(context, row.repository_id, row.owner_id);
}
