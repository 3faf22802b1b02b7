import type { Repository } from '../access/find-repository.ts';
import { findUserById } from '../access/find-user.ts';
import { now } from '../clock.ts';
import { type Context, inTransaction } from '../context.ts';
import { DatabaseError } from '../database/errors.ts';
import { recordNotice } from '../database/notices.ts';
import type { User } from '../database/tables/accounts.ts';
import type { MigrationRow } from '../database/tables/migrations.ts';
import { requireRemoteAllowed } from '../http/outgoing/remote-url.ts';
import { StoppedError } from '../jobs/bounded.ts';
import type { JobRun } from '../jobs/job-work.ts';
import { importRepository } from '../mirrors/import.ts';
import { subjects } from '../processes/subjects.ts';
import { migrationError, recordedFailure } from './failure.ts';
import { bodyOf, discardRepository, endMigration, findMigration } from './migrations.ts';
import { type MigrationRequest, readRequest } from './request.ts';
import { SourceError } from './source/errors.ts';
import type { Source, SourceRepository } from './source/source.ts';
import { openSource } from './sources.ts';
import { bringLists, MigrationEndedError, saveCheckpoint } from './steps.ts';
import { finish } from './write/finish.ts';
import { People } from './write/people.ts';
import type { Target } from './write/run.ts';

/** A migration that has ended so many processes is given up. */
const MAX_ATTEMPTS = 5;
/** Migrations of one user that run at a time, in all processes. */
const MAX_RUNNING = 3;
/** Seconds until a migration looks again that had to wait for them. */
const BUSY_DELAY = 1;
/** Milliseconds until pages learn of progress: it is written once a second. */
const TELL_MS = 1500;

/** The job of a migration. It goes on from the checkpoint of the last attempt; a failure is recorded, and not tried again. */
export async function runMigration({ migrationId }: { migrationId: number }, context: Context, run: JobRun): Promise<void> {
  const migration = await findMigration(context.db, migrationId);
  if (migration?.ended_at === null) {
    if (await postponeIfBusy(context, migration)) return;
    try {
      if (run.attempt > MAX_ATTEMPTS) throw new SourceError('other', 'it was interrupted too often');
      await migrate(context, migration, followed(context, migrationId, run));
      return;
    } catch (error) {
      // The process stops, or the database is away: the next attempt goes on.
      if (run.signal.aborted && run.signal.reason instanceof StoppedError) throw error;
      if (error instanceof DatabaseError && run.attempt < MAX_ATTEMPTS) throw error;
      const isUnexpected = migrationError(error) === error && !run.signal.aborted && !(error instanceof MigrationEndedError);
      context.log[isUnexpected ? 'error' : 'info']({ migration: migrationId, err: error }, 'a migration failed');
      const failure = run.signal.aborted ? new SourceError('other', 'it took too long') : error;
      await endMigration(context, migrationId, 'failed', failure);
      const text = recordedFailure(failure).message;
      await recordNotice(context, { kind: 'migration', subject: `${migration.name} (${migration.service})`, text });
    }
  }
  await discardRepository(context, migrationId);
}

/** A run that notifies open pages of the migration after its progress is written. */
function followed({ wakeUps }: Context, migrationId: number, run: JobRun): JobRun {
  let isWaiting = false;
  const tell = () => {
    isWaiting = false;
    wakeUps.notify([subjects.migration(migrationId)]);
  };
  return {
    id: run.id,
    attempt: run.attempt,
    signal: run.signal,
    progress: (progress) => {
      run.progress(progress);
      if (!isWaiting) setTimeout(tell, TELL_MS).unref();
      isWaiting = true;
    },
  };
}

/**
 * Puts a migration back into the queue while others of the same user are running, so that one user does not keep all others waiting.
 * @returns whether it was put back
 */
async function postponeIfBusy(context: Context, { id, actor_id: actorId }: MigrationRow): Promise<boolean> {
  const running = await context.db
    .selectFrom('repository_migrations')
    .innerJoin('jobs', 'jobs.id', 'repository_migrations.job_id')
    .select('repository_migrations.id')
    .where('repository_migrations.actor_id', '=', actorId)
    .where('repository_migrations.ended_at', 'is', null)
    .where('repository_migrations.id', '<', id)
    .where('jobs.process_id', 'is not', null)
    .limit(MAX_RUNNING)
    .execute();
  if (running.length < MAX_RUNNING) return false;
  await inTransaction(context, async (context) => {
    const job_id = await context.jobs.add(context, 'repository.migrate', { migrationId: id }, { key: String(id), delay: BUSY_DELAY });
    await context.db.updateTable('repository_migrations').set({ job_id }).where('id', '=', id).execute();
  });
  return true;
}

async function migrate(context: Context, migration: MigrationRow, run: JobRun): Promise<void> {
  const body = bodyOf(context, migration);
  const actor = await findUserById(context.db, migration.actor_id);
  const started = await startedRepository(context, migration);
  if (!body || !actor || !started) throw new MigrationEndedError('the repository or user of the migration was deleted');
  const request = await readRequest(context, body);
  const source = await sourceOf(context, request, run);
  const info = await source.repository();
  await requireRemoteAllowed(context.settings, info.clone);
  const repository = migration.checkpoint.step === 'git' ? await bringGit(context, migration, started, request, info, run) : started;
  const target = targetOf({ ...context, actor }, repository, request, run);
  await bringLists(target, source, migration, body);
  run.progress({ text: 'end' });
  await finish(target, migration);
}

/** Marks the migration as running, and reads its repository. */
async function startedRepository({ db }: Context, { id, repository_id: repositoryId }: MigrationRow): Promise<Repository | undefined> {
  const started = { state: 'running' as const, started_at: now() };
  await db.updateTable('repository_migrations').set(started).where('id', '=', id).where('ended_at', 'is', null).execute();
  if (repositoryId === null) return undefined;
  const row = await db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', repositoryId)
    .where('state', '=', 'migrating')
    .executeTakeFirst();
  const owner: User | undefined = row && (await findUserById(db, row.owner_id));
  return row && owner && { ...row, owner };
}

function sourceOf({ settings, workers }: Context, { service, url, credentials, body }: MigrationRequest, run: JobRun): Promise<Source> {
  return openSource(service, {
    settings,
    workers,
    url,
    credentials,
    token: body.auth_token ?? '',
    awsKey: { id: body.aws_access_key_id ?? '', secret: body.aws_secret_access_key ?? '' },
    withIssues: body.issues ?? false,
    signal: run.signal,
    onWait: (until) => run.progress({ text: `the server limits its requests; waiting until ${until.toISOString()}` }),
  });
}

async function bringGit(
  context: Context,
  migration: MigrationRow,
  repository: Repository,
  { body, credentials, largeFiles, mirrorInterval }: MigrationRequest,
  info: SourceRepository,
  run: JobRun,
): Promise<Repository> {
  run.progress({ text: 'git' });
  const columns = await importRepository(context, repository, {
    source: info.clone,
    credentials,
    defaultBranch: info.defaultBranch,
    wiki: body.wiki ?? false,
    pulls: (body.pull_requests ?? false) && mirrorInterval === undefined,
    ...(largeFiles && { largeFiles }),
    ...(mirrorInterval !== undefined && { mirror: { interval: mirrorInterval } }),
    signal: run.signal,
    onProgress: (text) => run.progress({ text }),
  });
  const description = body.description || info.description;
  const row = await context.db
    .updateTable('repositories')
    .set({ ...columns, description })
    .where('id', '=', repository.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await saveCheckpoint(context, migration, { step: 'topics', cursor: '', lastId: 0, done: 0 });
  return { ...row, owner: repository.owner };
}

function targetOf(context: Context & { actor: User }, repository: Repository, { url }: MigrationRequest, run: JobRun): Target {
  const { maxSize } = context.settings.migrations;
  return {
    context,
    repository,
    people: new People(context, context.actor.id, url.url.startsWith(context.settings.server.rootUrl)),
    signal: run.signal,
    files: { left: maxSize < 0 ? Number.MAX_SAFE_INTEGER : maxSize },
    progress: (step, done) => run.progress({ text: step, done }),
  };
}
