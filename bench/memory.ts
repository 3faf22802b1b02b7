import { setTimeout as sleep } from 'node:timers/promises';
import { Browser } from '../test/support/browser.ts';
import { apiOf } from './call-api.ts';
import { clientRequests, type Target } from './memory-load.ts';
import { processorTimeOf } from './processor-time.ts';
import { memoryOf } from './resident.ts';

/**
 * `node bench/memory.ts PID URL NAME:PASSWORD [SECONDS] [CLIENTS]`: the memory of a server before 150 clients read, write and open pages for
 * a minute, at the end of that, and a minute later, and the most that it had meanwhile. They read the repositories that are there
 * and write to one that is made. Linux alone (`/proc`); the heap is what `/metrics` says.
 */
const [pid = '', url = '', account = '', seconds = '60', clients = '150'] = process.argv.slice(2);
if (!/^\d+$/.test(pid) || !URL.canParse(url) || !account.includes(':'))
  throw new Error('usage: node bench/memory.ts PID URL NAME:PASSWORD [SECONDS] [CLIENTS]');

const REST_SECONDS = Number(process.env.REST ?? 60);
const [owner = '', password = ''] = account.split(':');
const basic = `Basic ${Buffer.from(account).toString('base64')}`;

const { sha1 } = await apiOf(url, basic)<{ sha1: string }>('POST', `/users/${owner}/tokens`, {
  name: `bench-${Date.now()}`,
  scopes: ['all'],
});
const token = `token ${sha1}`;
const call = apiOf(url, token);
const own = `bench-memory-${Date.now()}`;
await call('POST', '/user/repos', { name: own, auto_init: true, default_branch: 'main' });
const { data } = await call<{ data: { full_name: string }[] }>('GET', '/repos/search?limit=50&sort=size&order=desc');
const browser = new Browser(url);
await browser.signIn(owner, password);
const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

interface Tree {
  readonly tree: readonly { readonly path: string; readonly type: string }[];
}

const target: Target = { url, token, cookie, written: `${owner}/${own}`, read: [] };
for (const { full_name: name } of data) {
  const tree = await call<Tree | undefined>('GET', `/repos/${name}/git/trees/HEAD?recursive=true`, undefined, [404, 409]);
  const files = (tree?.tree ?? []).filter(({ type }) => type === 'blob').map(({ path }) => path);
  if (files.length > 0) target.read.push({ name, files: files.slice(0, 500) });
}

let most = 0;
async function print(label: string): Promise<void> {
  const memory = memoryOf(pid);
  const response = await fetch(new URL('/metrics', url));
  const metrics = response.ok ? await response.text() : '';
  const sum = (name: string, labels = '') =>
    [...metrics.matchAll(new RegExp(`^${name}\\{[^}]*${labels}[^}]*\\} (\\S+)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    );
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  console.log(
    `${label}: resident ${mib(memory.resident)} MiB, private and dirty ${mib(memory.privateDirty)}; heap ${mib(sum('nodejs_heap_size_bytes'))}, ` +
      `used ${mib(sum('nodejs_heap_used_bytes'))}, buffers ${mib(sum('nodejs_external_memory_bytes'))}, ` +
      `caches ${mib(sum('copse_cache_bytes'))}, worker threads ${sum('copse_worker_threads')}; ` +
      `processes beside it ${memory.children.map(mib).join(', ')} (private and dirty)`,
  );
}

await print('before');
const watch = setInterval(() => {
  most = Math.max(most, memoryOf(pid).resident);
}, 500);
const end = performance.now() + Number(seconds) * 1000;
const before = processorTimeOf([pid]);
const statuses = new Map<number, number>();
await Promise.all(
  Array.from({ length: Number(clients) }, async (_, client) => {
    for (const send of clientRequests(target, client)) {
      if (performance.now() > end) break;
      const status = await send();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }),
);
const processor = processorTimeOf([pid]) - before;
await print('at the end');
clearInterval(watch);
const requests = [...statuses.values()].reduce((total, count) => total + count, 0);
console.log(
  `${requests} requests (${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}), ` +
    `${(processor / requests).toFixed(2)} ms of processor time each; at most ${(most / 2 ** 20).toFixed(0)} MiB resident`,
);
await sleep(REST_SECONDS * 1000);
await print(`${REST_SECONDS} s later`);
await call('DELETE', `/repos/${target.written}`);
