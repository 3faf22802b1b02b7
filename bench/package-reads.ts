import { type ChildProcess, fork } from 'node:child_process';
import { Agent } from 'node:http';
import type { PackageType } from '../src/database/tables/package-types.ts';
import { BENCH_FORMATS, type BenchFormat } from './package-formats.ts';
import type { Order } from './package-read-server.ts';
import { readDocument } from './read-document.ts';

/**
 * `node bench/package-reads.ts [FEW] [MANY] [FORMAT…]`: the processor time in milliseconds that the server alone takes for a read of an index
 * that lists so few versions or packages (10), and so many (10,000), and the ratio of the two: of the first read after a publication, of the first after the job that builds
 * it, and of further ones, as they are and compressed, and of one that is unchanged. The server is a process of its own, with the options
 * of `bin/copse`, on SQLite. `READS=500` reads more often. `PATHS=1` measures all documents of a format.
 */
const words = process.argv.slice(2);
const given = words.filter((word) => /^\d+$/.test(word)).map(Number);
const [few = 10, many = 10_000] = given;
const types = words.filter((word) => word in BENCH_FORMATS);
const READS = Number(process.env.READS ?? 200);
const FIRST_READS = Number(process.env.FIRST_READS ?? 20);
const KINDS = ['first read', 'after the job', 'again', 'first gzip', 'gzip after the job', 'gzip again', 'unchanged'] as const;

let publications = 0;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const read = (url: string, headers?: Record<string, string>) => readDocument(url, headers, agent);
const execArgv = ['--max-semi-space-size=4', '--disable-warning=ExperimentalWarning'];
const env = { ...process.env, MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '2097152' };
const server = fork(new URL('./package-read-server.ts', import.meta.url), {
  execArgv: [...execArgv, ...(process.env.NODEARGS?.split(' ') ?? [])],
  env,
});
server.setMaxListeners(0);
const root = await reply<string>(server);

for (const [type, format] of Object.entries(BENCH_FORMATS)) {
  if (types.length > 0 && !types.includes(type)) continue;
  await measureFormat(type as PackageType, format);
}
server.disconnect();
agent.destroy();

async function measureFormat(type: PackageType, format: BenchFormat): Promise<void> {
  const owners = [`few-${type}`, `many-${type}`];
  for (const [index, owner] of owners.entries()) await order({ what: 'fill', owner, type, count: index === 0 ? few : many });
  const paths = [format.index('first'), ...(process.env.PATHS ? (format.others?.('first') ?? []) : [])];
  for (const path of paths) {
    const [least, most] = [await measurePath(owners[0] ?? '', type, path), await measurePath(owners[1] ?? '', type, path)];
    const shown = KINDS.map((kind, index) => {
      const [a = 0, b = 0] = [least.times[index], most.times[index]];
      return `${kind} ${a.toFixed(2)} ${b.toFixed(2)} (${(b / a).toFixed(1)})`;
    });
    console.log(`${type} ${path}, ${most.bytes} bytes, ${most.gzip} compressed: ${shown.join(', ')}`);
  }
}

async function measurePath(owner: string, type: PackageType, path: string) {
  const url = `${root}${format(owner, type)}/${path}`;
  const publish = () => order({ what: 'publish', owner, type, number: ++publications });
  const build = () => order({ what: 'build' });
  const gzip = { 'accept-encoding': 'gzip' };
  const plain = await read(url);
  const compressed = await read(url, gzip);
  for (let warm = 0; warm < READS; warm++) await read(url, warm % 2 ? gzip : {});
  const times = [
    await firstReads(() => read(url), publish),
    await firstReads(
      () => read(url),
      async () => {
        await publish();
        await build();
      },
    ),
    await furtherReads(() => read(url)),
    await firstReads(() => read(url, gzip), publish),
    await firstReads(
      () => read(url, gzip),
      async () => {
        await publish();
        await build();
      },
    ),
    await furtherReads(() => read(url, gzip)),
    await unchangedReads(url),
  ];
  return { bytes: plain.bytes, gzip: compressed.bytes, times };
}

function format(owner: string, type: PackageType): string {
  return type === 'container' ? `/v2/${owner}` : `/api/packages/${owner}/${type}`;
}

async function firstReads(readOnce: () => Promise<unknown>, before: () => Promise<unknown>): Promise<number> {
  let time = 0;
  for (let at = 0; at < FIRST_READS; at++) {
    await before();
    time += await timeOf(readOnce);
  }
  return time / FIRST_READS;
}

async function furtherReads(readOnce: () => Promise<unknown>): Promise<number> {
  return (
    (await timeOf(async () => {
      for (let at = 0; at < READS; at++) await readOnce();
    })) / READS
  );
}

async function unchangedReads(url: string): Promise<number> {
  const { etag } = await read(url);
  return etag === '' ? Number.NaN : await furtherReads(() => read(url, { 'if-none-match': etag }));
}

async function timeOf(what: () => Promise<unknown>): Promise<number> {
  const before = await order({ what: 'time' });
  await what();
  return (await order({ what: 'time' })) - before;
}

async function order(what: Order): Promise<number> {
  const replied = reply<number>(server);
  server.send(what);
  return await replied;
}

async function reply<Result>(of: ChildProcess): Promise<Result> {
  return await new Promise((resolve, reject) => {
    of.once('message', ({ result, error }: { result: Result; error?: string }) => (error ? reject(new Error(error)) : resolve(result)));
    of.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
}
