import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { endWithProcess } from '../../support/end-with-process.ts';
import { freePorts } from '../../support/free-ports.ts';

const CONFIG = join(import.meta.dirname, '../../../ops/pgbouncer/pgbouncer.ini');

/** A running PgBouncer. */
export interface Pooler {
  /** The database through it. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts PgBouncer with the configuration in `ops/`, in which only addresses and passwords are replaced. */
export async function startPooler(database: string, folder: string): Promise<Pooler> {
  const [port = 0] = await freePorts(1);
  const { hostname, port: target, username, password, pathname, searchParams } = new URL(database);
  // The folder of a socket stands in the query.
  const host = searchParams.get('host') ?? hostname;
  const place = `host=${host} port=${target || '5432'} dbname=${pathname.slice(1)} user=${username}${password && ` password=${password}`}`;
  const text = (await readFile(CONFIG, 'utf8'))
    .replace(/^copse = .*$/m, `copse = ${place}`)
    .replace(/^listen_addr = .*$/m, 'listen_addr = 127.0.0.1\nunix_socket_dir =')
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    .replace(/^auth_type = .*\nauth_file = .*$/m, 'auth_type = any');
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, text);
  await chmod(file, 0o644);
  const log = openSync(join(folder, 'pgbouncer.log'), 'a');
  // It does not run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = endWithProcess(spawn('pgbouncer', [...user, file], { stdio: ['ignore', log, log] }));
  await once(child, 'spawn');
  const url = `postgres://127.0.0.1:${port}/copse?user=${username}`;
  while (!(await isThere(url))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${await readFile(join(folder, 'pgbouncer.log'), 'utf8')}`);
    await sleep(50);
  }
  return {
    url,
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function isThere(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
