import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chown, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from './free-ports.ts';

const PROGRAMS = '/usr/lib/postgresql/15/bin';
const run = promisify(execFile);

/** Why there can be no cluster here; empty when there can. */
export const NO_CLUSTER =
  existsSync(join(PROGRAMS, 'pg_basebackup')) && process.getuid?.() === 0 ? '' : `needs root and PostgreSQL 15 in ${PROGRAMS}`;

/** A PostgreSQL server of a test's own. */
export interface PostgresServer {
  readonly url: string;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Adds lines to its configuration and reads it again. */
  readonly configure: (lines: string) => Promise<void>;
}

/** A PostgreSQL server with a streaming replica, both running, in memory. */
export async function postgresWithReplica(): Promise<{ primary: PostgresServer; replica: PostgresServer; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : '/tmp', 'copse-pg-'));
  const user = { uid: await idOf('-u'), gid: await idOf('-g') };
  await chown(folder, user.uid, user.gid);
  const postgres = (program: string, ...args: string[]) =>
    run(join(PROGRAMS, program), args, { ...user, cwd: folder, env: { LC_ALL: 'C' } });
  const [first, second] = await freePorts(2);
  const server = (name: string, port: number | undefined): PostgresServer & { data: string } => {
    const data = join(folder, name);
    const control = async (...args: string[]) => {
      await postgres('pg_ctl', '-D', data, '-w', ...args);
    };
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c shared_buffers=16MB -c fsync=off`;
    return {
      data,
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      start: () => control('-l', join(folder, `${name}.log`), '-o', options, 'start'),
      stop: () => control('-m', 'immediate', 'stop'),
      configure: async (lines) => {
        await appendFile(join(data, 'postgresql.conf'), `${lines}\n`);
        await control('reload');
      },
    };
  };
  const [primary, replica] = [server('primary', first), server('replica', second)];
  await postgres('initdb', '-D', primary.data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--no-instructions');
  await primary.start();
  await postgres('pg_basebackup', '-d', primary.url, '-D', replica.data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync');
  await replica.start();
  const remove = async () => {
    for (const { stop } of [replica, primary]) await stop().catch(() => {});
    await rm(folder, { recursive: true, force: true });
  };
  return { primary, replica, remove };
}

async function idOf(option: string): Promise<number> {
  return Number((await run('id', [option, 'postgres'])).stdout);
}
