import type { CheckPassword, Passwords } from './accounts/password-services.ts';
import type { CacheBudget } from './caches/budget.ts';
import { RankedActions } from './concurrency/ranked-actions.ts';
import type { Semaphores } from './concurrency/semaphores.ts';
import { type Database, type Db, isDeadlock } from './database/database.ts';
import type { Replica, ReplicaReads } from './database/replica.ts';
import type { User } from './database/tables/accounts.ts';
import type { Events, EventType, StoredEvent } from './events/events.ts';
import type { GitServices } from './git/services.ts';
import type { JobStatus, Jobs, JobType } from './jobs/jobs.ts';
import type { ScheduledTask, TaskName } from './jobs/tasks.ts';
import type { AccessLog } from './log/access.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { ProcessRegistry } from './processes/registry.ts';
import type { MoveWatch } from './processes/repository-moves.ts';
import type { WakeUps } from './processes/wake-ups.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';
import { ANONYMOUS, INTERNAL, type SignIn } from './sign-in.ts';
import type { Storage } from './storage/storage.ts';
import { addressKey } from './text/ip-addresses.ts';
import { traced } from './tracing/operations.ts';
import type { WorkerPool } from './workers/pool.ts';

export type { JobGrant, SignIn, TokenGrant } from './sign-in.ts';

/** Handles an event; `concerns` says when the event is emitted whether it is for this handler. */
export interface EventHandler<T extends EventType> {
  (event: StoredEvent<T>, context: Context): Promise<void>;
  readonly concerns?: (payload: Events[T], context: Context) => boolean | Promise<boolean>;
}

/** Events: written in the transaction of the change, delivered to subscribers afterwards (`events/event-log.ts`). */
export interface EventService {
  /** Subscribes under a name that stays the same over restarts. Earlier events are not delivered to it. */
  on<T extends EventType>(type: T, name: string, handle: EventHandler<T>): void;
  /**
   * Runs `handle` inside the transaction that emits, before `emit` returns: for what has to happen together with the change. By throwing it
   * refuses the change.
   */
  within<T extends EventType>(type: T, handle: (payload: Events[T], context: Context) => Promise<void>): void;
  /** Begins to hand on events, those left from before first. */
  start(services: Services): void;
  /** Writes an event as part of the context's transaction. */
  emit<T extends EventType>(context: Context, type: T, payload: Events[T]): Promise<void>;
  /** Resolves when everything that is due has been delivered, except what other processes deliver. */
  settled(): Promise<void>;
  /**
   * Resolves when a subscriber has got all events that are waiting for it now, so that callers find their own changes in what it writes;
   * after so many milliseconds at the latest. Events that failed and are retried later are not waited for.
   */
  caughtUp(context: Pick<Context, 'db'>, subscriber: string, milliseconds: number): Promise<void>;
  /** Hands on nothing more; what is under way may finish for some seconds. */
  stop(): Promise<void>;
}

/** Durable background work, written with the change that wants it (`jobs/job-queue.ts`). */
export interface JobService {
  /** Begins to work. */
  start(services: Services): void;
  /**
   * Queues a job as part of the context's transaction. Returns its id, or the id of the job that already stands for it.
   * @param options.key a job of this type and key that waits already stands for this one too; of one key, one is done at a time
   * @param options.delay seconds to wait first
   */
  add<T extends JobType>(context: Context, type: T, payload: Jobs[T], options?: { key?: string; delay?: number }): Promise<number>;
  /** The state of a job; undefined when it is done, given up or cancelled. */
  find(context: Context, id: number): Promise<JobStatus | undefined>;
  /** Cancels a job: one that waits is removed, one that is being done is aborted. Returns whether there was such a job. */
  cancel(context: Context, id: number): Promise<boolean>;
  /** Resolves when no job is due or under way, other than in other processes. */
  settled(): Promise<void>;
  /** Takes no more jobs. Those under way may finish for some seconds, then they are aborted and given back. */
  stop(): Promise<void>;
}

/** What is done for a regular task. Its signal is aborted when the task takes too long or this process stops. */
export type TaskWork = (context: Context, signal: AbortSignal) => Promise<unknown>;

/** The regular tasks (`jobs/schedule.ts`). */
export interface ScheduleService {
  /** Says what is done for a task; several features may have a part in one. Called before `start`. */
  work(name: TaskName, work: TaskWork): void;
  /** Begins to look at the clock. */
  start(services: Services): void;
  /** Begins no more tasks, and aborts those under way: they begin again the next time they are due. */
  stop(): Promise<void>;
  /** Runs a task now, unless it is under way. Resolves when it is done. */
  run(services: Services, name: TaskName): Promise<void>;
  /** Every task, in a fixed order. */
  list(services: Services): Promise<ScheduledTask[]>;
}

/** The parts of the running server. Built once in server.ts; everything else gets what it needs as arguments. */
export interface Services {
  readonly settings: Settings;
  readonly database: Database;
  /** A read replica of the database; undefined where there is none. */
  readonly replica: Replica | undefined;
  /** The running processes, of which this is one. */
  readonly processes: ProcessRegistry;
  readonly wakeUps: WakeUps;
  readonly git: GitServices;
  /** How this process follows moves of repositories between volumes; undefined where there is one volume. */
  readonly moves: MoveWatch | undefined;
  readonly storage: Storage;
  readonly workers: WorkerPool;
  readonly events: EventService;
  readonly jobs: JobService;
  readonly schedule: ScheduleService;
  readonly log: Logger;
  readonly accessLog: AccessLog | undefined;
  readonly secrets: Secrets;
  readonly passwords: Passwords;
  readonly checkPassword: CheckPassword;
  readonly metrics: Metrics;
  readonly provided: Provided;
  readonly semaphores: Semaphores;
  /** What the caches of this process share. */
  readonly caches: CacheBudget;
}

/**
 * What later features do for earlier ones, which must not import them. A feature declares what it needs in its `provided.ts`; the wiring
 * refuses to start while no feature provides it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the features fill it
export interface Provided {}

/** What an act is done to. */
export interface ActObject {
  readonly type: 'user' | 'organization' | 'team' | 'repository' | 'package' | 'instance';
  readonly id: number | null;
  /** As it is at that moment: `owner/name` of a repository, `organization/team`. */
  readonly name: string;
  /** The account that it belongs to; an account is its own owner. */
  readonly ownerId: number | null;
}

/** What a request does that the audit log records (`audit/act.ts`). */
export interface Act {
  /** Takes who acts, where the route itself finds that out. */
  by(actor: User): void;
  /** Takes what the path names, where the handler loads it. */
  found(loaded: unknown): void;
  /** Takes the body or the form of the request. */
  read(body: unknown): void;
  /** Takes what is acted on, where the path does not name it. */
  about(object: ActObject): void;
  /** Writes its entry in the context's transaction, unless an earlier transaction of the request has. */
  write(context: Context): Promise<void>;
  /** The transaction of the entry was committed. */
  committed(): void;
  /** Runs the handler of the route, and sees to it that what it does has its entry. */
  around<R>(context: Context, handle: (context: Context) => Promise<R>): Promise<R>;
}

/**
 * What every rule is called with: the services, the connection or transaction to use, and who is asking.
 * `inTransaction` hands on a context whose `db` is the transaction.
 */
export interface Context extends Services {
  readonly db: Db;
  /** Present while `db` reads from a replica. */
  readonly reads?: ReplicaReads;
  /** Who is asking; null when nobody signed in. */
  readonly actor: User | null;
  readonly signIn: SignIn;
  readonly requestId: string;
  /** The client's IP address; empty where the server acts by itself. */
  readonly address: string;
  /** What the request does, for the audit log; each transaction may have its entry. */
  readonly act?: Act | undefined;
  /** Present inside a transaction: what to do once it has been committed. */
  readonly afterCommit?: (() => void)[];
  /** Present inside a transaction: what to do in it when everything else has been done. */
  readonly beforeCommit?: RankedActions;
}

/** A context for a caller who has not (yet) signed in. */
export function anonymousContext(services: Services, requestId: string, address = ''): Context {
  return { ...services, db: services.database.db, actor: null, signIn: ANONYMOUS, requestId, address };
}

/** A context for work that the server does on behalf of a user, or of itself. */
export function internalContext(services: Services, actor: User | null = null): Context {
  return { ...services, db: services.database.db, actor, signIn: INTERNAL, requestId: '', address: '' };
}

/** Whom limits by caller count a request for: the user, or the network of who did not sign in. */
export function callerKey({ actor, address, signIn }: Pick<Context, 'actor' | 'address'> & Partial<Pick<Context, 'signIn'>>): string {
  // All jobs act as one account.
  if (signIn?.job) return `job ${signIn.job.taskId}`;
  return actor ? `user ${actor.id}` : `address ${addressKey(address)}`;
}

/** The same transaction, for what the server does in it on its own, regardless of the caller. */
export function asInternal(context: Context): Context {
  return { ...context, actor: null, signIn: INTERNAL, requestId: '' };
}

/** How often a change is retried that the database rolled back in a deadlock. */
const MAX_ATTEMPTS = 5;

/**
 * Runs a change as one transaction. Inside another one it becomes part of that. The callbacks of {@link afterCommit} run when the outermost
 * has been committed. In a deadlock the database rolls one transaction back, and it is run again: so a change does nothing outside of the
 * database that could not be done twice.
 */
export async function inTransaction<R>(context: Context, change: (context: Context) => Promise<R>): Promise<R> {
  if (context.afterCommit) return change(context);
  for (let attempt = 1; ; attempt++) {
    const afterwards: (() => void)[] = [];
    const beforehand = new RankedActions();
    try {
      context.reads?.usePrimary();
      const result = await traced('transaction', {}, () =>
        (context.reads ? context.database.db : context.db).transaction().execute(async (db) => {
          const changed = await change({ ...context, db, afterCommit: afterwards, beforeCommit: beforehand });
          await beforehand.runAll();
          await context.act?.write({ ...context, db });
          return changed;
        }),
      );
      context.act?.committed();
      context.metrics.count('copse_database_transactions_total', 'result="committed"');
      for (const action of afterwards) action();
      return result;
    } catch (error) {
      context.metrics.count('copse_database_transactions_total', 'result="rolled back"');
      if (!isDeadlock(error) || attempt === MAX_ATTEMPTS) throw error;
      context.metrics.count('copse_database_retries_total');
    }
  }
}

/**
 * Runs `action` in the transaction of this context when everything else in it has been done; at once outside of one. It sees what will
 * be committed, and by throwing refuses that. Actions of a lower rank run first.
 */
export async function beforeCommit(context: Context, action: () => Promise<void>, rank = 0): Promise<void> {
  return context.beforeCommit ? context.beforeCommit.add(action, rank) : await action();
}

/** Runs `action` once the transaction of this context has been committed; at once outside of one. */
export function afterCommit(context: Context, action: () => void): void {
  if (context.afterCommit) context.afterCommit.push(action);
  else action();
}
