import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../../src/clock.ts';
import { cachedArchive } from '../../src/code/archives/cache.ts';
import { expireArchives } from '../../src/code/archives/expire.ts';
import { makeArchive } from '../../src/code/archives/make.ts';
import { readArchiveRequest } from '../../src/code/archives/request.ts';
import { createLogger } from '../../src/log.ts';
import { startServer } from '../../src/server.ts';
import { DiskStorage } from '../../src/storage/disk.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { afterwards } from '../support/afterwards.ts';
import { Client } from '../support/client.ts';
import { anotherProcess, kill } from '../support/processes.ts';
import { testServer } from '../support/server.ts';
import { codeRepository } from './repository.ts';

const MAX_SIZE = 100_000;
const t = await testServer({ repository: { archivesMaxSize: MAX_SIZE } });
const alice = await t.user('alice');
const { context } = t;
const repository = async (name: string, size: number) =>
  await codeRepository(t, alice, name, [{ label: 'x', files: { a: randomBytes(size).toString('base64') } }]);
const rows = () => context.db.selectFrom('archives').selectAll().orderBy('id').execute();
const reset = async () => {
  await context.db.updateTable('archives').set({ used_at: 0 }).execute();
  await expireArchives({}, context);
  assert.deepEqual(await rows(), []);
};
/** Notes the keys of what is stored; the function returned ends that and returns them. */
const puts = (storage: Storage) => {
  const [put, keys] = [storage.put, [] as string[]];
  storage.put = (key, ...rest) => {
    keys.push(key);
    return put.call(storage, key, ...rest);
  };
  return () => {
    storage.put = put;
    return keys;
  };
};
/** The files that the storage has of archives. */
const stored = () =>
  readdirSync(join(context.settings.storage.path, 'archives'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .length;

describe('cached archives', () => {
  it('have room together, and those that were used longest ago go first', async () => {
    const repositories = [];
    for (let n = 0; n < 7; n++) repositories.push(await repository(`room${n}`, 20_000));
    for (const [n, { path }] of repositories.slice(0, 4).entries()) {
      assert.equal((await alice.get(`${path}/archive/main.zip`)).status, 200);
      await context.db
        .updateTable('archives')
        .set({ used_at: now() - 1000 + n })
        .where('used_at', '>', now() - 900)
        .execute();
    }
    assert.equal((await alice.get(`${repositories[0]?.path}/archive/main.zip`)).status, 200, 'is the most recently used one');
    for (const { path } of repositories.slice(4)) assert.equal((await alice.get(`${path}/archive/main.zip`)).status, 200);
    const left = await rows();
    const total = left.reduce((sum, { size }) => sum + size, 0);
    assert.ok(total <= MAX_SIZE && total > MAX_SIZE / 2, String(total));
    const ids = left.map(({ repository_id }) => repository_id);
    assert.deepEqual(
      repositories.map(({ row }) => ids.includes(row.id)),
      [true, false, false, false, true, true, true],
    );
    assert.equal(stored(), left.length);
    await reset();
    assert.equal(stored(), 0);
  });

  it('are none that would take most of the room', async () => {
    const { path } = await repository('large', MAX_SIZE / 2);
    const responses = [await t.anonymous.get(`${path}/archive/main.zip`), await t.anonymous.get(`${path}/archive/main.zip`)];
    for (const { status, bytes } of responses) assert.deepEqual([status, bytes.length > MAX_SIZE / 4], [200, true]);
    assert.ok(responses[0]?.bytes.equals(responses[1]?.bytes ?? Buffer.alloc(0)));
    assert.equal((await alice.send('HEAD', `${path}/archive/main.zip`)).status, 200);
    assert.deepEqual([await rows(), stored()], [[], 0]);
  });

  it('are created again when their bytes are missing, also between the check and the reading', async () => {
    const { path, row } = await repository('lost', 100);
    const { bytes } = await alice.get(`${path}/archive/main.zip`);
    await context.storage.delete((await rows())[0]?.blob ?? '');
    assert.ok((await alice.get(`${path}/archive/main.zip`)).bytes.equals(bytes));
    const { storage } = context;
    const get = storage.get.bind(storage);
    let removals = 0;
    storage.get = async (key, range) => {
      if (removals++ === 0) await storage.delete(key);
      return await get(key, range);
    };
    assert.ok((await alice.get(`${path}/archive/main.zip`)).bytes.equals(bytes));
    storage.get = get;
    assert.equal(removals, 2);
    assert.deepEqual([(await rows()).map(({ repository_id }) => repository_id), stored()], [[row.id], 1]);
    await reset();
  });

  it('are created once when two processes get requests for the same', async () => {
    const { row } = await repository('twice', 100);
    const request = await readArchiveRequest(context, row, 'main.zip', []);
    const storage = new DiskStorage(context.settings.storage.path);
    const made = [puts(context.storage), puts(storage)];
    const other = { ...(await anotherProcess(context)), storage };
    const [one, two] = await Promise.all([cachedArchive(context, row, request), cachedArchive(other, row, request)]);
    assert.equal(one?.size, two?.size);
    assert.equal(made.flatMap((end) => end()).length, 1);
    assert.deepEqual([(await rows()).length, stored()], [1, 1]);
    await reset();
  });

  it('are not created again when another process has published them since they were looked for', async () => {
    const { row } = await repository('late', 100);
    const request = await readArchiveRequest(context, row, 'main.zip', []);
    await cachedArchive(context, row, request);
    const before = await rows();
    const made = puts(context.storage);
    await makeArchive(context, row, request, before[0]?.key ?? '');
    assert.deepEqual([made(), await rows(), stored()], [[], before, 1]);
    await reset();
  });

  it('are made once by two servers with one data folder', { skip: !context.settings.database.url && 'PostgreSQL' }, async () => {
    const { path } = await repository('shared', 20_000);
    const { settings } = context;
    const second = await startServer({ ...settings, server: { ...settings.server, port: 0 } }, createLogger(settings.log));
    afterwards(() => second.close());
    const made = [puts(context.storage), puts(second.services.storage)];
    const callers = [alice, new Client(() => second.url, alice)];
    const responses = await Promise.all(Array.from({ length: 6 }, (_, n) => callers[n % 2]?.get(`${path}/archive/main.tar.gz`)));
    for (const response of responses) assert.deepEqual([response?.status, response?.bytes.length], [200, responses[0]?.bytes.length]);
    assert.equal(made.flatMap((end) => end()).length, 1);
    await reset();
  });

  it('are made by another process when the one that began is killed', async () => {
    const { path, row } = await repository('begun', 100);
    const { json: branch } = await alice.get(`${path}/branches/main`);
    const key = `archives/${(row.id % 256).toString(16).padStart(2, '0')}/${row.id}/${branch.commit.id}-begun.zip`;
    const builder = await anotherProcess(context);
    const left = { repository_id: row.id, blob: 'archives/00/left', key: `making ${key}`, created_at: now(), used_at: now(), size: 0 };
    await context.db
      .insertInto('archives')
      .values({ ...left, process_id: builder.processes.id })
      .execute();
    const response = alice.get(`${path}/archive/main.zip`);
    assert.equal(await Promise.race([response, sleep(100)]), undefined);
    await kill(builder);
    assert.equal((await response).status, 200);
    assert.deepEqual([(await rows()).map(({ blob }) => blob === left.blob), stored()], [[false], 1]);
    await reset();
  });

  it('are not taken from a dead process', async () => {
    const { row } = await repository('killed', 100);
    const blob = 'archives/00/killed';
    await context.storage.put(blob, Buffer.from('half'));
    const left = { repository_id: row.id, blob, key: `making ${blob}`, created_at: now(), used_at: now(), size: 0 };
    await context.db
      .insertInto('archives')
      .values({ ...left, process_id: context.processes.id })
      .execute();
    await expireArchives({}, context);
    assert.equal((await rows()).length, 1, 'it is being made');
    await context.db.updateTable('archives').set({ process_id: 999_999 }).execute();
    const temporary = join(context.settings.storage.path, 'tmp');
    await mkdir(temporary, { recursive: true });
    for (const name of ['old', 'new']) writeFileSync(join(temporary, name), 'half');
    utimesSync(join(temporary, 'old'), 1, 1);
    await expireArchives({}, context);
    assert.deepEqual([await rows(), stored(), readdirSync(temporary)], [[], 0, ['new']]);
  });
});
