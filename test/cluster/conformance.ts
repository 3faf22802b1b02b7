import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ADMIN, Cluster } from './support/cluster.ts';
import type { ProxyName } from './support/proxy.ts';

/*
 * Plays the recorded scenarios of test/conformance against several processes behind a proxy that takes them in turns: every step that is
 * exact with one process has to be exact here. One area after the other; a line for each, the differences below it.
 *
 *     node test/cluster/conformance.ts [--processes 3] [--database postgres://…] [--proxy nginx] [--pgbouncer] [--log FILE] [words of area/name…]
 *
 * `--data DIR`, given more than once, is a folder for each process that shows the same files, as a file system that is mounted twice.
 * An empty database is used, or a PostgreSQL is started. Errors that processes log are printed in the end.
 */
const { values: flags, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    processes: { type: 'string', default: '3' },
    database: { type: 'string' },
    proxy: { type: 'string', default: 'haproxy' },
    data: { type: 'string', multiple: true },
    pgbouncer: { type: 'boolean', default: false },
    log: { type: 'string', default: '/dev/null' },
    jobs: { type: 'string', default: '2' },
  },
});
const CONFORMANCE = join(import.meta.dirname, '../conformance');
const log = createWriteStream(flags.log, { flags: 'a' });
const { database } = flags;
const cluster = await Cluster.start({
  processes: Number(flags.processes),
  proxy: flags.proxy as ProxyName,
  isPooled: flags.pgbouncer,
  ...(flags.data && { dataDirs: flags.data }),
  settings: { COPSE_LOG_LEVEL: 'warn' },
  ...(database && { database }),
});
let failed = 0;
try {
  for (const area of await areas()) failed += (await play(area)) ? 0 : 1;
  failed += await printErrors();
} finally {
  await cluster.close();
}
console.log(failed === 0 ? 'as with one process' : `${failed} areas differ`);
process.exit(failed === 0 ? 0 : 1);

/** The areas, or the words that were given. */
async function areas(): Promise<string[]> {
  if (words.length > 0) return words;
  return (await readdir(join(CONFORMANCE, 'scenarios'))).sort().map((area) => `${area}/`);
}

async function play(area: string): Promise<boolean> {
  const args = ['--url', cluster.url, '--admin', `${ADMIN.name}:${ADMIN.password}`, '--jobs', flags.jobs, area];
  const child = spawn(process.execPath, [join(CONFORMANCE, 'run.ts'), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (data) => {
    said += data;
  });
  const [code] = await once(child, 'close');
  log.write(`== ${area}\n${said}`);
  console.log(`${area.padEnd(20)} ${said.trim().split('\n').at(-1)}`);
  if (code !== 0) console.log(said.slice(0, said.search(/^area /m)));
  return code === 0;
}

/** Prints the errors that processes have logged; returns how many processes have. */
async function printErrors(): Promise<number> {
  const names = (await readdir(cluster.folder)).filter((name) => name.startsWith('process-'));
  const texts = await Promise.all(names.map((name) => readFile(join(cluster.folder, name), 'utf8')));
  const errors = texts.map((text) => text.split('\n').filter((line) => line.includes('"level":"error"')));
  for (const lines of errors) for (const line of lines.slice(0, 10)) console.log(line.slice(0, 2000));
  return errors.filter((lines) => lines.length > 0).length;
}
