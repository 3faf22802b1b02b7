import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, mock } from 'node:test';
import { now } from '../../src/clock.ts';
import { collectObjects } from '../../src/lfs/objects/collect.ts';
import { largeFileFindings } from '../../src/lfs/objects/doctor.ts';
import { unlinkObjects } from '../../src/lfs/objects/links.ts';
import { lfsKey } from '../../src/lfs/objects/stored.ts';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';
import { download, largeFile, pointerOf, rowOf, type TestObject, upload } from './objects.ts';

const t = await testServer({ lfs: { unlinkedExpiry: 0 } });
const alice = await t.user('alice');
const bob = await t.user('bob');
const { db } = t.context;

const has = async (caller: Client, repository: string, { oid }: TestObject) => (await download(caller, repository, oid)).status === 200;
const stored = ({ oid }: TestObject) => db.selectFrom('lfs_objects').selectAll().where('oid', '=', oid).executeTakeFirst();
const make = (owner: Client, name: string, more = {}) =>
  owner.must('POST', '/user/repos', { name, auto_init: true, default_branch: 'main', ...more });
const write = (who: Client, repository: string, path: string, text: string) =>
  who.must('POST', `/repos/${repository}/contents/${path}`, { content: Buffer.from(text).toString('base64') });
const sizes = async (owner: string, name: string) => {
  const { size, lfs_size } = await rowOf(t, owner, name);
  return { git: size - lfs_size, lfs: lfs_size };
};

describe('large files of a repository', () => {
  it('count in its size, also after maintenance', async () => {
    await make(alice, 'sized');
    await t.settled();
    const before = await sizes('alice', 'sized');
    const file = largeFile(Buffer.alloc(200_000, 1));
    await upload(alice, 'alice/sized', file);
    await upload(alice, 'alice/sized', file);
    assert.deepEqual(await sizes('alice', 'sized'), { ...before, lfs: 200_000 });
    await write(alice, 'alice/sized', 'a.txt', 'a');
    await t.settled();
    const after = await sizes('alice', 'sized');
    assert.equal(after.lfs, 200_000);
    assert.ok(after.git < 200_000, String(after.git));
    assert.ok((await alice.get('/repos/alice/sized')).json.size >= 195);
  });

  it('come along to forks and from templates, and stay until the last repository goes', async () => {
    await make(alice, 'source', { template: true });
    const file = largeFile();
    await upload(alice, 'alice/source', file);
    await alice.must('PATCH', '/repos/alice/source', { template: true });
    await bob.must('POST', '/repos/alice/source/forks', {});
    await bob.must('POST', '/repos/alice/source/generate', { owner: 'bob', name: 'generated', git_content: true });
    await bob.must('POST', '/repos/alice/source/generate', { owner: 'bob', name: 'labelled', labels: true });
    assert.deepEqual(
      [await has(bob, 'bob/source', file), await has(bob, 'bob/generated', file), await has(bob, 'bob/labelled', file)],
      [true, true, false],
    );
    await t.settled();
    assert.equal((await sizes('bob', 'source')).lfs, file.size);
    // Names lead nowhere: what moves keeps its files.
    await bob.must('PATCH', '/repos/bob/source', { name: 'renamed' });
    await t.admin.must('POST', '/repos/bob/renamed/transfer', { new_owner: 'alice' });
    assert.equal(await has(alice, 'alice/renamed', file), true);

    const row = await stored(file);
    assert.ok(row);
    for (const name of ['alice/source', 'bob/generated']) await t.admin.must('DELETE', `/repos/${name}`);
    await t.settled();
    assert.deepEqual(await stored(file).then((kept) => kept?.blob), row.blob);
    await alice.must('DELETE', '/repos/alice/renamed');
    await eventually(async () => (await stored(file)) === undefined, 'the collection of the object');
    await eventually(async () => (await t.context.storage.info(lfsKey(row))) === undefined, 'the removal of its bytes');
    // It can come again.
    await upload(bob, 'bob/labelled', file);
    assert.equal(await has(bob, 'bob/labelled', file), true);
  });

  it('go with their bytes even if the process ends between their rows and these', async () => {
    await make(alice, 'ended');
    await t.settled();
    const [file, next] = [largeFile('ended'), largeFile('next')];
    const { storage } = t.context;
    for (const one of [file, next]) await upload(alice, 'alice/ended', one);
    const rows = [await stored(file), await stored(next)];
    const bytes = () => Promise.all(rows.map(async (row) => row && (await storage.info(lfsKey(row)))?.size));
    const { id } = await rowOf(t, 'alice', 'ended');
    const killed = mock.method(storage, 'delete', async () => {
      throw new Error('killed');
    });
    await unlinkObjects(t.context, id, [rows[0]?.id ?? 0]);
    await assert.rejects(collectObjects({}, t.context), /killed/);
    killed.mock.restore();
    assert.deepEqual([await stored(file), await bytes()], [undefined, [file.size, next.size]]);
    await db.updateTable('jobs').set({ due_at: 0 }).where('type', '=', 'lfs.remove-bytes').execute();
    await t.settled();
    assert.deepEqual(await bytes(), [undefined, next.size]);

    await unlinkObjects(t.context, id, [rows[1]?.id ?? 0]);
    await collectObjects({}, t.context);
    const jobs = await db.selectFrom('jobs').select('id').where('type', '=', 'lfs.remove-bytes').execute();
    assert.deepEqual([await bytes(), jobs], [[undefined, undefined], []]);
  });

  it('go to the base with a merge', async () => {
    await make(alice, 'base');
    await bob.must('POST', '/repos/alice/base/forks', {});
    const [file, unused, other] = [largeFile(), largeFile(), largeFile('not in the fork')];
    for (const one of [file, unused]) await upload(bob, 'bob/base', one);
    await make(alice, 'elsewhere', { private: true });
    await upload(alice, 'alice/elsewhere', other);
    await write(bob, 'bob/base', 'big.bin', pointerOf(file));
    await write(bob, 'bob/base', 'other.bin', pointerOf(other));
    const { number } = await bob.must('POST', '/repos/alice/base/pulls', { head: 'bob:main', base: 'main', title: 'Large' });
    await t.settled();
    assert.equal(await has(alice, 'alice/base', file), false);
    await alice.must('POST', `/repos/alice/base/pulls/${number}/merge`, { do: 'merge' });
    await t.settled();
    assert.deepEqual(
      [await has(alice, 'alice/base', file), await has(alice, 'alice/base', unused), await has(alice, 'alice/base', other)],
      [true, false, false],
    );
  });

  it('come to a fork with the commits of its source', async () => {
    await make(alice, 'spring');
    for (const who of [bob, t.admin]) await who.must('POST', '/repos/alice/spring/forks', {});
    await write(bob, 'bob/spring', 'mine.txt', 'mine');
    const { number } = await bob.must('POST', '/repos/alice/spring/pulls', { head: 'bob:main', base: 'main', title: 'Mine' });
    const [merged, rebased, unused, private_] = [largeFile(), largeFile(), largeFile(), largeFile('not in the fork')];
    for (const file of [merged, rebased, unused]) await upload(alice, 'alice/spring', file);
    await make(alice, 'hidden', { private: true });
    await upload(alice, 'alice/hidden', private_);

    await write(alice, 'alice/spring', 'merged.bin', pointerOf(merged));
    await write(alice, 'alice/spring', 'hidden.bin', pointerOf(private_));
    await bob.must('POST', `/repos/alice/spring/pulls/${number}/update`);
    await t.settled();
    assert.equal(await has(bob, 'bob/spring', merged), true);

    await write(alice, 'alice/spring', 'rebased.bin', pointerOf(rebased));
    // What the fork's own commits name does not come along.
    await write(bob, 'bob/spring', 'unused.bin', pointerOf(unused));
    await bob.must('POST', `/repos/alice/spring/pulls/${number}/update?style=rebase`);
    await t.settled();
    const others = await Promise.all([rebased, unused, private_].map((file) => has(bob, 'bob/spring', file)));
    assert.deepEqual(others, [true, false, false]);

    const fork = `/repos/${t.admin.name}/spring`;
    await t.admin.must('POST', `${fork}/merge-upstream`, { branch: 'main' });
    await t.settled();
    assert.deepEqual(await Promise.all([merged, rebased, unused].map((file) => has(t.admin, fork.slice(7), file))), [true, true, false]);
  });

  it('that no commit names go with the task gc_lfs, a week later', async () => {
    await make(alice, 'cleaned');
    const [named, odd, unused, young] = [largeFile(), largeFile(), largeFile(), largeFile()];
    for (const file of [named, odd, unused, young]) await upload(alice, 'alice/cleaned', file);
    await write(alice, 'alice/cleaned', 'named.bin', pointerOf(named));
    await write(alice, 'alice/cleaned', 'odd.bin', pointerOf(odd).replaceAll('\n', '\r\n'));
    await t.settled();
    const ids = await Promise.all([named, odd, unused].map(async (file) => (await stored(file))?.id ?? 0));
    const old = now() - 8 * 24 * 3600;
    await db.updateTable('lfs_links').set({ created_at: old, seen_at: old }).where('object_id', 'in', ids).execute();
    assert.equal((await t.admin.post('/admin/cron/gc_lfs')).status, 204);
    await eventually(async () => !(await has(alice, 'alice/cleaned', unused)), 'the task');
    await t.settled();
    assert.deepEqual(await Promise.all([named, odd, unused, young].map((file) => has(alice, 'alice/cleaned', file))), [
      true,
      true,
      false,
      true,
    ]);
    assert.equal(await stored(unused), undefined);
    assert.equal((await sizes('alice', 'cleaned')).lfs, named.size + odd.size + young.size);
  });
});

it('a doctor finds lost objects, bytes of nothing, and wrong sizes', async () => {
  const findings = () => Array.fromAsync(largeFileFindings(t.context));
  await make(alice, 'ill');
  const [lost, kept] = [largeFile(), largeFile()];
  for (const file of [lost, kept]) await upload(alice, 'alice/ill', file);
  await t.settled();
  assert.deepEqual(await findings(), []);
  const row = await stored(lost);
  assert.ok(row);
  await t.context.storage.delete(lfsKey(row));
  const stray = [`lfs/ab/cd/${'e'.repeat(60)}-0123`, lfsKey({ ...row, blob: 'ffff' })];
  for (const key of stray) await t.context.storage.put(key, Buffer.from('x'));
  const ill = await rowOf(t, 'alice', 'ill');
  await db.updateTable('repositories').set({ lfs_size: 1, size: 101 }).where('id', '=', ill.id).execute();
  // What was stored a moment ago may get its row yet.
  assert.equal((await findings()).length, 2);
  const old = now() - 2 * 24 * 3600;
  for (const key of stray) await utimes(join(t.context.settings.storage.path, key), old, old);
  const found = await findings();
  const texts = found.map(({ text }) => text).sort();
  const expected = [
    `repositories ${ill.id}: lfs_size is 1, not ${lost.size + kept.size}`,
    `the large file ${lost.oid} of 40 bytes is lost: push it again to one of the repositories ${ill.id}`,
    ...stray.map((key) => `${key} in the storage is not a large file`),
  ];
  assert.deepEqual(texts, expected.sort());
  for (const { fix } of found) await fix?.();
  assert.deepEqual(await sizes('alice', 'ill'), { git: 100, lfs: lost.size + kept.size });
  assert.equal(await has(alice, 'alice/ill', kept), true);
  await upload(alice, 'alice/ill', lost);
  assert.deepEqual(await findings(), []);
});
