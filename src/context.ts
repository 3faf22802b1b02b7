import type { CheckPassword } from './accounts/password-sign-in.ts';
import type { Passwords } from './accounts/passwords.ts';
import type { Semaphores } from './concurrency/semaphores.ts';
import { type Database, type Db, isDeadlock } from './database/database.ts';
import type { User } from './database/tables/accounts.ts';
import type { EventLog } from './events/event-log.ts';
import type { GitServices } from './git/services.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import type { TaskSchedule } from './jobs/schedule.ts';
import type { Logger } from './log.ts';
import type { RequestMetrics } from './metrics.ts';
import type { ProcessRegistry } from './processes/registry.ts';
import type { WakeUps } from './processes/wake-ups.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage/storage.ts';
import { addressKey } from './text/addresses.ts';
import type { WorkerPool } from './workers/pool.ts';

/** The parts of the running server. Built once in server.ts; everything else is handed what it needs. */
export interface Services {
  readonly settings: Settings;
  readonly database: Database;
  /** The running processes, of which this is one. */
  readonly processes: ProcessRegistry;
  /** How processes learn that there is work. */
  readonly wakeUps: WakeUps;
  readonly git: GitServices;
  readonly storage: Storage;
  /** Threads for what takes much processor time. */
  readonly workers: WorkerPool;
  readonly events: EventLog;
  readonly jobs: JobQueue;
  readonly schedule: TaskSchedule;
  readonly log: Logger;
  readonly secrets: Secrets;
  readonly passwords: Passwords;
  readonly checkPassword: CheckPassword;
  readonly metrics: RequestMetrics;
  readonly provided: Provided;
  readonly semaphores: Semaphores;
}

/**
 * What later features do for earlier ones, which must not import them. A feature declares what it asks for in its `provided.ts`; the
 * wiring refuses to start while nobody does it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the features fill it
export interface Provided {}

/** What a token, or a key that a token added, may be used for; null for a caller who may do all that the account may. */
export interface TokenGrant {
  /** The normalized scope, comma separated, as in the table of tokens. */
  readonly scope: string;
  /** Only what is public can be reached. */
  readonly publicOnly: boolean;
}

/** How the caller signed in. */
export interface SignIn {
  readonly method: 'anonymous' | 'password' | 'token' | 'oauth2' | 'signature' | 'proxy' | 'session' | 'internal';
  /** The credentials came in a basic authorization header. */
  readonly basic: boolean;
  readonly token: TokenGrant | null;
}

/**
 * What every rule is called with: the services, the connection or transaction to use, and who is asking.
 * `inTransaction` hands on a context whose `db` is the transaction.
 */
export interface Context extends Services {
  readonly db: Db;
  /** Who is asking; null when nobody signed in. */
  readonly doer: User | null;
  readonly signIn: SignIn;
  readonly requestId: string;
  /** The client's IP address; empty where the server acts by itself. */
  readonly address: string;
  /** Present inside a transaction: what to do once it has been committed. */
  readonly afterCommit?: (() => void)[];
  /** Present inside a transaction: what to do in it when everything else has been done. */
  readonly beforeCommit?: (() => Promise<void>)[];
}

const ANONYMOUS: SignIn = { method: 'anonymous', basic: false, token: null };
const INTERNAL: SignIn = { method: 'internal', basic: false, token: null };

/** A context for a caller who has not (yet) signed in. */
export function anonymousContext(services: Services, requestId: string, address = ''): Context {
  return { ...services, db: services.database.db, doer: null, signIn: ANONYMOUS, requestId, address };
}

/** A context for work that the server does on behalf of a user, or of itself. */
export function internalContext(services: Services, doer: User | null = null): Context {
  return { ...services, db: services.database.db, doer, signIn: INTERNAL, requestId: '', address: '' };
}

/** Whom limits by caller count a request for: the user, or the network of who did not sign in. */
export function callerKey({ doer, address }: Pick<Context, 'doer' | 'address'>): string {
  return doer ? `user ${doer.id}` : `address ${addressKey(address)}`;
}

/** The same transaction, for what the server does in it by itself, whoever asked for the change. */
export function asInternal(context: Context): Context {
  return { ...context, doer: null, signIn: INTERNAL, requestId: '' };
}

/** How often a change that the database gave up for the sake of another is made anew. */
const MAX_ATTEMPTS = 5;

/**
 * Runs a change as one transaction. Inside another one it becomes part of that.
 * What was handed to {@link afterCommit} runs when the outermost has been committed. Of two changes that wait for each
 * other the database undoes one: that one begins again, so a change does nothing outside of the database that could not be done twice.
 */
export async function inTransaction<R>(context: Context, change: (context: Context) => Promise<R>): Promise<R> {
  if (context.afterCommit) return change(context);
  for (let attempt = 1; ; attempt++) {
    const afterwards: (() => void)[] = [];
    const beforehand: (() => Promise<void>)[] = [];
    try {
      const result = await context.db.transaction().execute(async (db) => {
        const changed = await change({ ...context, db, afterCommit: afterwards, beforeCommit: beforehand });
        for (const action of beforehand) await action();
        return changed;
      });
      for (const action of afterwards) action();
      return result;
    } catch (error) {
      if (!isDeadlock(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/**
 * Runs `action` in the transaction of this context when everything else in it has been done; at once outside of one. It sees what will
 * be committed, and by throwing refuses that.
 */
export async function beforeCommit(context: Context, action: () => Promise<void>): Promise<void> {
  if (context.beforeCommit) context.beforeCommit.push(action);
  else await action();
}

/** Runs `action` once the transaction of this context has been committed; at once outside of one. */
export function afterCommit(context: Context, action: () => void): void {
  if (context.afterCommit) context.afterCommit.push(action);
  else action();
}
