import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { eventually } from '../support/eventually.ts';
import { verify, waitUntilClean } from './kills/checks.ts';
import { canUnshare, KilledServer, type Kind } from './kills/server.ts';
import { type Work, type Written, writeAgain, writeUntilKilled } from './kills/writes.ts';

/*
 * Kills a server again and again while it takes changes, and looks whether what it had acknowledged is there when it is up again, the
 * repository is sound and can be written to, no lock and no temporary file is left after ten seconds, and the doctor finds nothing.
 *
 *     node test/faults/kills.ts [--kills 25] [--database postgres://…] [--folder DIR]
 *
 * The database has to be empty; without one it is SQLite. Half of the kills take the server's whole process group, a quarter the server
 * alone, and a quarter a PID namespace as a container has it, where every server has the same pid (as root on Linux; elsewhere a group
 * instead). The load of the machine is printed beside the times, which depend on it.
 */

/** What {@link kills} is told. */
export interface KillOptions {
  kills: number;
  /** An empty PostgreSQL database; SQLite when left out. */
  database?: string;
  /** A folder on the disk that is meant; a temporary one when left out. */
  folder?: string;
  /** The first kind of kill, of {@link KINDS}. */
  first?: number;
  report?: (line: string) => void;
}

/** How it went, over all kills. */
export interface KillResult {
  acknowledged: number;
  /** Milliseconds from a start to the first response, each. */
  ready: number[];
  /** Milliseconds from a start until locks and temporary files were gone, each. */
  clean: number[];
}

/** In pairs: what a server in a namespace leaves is met by one that has the same pid. */
const KINDS: readonly Kind[] = ['process', 'process', 'group', 'group', 'group', 'group', 'namespace', 'namespace'];

/** @throws AssertionError when anything acknowledged is lost, or anything is left */
export async function kills(options: KillOptions): Promise<KillResult> {
  const folder = await mkdtemp(join(options.folder ?? tmpdir(), 'copse-kills-'));
  const server = new KilledServer(folder, options.database);
  try {
    return await killAgainAndAgain(server, folder, options);
  } finally {
    await server.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function killAgainAndAgain(server: KilledServer, folder: string, { kills, first = 0, report }: KillOptions): Promise<KillResult> {
  const result: KillResult = { acknowledged: 0, ready: [], clean: [] };
  const written: Written = { files: new Map(), branches: new Map(), repositories: new Set(), issues: new Set() };
  const hasNamespaces = await canUnshare();
  const kindOf = (round: number): Kind => {
    const kind = KINDS[(first + round) % KINDS.length] ?? 'process';
    return kind === 'namespace' && !hasNamespaces ? 'group' : kind;
  };
  await server.start(kindOf(0));
  const work = await prepare(server, folder);
  for (let round = 0; round < kills; round++) {
    await writeUntilKilled(server, written, work, round);
    const began = performance.now();
    await server.start(kindOf(round + 1));
    result.ready.push(Math.round(performance.now() - began));
    const [clean] = await Promise.all([waitUntilClean(server, began), verify(server, written)]);
    result.clean.push(clean);
    result.acknowledged = [...Object.values(written)].reduce((sum, { size }) => sum + size, 0);
    report?.(
      `kill ${round + 1} of ${kills} (${kindOf(round)}, load ${loadavg()[0]?.toFixed(1)}): ` +
        `ready in ${result.ready.at(-1)} ms, clean in ${clean} ms, ${result.acknowledged} writes`,
    );
    await writeAgain(server, written, round);
  }
  // What a killed server was creating is taken back once it is known to be gone, on PostgreSQL some seconds later.
  await eventually(async () => (await livingServers(server)) === 1, 'the end of the killed servers');
  // Jobs remove the folders of creations that were taken back.
  await eventually(async () => (await server.command('doctor')).trim() === 'nothing is wrong', 'the end of all repairs');
  await server.kill();
  assert.match((await server.command('doctor', '--fsck')).trim(), /^nothing is wrong$/);
  return result;
}

async function livingServers({ root }: KilledServer): Promise<number> {
  const processes = await root.must('GET', '/admin/processes');
  return processes.filter(({ role }: { role: string }) => role === 'server').length;
}

/** Makes root/demo, and a clone of it. */
async function prepare({ root }: KilledServer, parent: string): Promise<Work> {
  await root.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
  const folder = join(parent, 'work');
  await root.git(['clone', '-q', root.remote('root/demo'), folder], parent);
  return { folder, base: (await root.git(['rev-parse', 'HEAD'], folder)).stdout.trim() };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '25' }, database: { type: 'string' }, folder: { type: 'string' } },
  });
  const { database, folder } = values;
  const report = (line: string) => void process.stdout.write(`${line}\n`);
  const { ready, clean, acknowledged } = await kills({
    kills: Number(values.kills),
    ...(database && { database }),
    ...(folder && { folder }),
    report,
  });
  const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
  report(`${ready.length} kills, ${acknowledged} acknowledged writes, none lost; the doctor finds nothing`);
  report(`ready in ${median(ready)} ms (at most ${Math.max(...ready)}), clean in ${median(clean)} ms (at most ${Math.max(...clean)})`);
}
