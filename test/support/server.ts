import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUser } from '../../src/accounts/create.ts';
import { now } from '../../src/clock.ts';
import { type Context, internalContext, type Services } from '../../src/context.ts';
import type { User } from '../../src/database/tables/accounts.ts';
import { createLogger } from '../../src/log.ts';
import { type Server, startServer } from '../../src/server.ts';
import { afterwards } from './afterwards.ts';
import { Client } from './client.ts';
import { newDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { type SettingsOverrides, testSettings } from './settings.ts';

/** The password of every account that tests make. */
export const PASSWORD = 'Test-Passw0rd';

/** A server of a test's own, with what tests need around it. */
export interface TestServer {
  readonly server: Server;
  readonly url: string;
  /** A context of the server's own, for looking at or preparing the database directly. */
  readonly context: Context;
  /** A scratch folder that goes with the server. */
  readonly folder: string;
  /** Nobody. */
  readonly anonymous: Client;
  /** A site administrator. */
  readonly admin: Client;
  /** Makes an account (name as given) and returns a client that signs in as it. */
  user(name: string, columns?: Partial<User>): Promise<Client>;
  /** Resolves when every event has been handed on and every due job is done. */
  settled(): Promise<void>;
  /** Stops and starts again on the same data. */
  restart(): Promise<void>;
}

/**
 * Starts a server for the tests of a file; it is stopped and removed after them. The database is SQLite, or a new one on the
 * PostgreSQL server of `COPSE_TEST_DATABASE_URL`.
 */
export async function testServer(overrides: SettingsOverrides = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'copse-test-'));
  await mkdir(join(folder, 'data'), { recursive: true });
  const database = await newDatabase(join(folder, 'data', 'copse.db'));
  const settings = testSettings({
    ...overrides,
    server: { dataDir: join(folder, 'data'), port: 0, ...overrides.server },
    database: { ...(database.url && { url: database.url }), ...overrides.database },
    log: { level: 'silent', ...overrides.log },
  });
  const log = createLogger(settings.log);
  let started: Server | undefined = await startServer(settings, log);
  const server = () => {
    if (!started) throw new Error('the test server has been removed');
    return started;
  };
  const context = () => internalContext(server().services);
  const user = async (name: string, columns: Partial<User> = {}) => {
    const { full_name, email, ...rest } = columns;
    const account = { name, email: email ?? `${name}@example.com`, fullName: full_name ?? '', password: PASSWORD, columns: rest };
    await createUser(context(), account);
    return new Client(() => server().url, { name, password: PASSWORD });
  };
  const admin = await user('admin', { is_admin: true, is_active: true });
  afterwards(async () => {
    await server().close();
    // Node keeps the modules of every test file of a process, which would keep their servers of 10 MB each.
    started = undefined;
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    get server() {
      return server();
    },
    get url() {
      return server().url;
    },
    get context() {
      return context();
    },
    folder,
    anonymous: new Client(() => server().url),
    admin,
    user,
    settled: () => eventually(() => isSettled(server().services), 'the end of all that is due'),
    restart: async () => {
      await server().close();
      started = await startServer(settings, log);
    },
  };
}

/** Waits for what is under way; returns whether that has led to nothing more: events lead to jobs, and these to events. */
async function isSettled({ events, jobs, database: { db } }: Services): Promise<boolean> {
  await events.settled();
  await jobs.settled();
  const time = now();
  const delivery = db.selectFrom('event_deliveries').select('event_id').where('due_at', '<=', time).limit(1);
  const job = db.selectFrom('jobs').select('id').where('due_at', '<=', time).limit(1);
  return !(await delivery.executeTakeFirst()) && !(await job.executeTakeFirst());
}
