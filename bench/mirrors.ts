import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf } from './call-api.ts';

/*
 * Whether many mirrors that are updated at once delay anything else.
 *
 *     node bench/mirrors.ts URL NAME:PASSWORD [MIRRORS]     1000 without a number
 *
 * The account is an administrator's. The server runs with COPSE_OUTGOING_ALLOWED_HOSTS=loopback, and with COPSE_MIRRORS_PER_HOST=4 so that
 * one source stands for several hosts. Measured are a read, a commit
 * through the API, and the time from that commit to its webhook, first without updates and then while all mirrors follow a new commit.
 */

const [url = '', account = '', count = '1000'] = process.argv.slice(2);
if (!URL.canParse(url) || !account.includes(':')) throw new Error('usage: node bench/mirrors.ts URL NAME:PASSWORD [MIRRORS]');
const [name = ''] = account.split(':');
const call = apiOf(url, `Basic ${Buffer.from(account).toString('base64')}`);
/** Mirrors that are made, or asked to update, at once. */
const AT_ONCE = 8;
const QUIET_SECONDS = 20;
const ID = Date.now().toString(36);

async function forAll(size: number, task: (index: number) => Promise<unknown>): Promise<void> {
  const waiting = Array.from({ length: size }, (_, index) => index).values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const index of waiting) await task(index);
    }),
  );
}

/** A repository that is served as files, and the receiver of a webhook. */
const folder = await mkdtemp(join(tmpdir(), 'copse-bench-mirrors-'));
const source = join(folder, 'source.git');
const git = (...args: string[]) => execFileSync('git', ['-C', source, ...args], { encoding: 'utf8' }).trim();
execFileSync('git', ['init', '-q', '--bare', '-b', 'main', source]);
let delivered = () => {};
const server = createServer(async (request, response) => {
  const path = new URL(request.url ?? '/', 'http://x').pathname;
  if (path === '/hook') {
    delivered();
    response.end();
    return;
  }
  const content = path.includes('..') ? undefined : await readFile(join(folder, path)).catch(() => undefined);
  response.writeHead(content ? 200 : 404).end(content);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function moveSource(): string {
  const parent = git('for-each-ref', '--format=%(objectname)', 'refs/heads/main');
  const tree = git('mktree', '--missing');
  const person = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  const commit = git(...person, 'commit-tree', '-m', `Commit ${performance.now()}`, ...(parent ? ['-p', parent] : []), tree);
  git('update-ref', 'refs/heads/main', commit);
  git('update-server-info');
  return commit;
}

/** Milliseconds of each kind of request, until `isEnough`. */
async function measure(isEnough: () => boolean | Promise<boolean>): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = { read: [], commit: [], webhook: [] };
  const timed = async (kind: string, task: () => Promise<unknown>) => {
    const start = performance.now();
    await task();
    times[kind]?.push(performance.now() - start);
  };
  for (let n = 0; n === 0 || !(await isEnough()); n++) {
    await timed('read', () => call('GET', `/repos/${name}/other-${ID}`));
    const arrived = new Promise<void>((resolve) => {
      delivered = resolve;
    });
    await timed('webhook', async () => {
      await timed('commit', () => call('POST', `/repos/${name}/other-${ID}/contents/${performance.now()}.txt`, { content: '' }));
      await arrived;
    });
    await sleep(100);
  }
  return times;
}

function print(title: string, times: Record<string, number[]>): void {
  for (const [kind, all] of Object.entries(times)) {
    const sorted = all.toSorted((a, b) => a - b);
    const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
    console.log(`${title}, ${kind}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms of ${sorted.length}`);
  }
}

interface Branch {
  readonly commit: { readonly id: string };
}

const mirrors = Number(count);
moveSource();
await forAll(mirrors, (index) =>
  call('POST', '/repos/migrate', {
    clone_addr: `${own}/source.git`,
    repo_name: `mirror-${ID}-${index}`,
    mirror: true,
    mirror_interval: '0',
  }),
);
await call('POST', '/user/repos', { name: `other-${ID}`, auto_init: true });
const hook = { type: 'gitea', active: true, events: ['push'], config: { url: `${own}/hook`, content_type: 'json' } };
await call('POST', `/repos/${name}/other-${ID}/hooks`, hook);
const end = performance.now() + QUIET_SECONDS * 1000;
print('quiet', await measure(() => performance.now() > end));

const commit = moveSource();
const start = performance.now();
await forAll(mirrors, (index) => call('POST', `/repos/${name}/mirror-${ID}-${index}/mirror-sync`));
let behind = 0;
const isCurrent = async (index: number) =>
  (await call<Branch | undefined>('GET', `/repos/${name}/mirror-${ID}-${index}/branches/main`, undefined, [404]))?.commit.id === commit;
print(
  'while mirrors are updated',
  await measure(async () => {
    while (behind < mirrors && (await isCurrent(behind))) behind++;
    return behind === mirrors;
  }),
);
console.log(`${mirrors} mirrors updated in ${((performance.now() - start) / 1000).toFixed(0)} s`);
server.close();
server.closeAllConnections();
await rm(folder, { recursive: true });
