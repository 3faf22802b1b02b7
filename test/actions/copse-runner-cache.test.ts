import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { cacheGrantOf } from '../../src/runner/cache/grant.ts';
import { CacheServer } from '../../src/runner/cache/server.ts';

const folder = await mkdtemp(join(tmpdir(), 'copse-cache-'));
const caches = await CacheServer.start(folder);
after(async () => {
  await caches.close();
  await rm(folder, { recursive: true, force: true });
});

const main = { scope: 'demo\nmain', readable: ['demo\nmain'] };
const pull = { scope: 'demo\npull', readable: ['demo\npull', 'demo\nmain'] };
const other = { scope: 'other\nmain', readable: ['other\nmain'] };

/** Calls the service as a job. */
async function call(url: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const content = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${url}_apis/artifactcache/${path}`, { method, headers, body: content });
  const text = await response.text();
  return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : undefined };
}

async function save(url: string, key: string, content: string): Promise<number> {
  const { status, json } = await call(url, 'POST', 'caches', { key, version: 'v' });
  if (status !== 201) return status;
  const at = `caches/${json.cacheId}`;
  // Clients send parts in any order.
  const half = Math.floor(content.length / 2);
  const parts = [[half, content.slice(half)] as const, [0, content.slice(0, half)] as const];
  for (const [start, part] of parts) {
    const range = { 'content-range': `bytes ${start}-${start + part.length - 1}/*` };
    assert.equal((await call(url, 'PATCH', at, part, range)).status, 204);
  }
  return (await call(url, 'POST', at, { size: content.length })).status;
}

async function load(url: string, keys: string, version = 'v'): Promise<string | undefined> {
  const { status, json } = await call(url, 'GET', `cache?keys=${keys}&version=${version}`);
  if (status === 204) return undefined;
  return `${json.cacheKey}: ${await (await fetch(json.archiveLocation)).text()}`;
}

it('caches are kept, found by a key or its beginning, and seen by their branch and those made from it', async () => {
  const [one, two, three] = [caches.admit(main), caches.admit(pull), caches.admit(other)];
  assert.equal(await load(one.url, 'deps-1'), undefined);
  assert.equal(await save(one.url, 'deps-1', 'of main'), 204);
  assert.equal(await save(one.url, 'deps-1', 'again'), 409);
  assert.equal(await load(one.url, 'deps-1'), 'deps-1: of main');
  assert.equal(await load(two.url, 'deps-2,deps-'), 'deps-1: of main');
  assert.equal(await load(two.url, 'deps-1', 'another version'), undefined);
  assert.equal(await save(two.url, 'deps-2', 'of the pull request'), 204);
  assert.equal(await load(two.url, 'deps-2'), 'deps-2: of the pull request');
  assert.equal(await load(one.url, 'deps-2'), undefined);
  assert.equal(await load(three.url, 'deps-1'), undefined);
});

it('caches are refused to strangers, of wrong sizes, and beyond what they may be', async () => {
  const [one, two] = [caches.admit(main), caches.admit(other)];
  const { json } = await call(one.url, 'POST', 'caches', { key: 'k', version: 'v' });
  const at = `caches/${json.cacheId}`;
  const range = { 'content-range': 'bytes 0-2/*' };
  assert.equal((await call(two.url, 'PATCH', at, 'abc', range)).status, 404);
  assert.equal((await call(one.url, 'PATCH', at, 'abc')).status, 400);
  assert.equal((await call(one.url, 'PATCH', at, 'abc', { 'content-range': `bytes ${2 ** 40}-${2 ** 40 + 2}/*` })).status, 413);
  assert.equal((await call(one.url, 'POST', at, { size: 4 })).status, 400);
  assert.equal((await call(one.url, 'POST', 'caches', { key: '', version: 'v' })).status, 400);
  assert.equal((await call(one.url, 'POST', 'caches', 'x'.repeat(70_000))).status, 413);
  assert.equal((await call(one.url.replace(/[0-9a-f]{48}/, '0'.repeat(48)), 'GET', 'cache?keys=deps-1&version=v')).status, 404);
  await call(one.url, 'POST', 'caches', { key: 'open', version: 'v' });
  await one.end();
  assert.equal((await call(one.url, 'GET', 'cache?keys=deps-1&version=v')).status, 404);
  assert.deepEqual(await readdir(join(folder, 'incoming')), []);
});

it('caches of a repository are not found by another one that got its name later', () => {
  const github = (id: number) => ({
    server_url: 'https://copse.example/',
    repository: 'ada/demo',
    ref: 'refs/pull/3/merge',
    base_ref: 'next',
    event: { repository: { id, default_branch: 'main' } },
  });
  const [first, later] = [cacheGrantOf(github(1)), cacheGrantOf(github(2))];
  assert.deepEqual(
    first.readable.map((scope) => scope.split('\n')[1]),
    ['refs/pull/3/merge', 'refs/heads/next', 'refs/heads/main'],
  );
  assert.equal(first.scope, first.readable[0]);
  assert.deepEqual(new Set(first.readable).intersection(new Set(later.readable)), new Set());
  const renamed = { ...github(1), repository: 'ada/other' };
  assert.deepEqual(cacheGrantOf(renamed), first);
  // The payload of a schedule can lack the repository.
  assert.deepEqual(cacheGrantOf({ ...github(1), repository_id: '1', event: { schedule: '@daily' } }).scope, first.scope);
});
