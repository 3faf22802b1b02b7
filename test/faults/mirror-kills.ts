import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { GitRepository } from '../../src/git/repository.ts';
import { open, serveRepository } from '../git/transport.ts';
import { emptyRepository, git, requireSound } from '../git/writing.ts';
import { eventually } from '../support/eventually.ts';
import { type Dice, dice, SEED } from '../support/random.ts';
import { KilledServer, type Kind } from './kills/server.ts';

/*
 * Kills a server again and again while it brings a mirror up to date whose source moves all the time, and looks whether the mirror ends
 * equal to its source, sound, and with nothing left over.
 *
 *     node test/faults/mirror-kills.ts [--kills 10] [--database postgres://…]
 *
 * The database has to be empty; without one it is SQLite.
 */

/** What {@link mirrorKills} is told. */
export interface MirrorKillOptions {
  kills: number;
  /** An empty PostgreSQL database; SQLite when left out. */
  database?: string;
  report?: (line: string) => void;
}

const KINDS: readonly Kind[] = ['process', 'group'];
/** Milliseconds of a round before the kill, at most. */
const LONGEST = 1500;

/** @throws AssertionError when the mirror does not end equal to its source, or anything is left */
export async function mirrorKills({ kills, database, report }: MirrorKillOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'copse-mirror-kills-'));
  const server = new KilledServer(folder, database, { COPSE_OUTGOING_ALLOWED_HOSTS: 'loopback' });
  const random = dice(SEED);
  const source = await emptyRepository();
  const { http } = await serveRepository(source, open());
  change(source, random, 0);
  try {
    await server.start('process');
    const fields = { clone_addr: http, repo_name: 'mirror', mirror: true, mirror_interval: '0' };
    const { id } = await server.root.must('POST', '/repos/migrate', fields);
    const mirror = join(server.repositories, (id % 256).toString(16).padStart(2, '0'), `${id}.git`);
    for (let round = 1; round <= kills; round++) {
      await moveUntil(source, random, round, () => server.root.post('/repos/root/mirror/mirror-sync'));
      await server.kill();
      await server.start(KINDS[round % KINDS.length] ?? 'process');
      report?.(`kill ${round} of ${kills}`);
    }
    await requireEqual(server, source, mirror);
  } finally {
    await server.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Changes the source again and again, asks for updates, and returns at some moment amid one. */
async function moveUntil(source: GitRepository, random: Dice, round: number, sync: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + random(LONGEST);
  for (let n = 0; n === 0 || Date.now() < end; n++) {
    change(source, random, round * 1000 + n);
    await sync();
    await sleep(random(100));
  }
}

/** A commit, and branches and tags that come, move, are forced back and go. */
function change(source: GitRepository, random: Dice, n: number): void {
  const head = git(source, ['for-each-ref', '--format=%(objectname)', 'refs/heads/main']);
  const blob = git(source, ['hash-object', '-w', '--stdin'], `${n}\n`);
  const tree = git(source, ['mktree'], `100644 blob ${blob}\tfile-${n}\n`);
  const commit = git(source, ['commit-tree', '-m', `Commit ${n}`, ...(head ? ['-p', head] : []), tree]);
  git(source, ['update-ref', 'refs/heads/main', commit]);
  git(source, ['update-ref', `refs/tags/v${n}`, commit]);
  git(source, ['update-ref', `refs/heads/branch-${n % 7}`, random(2) === 0 && head ? head : commit]);
  const gone = `refs/heads/branch-${(n + 3) % 7}`;
  if (git(source, ['for-each-ref', '--format=%(refname)', gone])) git(source, ['update-ref', '-d', gone]);
}

async function requireEqual(server: KilledServer, source: GitRepository, mirror: string): Promise<void> {
  const refs = (at: GitRepository | string) => git(at, ['for-each-ref', '--format=%(objectname) %(refname)']);
  const path = '/repos/root/mirror';
  await server.root.must('POST', `${path}/mirror-sync`);
  await eventually(() => refs(mirror) === refs(source), 'a mirror that equals its source');
  const branches = refs(source).match(/refs\/heads\//g)?.length;
  await eventually(async () => (await server.root.must('GET', path)).branch_count === branches, 'the count of branches');
  requireSound({ path: mirror, objectFormat: 'sha1' });
  await eventually(async () => (await server.command('doctor')).trim() === 'nothing is wrong', 'the end of all repairs');
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { kills: { type: 'string', default: '10' }, database: { type: 'string' } } });
  const { database } = values;
  await mirrorKills({ kills: Number(values.kills), ...(database && { database }), report: console.log });
  console.log('the mirror equals its source');
  process.exit();
}
