import type { FastifyInstance } from 'fastify';
import { admissionOf } from './access/admission.ts';
import { ensureAdministrator } from './accounts/ensure-administrator.ts';
import { ensureDefaultApplications } from './accounts/oauth2/default-applications.ts';
import { createPasswordCheck } from './accounts/password-sign-in.ts';
import { createPasswords } from './accounts/passwords.ts';
import { createThrottle } from './accounts/throttle.ts';
import { withActs } from './audit/admission.ts';
import { HeldStorage } from './backup/hold/held-storage.ts';
import { followRemovals } from './code/follow-removals.ts';
import { sweepAfterProcesses, sweepStorage } from './code/sweep.ts';
import { createSemaphores } from './concurrency/semaphores.ts';
import { internalContext, type Services } from './context.ts';
import { prepareDataFolders, volumePlaces } from './data-folders.ts';
import { openDatabase } from './database/database.ts';
import { lockFolder } from './database/folder-lock.ts';
import { databaseOptions } from './database/from-settings.ts';
import type { SchemaMigration } from './database/migrations/schema-kit.ts';
import { openReplica } from './database/open-replica.ts';
import type { ProcessRole } from './database/tables/platform.ts';
import { EventLog } from './events/event-log.ts';
import type { Listening } from './feature.ts';
import { allRoutes, features } from './features.ts';
import { checkGit } from './git/processes/version.ts';
import { createGitServices } from './git/services.ts';
import { buildApp } from './http/server/app.ts';
import { drain } from './http/server/drain.ts';
import { listen } from './http/server/listen.ts';
import { refuseUnfinishedImport } from './import/unfinished.ts';
import { COPSE_VERSION } from './instance/version.ts';
import { JobQueue } from './jobs/job-queue.ts';
import { TaskSchedule } from './jobs/schedule.ts';
import { AccessLog } from './log/access.ts';
import { createLogger, type Logger } from './log.ts';
import { cacheBudget } from './markup/text-caches.ts';
import { Metrics } from './metrics/metrics.ts';
import { countQueries } from './monitoring/queries.ts';
import { migrateWhenAlone } from './processes/migrate-when-alone.ts';
import { Recovery } from './processes/recovery.ts';
import { ProcessRegistry } from './processes/registry.ts';
import { MoveWatch } from './processes/repository-moves.ts';
import { WakeUps } from './processes/wake-ups.ts';
import { prepareVolumes } from './repositories/volumes/prepare.ts';
import { watchVolumes } from './repositories/volumes/watch.ts';
import { openSecrets } from './secrets.ts';
import { type Settings, withListeningPort } from './settings.ts';
import { openStorage } from './storage/open.ts';
import { notFoundPage } from './web/not-found.ts';
import { wire } from './wiring.ts';
import { WorkerPool } from './workers/pool.ts';

/** A running server. */
export interface Server {
  readonly services: Services;
  /** Where it listens, with a slash at the end. */
  readonly url: string;
  /** Finishes what is under way and stops. */
  close(): Promise<void>;
}

/** Builds the parts without serving: what the command line works with. */
export async function openServices(
  settings: Settings,
  log: Logger = createLogger(settings.log),
  role: ProcessRole = 'command',
  migrations?: readonly SchemaMigration[],
): Promise<Services> {
  prepareDataFolders(settings);
  const metrics = new Metrics();
  const onQuery = countQueries(metrics);
  const caches = cacheBudget(settings);
  const database = await openDatabase({ ...databaseOptions(settings), log, onQuery, caches, ...(migrations && { migrations }) });
  await prepareVolumes(database, volumePlaces(settings));
  const secrets = openSecrets(settings);
  const passwords = createPasswords(settings.passwords, secrets);
  const events = new EventLog();
  const jobs = new JobQueue();
  const schedule = new TaskSchedule();
  const provided = wire(features, { events, jobs, schedule });
  const processes = await ProcessRegistry.open(database, { role, version: COPSE_VERSION, log });
  await database.requireCompatible().catch(async (error: unknown) => {
    await processes.close();
    await database.close();
    throw error;
  });
  const wakeUps = await openWakeUps(settings, log);
  const git = createGitServices(volumePlaces(settings), processes.id, {
    maxProcesses: settings.git.processes,
    cacheBytes: settings.git.objectCache,
    cacheBudget: caches,
  });
  const moves = git.volumes.all.length > 1 ? await MoveWatch.start({ database, processes, wakeUps, git, log }) : undefined;
  return {
    settings,
    database,
    replica: await openReplica(settings, database.db, metrics, log),
    processes,
    wakeUps,
    git,
    moves,
    storage: new HeldStorage(await openStorage(settings, metrics), database),
    workers: new WorkerPool(),
    events,
    jobs,
    schedule,
    log,
    accessLog: role === 'server' ? AccessLog.open(settings.log) : undefined,
    secrets,
    passwords,
    checkPassword: createPasswordCheck(passwords, createThrottle(settings.throttle, database), secrets),
    metrics,
    provided,
    semaphores: createSemaphores(settings),
    caches,
  };
}

async function openWakeUps({ database: { url, directUrl, connectTimeout } }: Settings, log: Logger): Promise<WakeUps> {
  return url ? WakeUps.onPostgres({ url: directUrl ?? url, connectTimeout, log }) : new WakeUps();
}

/** Closes what {@link openServices} opened. */
export async function closeServices(services: Services): Promise<void> {
  await Promise.all([services.schedule.stop(), services.events.stop(), services.jobs.stop()]);
  await services.workers.close();
  await services.moves?.close();
  await services.git.pool.close();
  await services.wakeUps.close();
  await services.git.volumes.close();
  await services.processes.close();
  await services.replica?.close();
  await services.database.close();
  services.accessLog?.close();
}

/** Options of {@link startServer}. */
export interface StartOptions {
  /** Of the database; those of this program, when left out. */
  readonly migrations?: readonly SchemaMigration[];
  /** Called right before the first request can come. */
  readonly beforeListening?: () => void;
}

/** Starts a server: it serves requests when this resolves. */
export async function startServer(settings: Settings, log?: Logger, options: StartOptions = {}): Promise<Server> {
  await checkGit();
  prepareDataFolders(settings);
  // PostgreSQL may have several servers; SQLite is for one.
  const release = settings.database.url ? () => {} : await lockFolder(settings.server.dataDir);
  try {
    const services = await openServices(settings, log, 'server', options.migrations);
    try {
      return await serve(services, release, options);
    } catch (error) {
      await closeServices(services);
      throw error;
    }
  } catch (error) {
    release();
    throw error;
  }
}

async function serve(services: Services, release: () => void, { beforeListening }: StartOptions): Promise<Server> {
  const { settings } = services;
  await refuseUnfinishedImport(services.database.db);
  await ensureAdministrator(services);
  await ensureDefaultApplications(internalContext(services));
  // What refs have moved is found out before others move them.
  const recovery = new Recovery(services, features);
  await recovery.run();
  services.events.start(services);
  services.jobs.start(services);
  services.schedule.start(services);
  const app = buildApp(services, allRoutes, withActs(admissionOf), notFoundPage);
  beforeListening?.();
  await listen(app, settings);
  followRemovals(services);
  watchVolumes(services);
  const sweep = new Recovery(services, [
    { name: 'leftovers', recover: sweepAfterProcesses },
    { name: 'unfinished blobs', recover: sweepStorage },
  ]);
  void sweep.run();
  const bound = app.server.address();
  // The root URL follows the port, which is known only now if a free one was requested.
  if (typeof bound === 'object' && bound) Object.assign(services, { settings: withListeningPort(settings, bound.port) });
  const others = await listenBeside(services, app);
  const stopMigrating = migrateWhenAlone(services);
  const { host, port } = services.settings.server;
  return {
    services,
    url: `${settings.server.tlsCertificate ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}/`,
    close: async () => {
      stopMigrating();
      services.wakeUps.wakeHere('stop');
      const ended = Promise.all(others.map((other) => other.close()));
      await stop(app, services, [recovery, sweep], ended);
      release();
    },
  };
}

/**
 * Begins to serve what is not HTTP.
 * @throws StartError when one cannot
 */
async function listenBeside(services: Services, app: FastifyInstance): Promise<Listening[]> {
  const listening: Listening[] = [];
  try {
    for (const { listen } of features) {
      const other = await listen?.(services);
      if (other) listening.push(other);
    }
    return listening;
  } catch (error) {
    await Promise.all([app.close(), ...listening.map((other) => other.close())]);
    throw error;
  }
}

/** How often a server that stops looks for connections whose responses have ended. */
const IDLE_CHECK_MS = 20;

/** Lets clients leave, takes no new requests, lets those under way finish for as long as the settings allow, then closes the parts. */
async function stop(app: FastifyInstance, services: Services, recoveries: readonly Recovery[], others: Promise<unknown>): Promise<void> {
  const { shutdownTimeout, drainTimeout } = services.settings.server;
  services.processes.startDraining();
  await drain(app, drainTimeout);
  const cut = setTimeout(() => app.server.closeAllConnections(), shutdownTimeout).unref();
  // Node closes the connections that are idle when it begins; those whose responses end later would stay open until the cut.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS).unref();
  try {
    await app.close();
    await others;
  } finally {
    clearTimeout(cut);
    clearInterval(idle);
    await Promise.all(recoveries.map((recovery) => recovery.stop()));
    await closeServices(services);
  }
}
