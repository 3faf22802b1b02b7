import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { BLOB_OWNERS } from '../../src/cli/blob-owners.ts';
import { internalContext } from '../../src/context.ts';
import { blobFindings } from '../../src/repositories/doctor/blobs.ts';
import { countFindings } from '../../src/repositories/doctor/counts.ts';
import type { Finding } from '../../src/repositories/doctor/finding.ts';
import { folderFindings, strayFolders } from '../../src/repositories/doctor/folders.ts';
import { unfinishedRepositories } from '../../src/repositories/doctor/states.ts';
import { testServer } from '../support/server.ts';

/** A picture of one pixel, as base64. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const t = await testServer();
const alice = await t.user('alice');
for (const name of ['one', 'two', 'three', 'four']) await alice.must('POST', '/user/repos', { name, auto_init: true });
const rowOf = (name: string) => t.context.db.selectFrom('repositories').selectAll().where('name', '=', name).executeTakeFirstOrThrow();
const folderOf = async (name: string) => t.context.git.locate(await rowOf(name)).path;

async function* all(): AsyncGenerator<Finding> {
  const context = internalContext(t.server.services);
  yield* unfinishedRepositories(context);
  yield* strayFolders(context);
  yield* folderFindings(context, { fsck: true });
  yield* countFindings(context);
  for (const owners of BLOB_OWNERS) yield* blobFindings(context, owners);
}
const texts = async () => (await Array.fromAsync(all())).map(({ text }) => text);

describe('copse doctor', () => {
  it('finds nothing where nothing is wrong', async () => {
    assert.deepEqual(await texts(), []);
  });

  it('finds what crashes left, and repairs it', async () => {
    const { db } = t.context;
    const paths = { three: await folderOf('three'), four: await folderOf('four') };
    await db.updateTable('repositories').set({ state: 'creating' }).where('name', '=', 'three').execute();
    await db.updateTable('repositories').set({ state: 'deleting', lower_name: 'four/4' }).where('name', '=', 'four').execute();
    await db.updateTable('users').set({ repos_count: 17, stars_count: 3 }).where('name', '=', 'alice').execute();
    await db.updateTable('repositories').set({ watchers_count: 9, branches_count: 5, is_empty: true }).where('name', '=', 'one').execute();
    await writeFile(join(await folderOf('two'), 'HEAD'), 'ref: refs/heads/elsewhere\n');
    const leftover = join(t.context.git.root, '07', '.7.git.new-0123456789ab');
    const stray = join(t.context.git.root, '07', '99999.git');
    for (const path of [leftover, stray]) await mkdir(path, { recursive: true });
    await utimes(leftover, 1000, 1000);

    const found = await Array.fromAsync(all());
    const text = found.map((finding) => finding.text).join('\n');
    for (const pattern of [
      /three\) was never finished/,
      /four\) was never wholly deleted/,
      /repos_count is 17, not/,
      /stars_count is 3, not 0/,
    ]) {
      assert.match(text, pattern);
    }
    assert.match(text, /watchers_count is 9, not 1/);
    assert.match(text, /one .*has 1 branches, not 5/);
    assert.match(text, /two .*has HEAD on refs\/heads\/elsewhere, not on refs\/heads\/main/);
    assert.match(text, /interrupted change/);
    assert.match(text, /belongs to no repository/);

    for (const finding of found) await finding.fix?.();
    // Repairing what was unfinished changes counts as well, so that they are counted once more.
    for (const finding of await Array.fromAsync(all())) await finding.fix?.();
    assert.deepEqual(await texts(), []);
    for (const path of [paths.three, paths.four, leftover, stray]) assert.equal(existsSync(path), false, path);
    assert.equal((await alice.must('GET', '/repos/alice/one')).empty, false);
    assert.equal((await alice.must('POST', '/user/repos', { name: 'three' })).empty, true);
  });

  it('finds bytes without rows, and rows without bytes', async () => {
    const { storage, settings } = t.context;
    const strays = BLOB_OWNERS.map(({ prefix }) => `${prefix}ab/123`);
    for (const key of strays) await storage.put(key, Buffer.from('x'));
    // They may be on their way to a row.
    assert.deepEqual(await texts(), []);
    for (const key of strays) await utimes(join(settings.storage.path, key), 1000, 1000);
    const found = await Array.fromAsync(all());
    assert.deepEqual(
      found.map(({ text, removes }) => [text, removes]),
      BLOB_OWNERS.map(({ prefix, what }) => [`${prefix}ab/123 in the storage belongs to no ${what}`, true]),
    );
    for (const finding of found) await finding.fix?.();
    await alice.must('POST', '/user/avatar', { image: PIXEL });
    await alice.must('POST', '/repos/alice/one/avatar', { image: PIXEL });
    assert.deepEqual(await texts(), []);
    const avatars = await Promise.all(['avatars/', 'repo-avatars/'].map((prefix) => Array.fromAsync(storage.list(prefix))));
    for (const { key } of avatars.flat()) await storage.delete(key);
    const lost = await texts();
    assert.equal(lost.length, 2);
    assert.match(lost.join(), /the bytes of the picture of an account \d+ are lost: avatars\/.*the picture of a repository/);
    await alice.must('DELETE', '/user/avatar');
    await alice.must('DELETE', '/repos/alice/one/avatar');
  });

  it('reports what it cannot repair: damage and missing folders', async () => {
    await rm(join(await folderOf('one'), 'objects'), { recursive: true });
    await mkdir(join(await folderOf('one'), 'objects', 'pack'), { recursive: true });
    await rm(await folderOf('two'), { recursive: true });
    const found = await Array.fromAsync(all());
    const damaged = found.find(({ text }) => /one .* is damaged/.test(text));
    const missing = found.find(({ text }) => /two .* has no folder/.test(text));
    assert.ok(damaged && missing);
    assert.deepEqual([damaged.fix, missing.fix], [undefined, undefined]);
  });
});
