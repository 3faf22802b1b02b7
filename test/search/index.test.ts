import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { forgetParts } from '../../src/search/find/parts.ts';
import { removeUnused } from '../../src/search/index/rows.ts';
import { indexFindings, updateStale } from '../../src/search/index/stale.ts';
import { change, found, indexed, pushed, search, searchServer } from './support.ts';

const t = await searchServer();
const alice = await t.user('alice');
const never = new AbortController().signal;
const rows = () => t.context.db.selectFrom('code_indexes').selectAll().orderBy('id').execute();
const stored = () => Array.fromAsync(t.context.storage.list('code-indexes/'));
const idOf = async (name: string): Promise<number> => (await alice.must('GET', `/repos/alice/${name}`)).id;
const indexOf = async (name: string) => {
  const id = await idOf(name);
  const row = (await rows()).find(({ repository_id }) => repository_id === id);
  assert.ok(row, `there is no index of ${name}`);
  return row;
};

describe('the index of code', () => {
  it('follows changes of files, and reads those alone', async () => {
    await pushed(alice, 'follows', { 'a.ts': 'const apple = 1;\n', 'b.ts': 'const banana = 2;\n', 'c.bin': 'x\0apple' });
    await indexed(t);
    assert.deepEqual(await found(alice, 'apple'), ['alice/follows:a.ts']);
    const { pool } = t.server.services.git;
    const read = pool.read.bind(pool);
    const contents: string[] = [];
    pool.read = async (repository, oid, options) => {
      const object = await read(repository, oid, options);
      // Counting languages reads with another bound.
      if (object?.size === options.maxSize) contents.push(object.data.toString());
      return object;
    };
    await change(alice, 'alice/follows', { 'a.ts': 'const cherry = 3;\n', 'd.ts': 'const apple = 4;\n', 'b.ts': '' });
    contents.length = 0;
    await indexed(t);
    pool.read = read;
    assert.deepEqual(contents.filter((text) => text.startsWith('const')).sort(), ['const apple = 4;\n', 'const cherry = 3;\n']);
    assert.deepEqual(await found(alice, 'apple'), ['alice/follows:d.ts']);
    assert.deepEqual(await found(alice, 'banana'), []);
    assert.deepEqual(await found(alice, 'cherry'), ['alice/follows:a.ts']);
    assert.equal((await stored()).length, 1, 'the bytes of the former index are gone');
  });

  it('of many small files is written in few pieces, also where those of the former index are kept', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${n}.txt`, `small ${n}\n`]));
    const { storage } = t.context;
    const put = storage.put.bind(storage);
    let pieces: number[] = [];
    storage.put = async (key, content, options) => {
      if (!key.startsWith('code-indexes/') || !(content instanceof Readable)) return await put(key, content, options);
      const read = await Array.fromAsync(content as AsyncIterable<Buffer>);
      pieces = read.map(({ length }) => length);
      return await put(key, Buffer.concat(read), options);
    };
    await pushed(alice, 'small', files);
    await indexed(t);
    assert.ok(pieces.length > 0 && pieces.length < 50, `${pieces.length} pieces`);
    pieces = [];
    await change(alice, 'alice/small', { 'new.txt': 'singular\n' });
    await indexed(t);
    storage.put = put;
    assert.ok(pieces.length > 0 && pieces.length < 50, `${pieces.length} pieces`);
    assert.deepEqual([await found(alice, 'singular'), (await found(alice, 'small 299')).length], [['alice/small:new.txt'], 1]);
  });

  it('follows another default branch, its new name, and a forced push', async () => {
    await pushed(alice, 'branches', { 'a.txt': 'mainly' });
    await alice.must('POST', '/repos/alice/branches/branches', { new_branch_name: 'other' });
    await change(alice, 'alice/branches', { 'a.txt': 'otherwise' }, 'other');
    await indexed(t);
    assert.deepEqual([await found(alice, 'mainly'), await found(alice, 'otherwise')], [['alice/branches:a.txt'], []]);
    await alice.must('PATCH', '/repos/alice/branches', { default_branch: 'other' });
    await indexed(t);
    assert.deepEqual([await found(alice, 'mainly'), await found(alice, 'otherwise')], [[], ['alice/branches:a.txt']]);
    await alice.must('PATCH', '/repos/alice/branches/branches/other', { name: 'renamed' });
    await indexed(t);
    const { items } = await search(alice, { q: 'otherwise' });
    assert.equal(items[0].branch, 'renamed');
    const clone = await mkdtemp(join(t.folder, 'clone-'));
    await alice.git(['clone', '-q', alice.remote('alice/branches'), clone], t.folder);
    await alice.git(['push', '-qf', 'origin', 'origin/main:refs/heads/renamed'], clone);
    await indexed(t);
    assert.deepEqual([await found(alice, 'mainly'), await found(alice, 'otherwise')], [['alice/branches:a.txt'], []]);
  });

  it('is made of forks, and goes with its repository', async () => {
    const bob = await t.user('bob');
    await pushed(alice, 'forked', { 'f.txt': 'forkable' });
    await bob.must('POST', '/repos/alice/forked/forks', {});
    await indexed(t);
    assert.deepEqual(await found(bob, 'forkable'), ['alice/forked:f.txt', 'bob/forked:f.txt']);
    const { key } = await indexOf('forked');
    await alice.must('DELETE', '/repos/alice/forked');
    assert.deepEqual(await found(bob, 'forkable'), ['bob/forked:f.txt']);
    await t.settled();
    assert.equal(await t.context.storage.info(key), undefined);
  });

  it('stays through a transfer, a new name and the archive', async () => {
    await pushed(alice, 'moving', { 'm.txt': 'movable' });
    await alice.must('POST', '/orgs', { username: 'acme' });
    await indexed(t);
    const before = await indexOf('moving');
    await alice.must('PATCH', '/repos/alice/moving', { name: 'moved', archived: true });
    await alice.must('PATCH', '/repos/alice/moved', { archived: false });
    await alice.must('POST', '/repos/alice/moved/transfer', { new_owner: 'acme' });
    await indexed(t);
    assert.deepEqual(await found(alice, 'movable'), ['acme/moved:m.txt']);
    assert.deepEqual(await found(alice, 'movable org:acme'), ['acme/moved:m.txt']);
    assert.deepEqual(await found(alice, 'movable user:alice'), []);
    assert.ok((await rows()).some(({ key }) => key === before.key));
  });

  it('is repaired when the job after a push was lost', async () => {
    await pushed(alice, 'repaired', { 'r.txt': 'before' });
    await indexed(t);
    await change(alice, 'alice/repaired', { 'r.txt': 'afterwards' });
    await t.context.db.deleteFrom('jobs').where('type', '=', 'code-search.update').execute();
    assert.deepEqual(await Array.fromAsync(indexFindings(t.context)), [], 'an index may be a while behind');
    await t.context.db.updateTable('repositories').set({ updated_at: 0 }).execute();
    const texts = async () => (await Array.fromAsync(indexFindings(t.context))).map(({ text }) => text);
    assert.deepEqual(await texts(), [`the search index of the repository ${await idOf('repaired')} is out of date`]);
    await updateStale(t.context, never);
    await indexed(t);
    assert.deepEqual(await found(alice, 'afterwards'), ['alice/repaired:r.txt']);
    assert.deepEqual(await texts(), []);
  });

  it('is made again when its bytes are lost', async () => {
    await pushed(alice, 'lost', { 'l.txt': 'losable' });
    await indexed(t);
    const index = await indexOf('lost');
    await t.context.storage.delete(index.key);
    assert.match((await Array.fromAsync(indexFindings(t.context)))[0]?.text ?? '', /bytes of the search index/);
    forgetParts(t.context, index);
    // The job that the first search adds waits until the second has seen that it is pending.
    const { storage } = t.context;
    const put = storage.put.bind(storage);
    const held = Promise.withResolvers<void>();
    storage.put = (...content) => held.promise.then(() => put(...content));
    try {
      assert.equal((await search(alice, { q: 'losable' })).incomplete_results, true);
      assert.equal((await search(alice, { q: 'losable' })).index_pending, true);
    } finally {
      storage.put = put;
      held.resolve();
    }
    await indexed(t);
    assert.deepEqual(await found(alice, 'losable'), ['alice/lost:l.txt']);
  });

  it('leaves nothing of a process that died while it made one', async () => {
    const key = 'code-indexes/01/1/unfinished';
    await t.context.storage.put(key, Buffer.from('half'));
    const row = { repository_id: 1, state: 'making' as const, key, format: 1, created_at: 0 };
    await t.context.db
      .insertInto('code_indexes')
      .values([
        { ...row, process_id: 999_999 },
        { ...row, key: `${key}2`, process_id: t.context.processes.id },
      ])
      .execute();
    await removeUnused(t.context);
    assert.equal(await t.context.storage.info(key), undefined);
    const making = (await rows()).filter(({ state }) => state === 'making');
    assert.deepEqual(
      making.map((each) => each.key),
      [`${key}2`],
      'one that is being made stays',
    );
  });
});
