import assert from 'node:assert/strict';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { readCommit, readCommits } from '../../../src/git/objects/commits.ts';
import { readLooseObject } from '../../../src/git/objects/loose-object.ts';
import { ObjectTooLargeError } from '../../../src/git/objects/object.ts';
import { GitPool } from '../../../src/git/objects/objects.ts';
import { GitError } from '../../../src/git/processes/process.ts';
import { eventually } from '../../support/eventually.ts';
import { createFixture } from '../fixture.ts';

const pool = new GitPool({ maxProcesses: 2 });
after(() => pool.close());

describe('object pool', () => {
  for (const objectFormat of ['sha1', 'sha256'] as const) {
    it(`reads objects of a ${objectFormat} repository`, async () => {
      await using fixture = await createFixture([{ label: 'one', files: { 'a.txt': 'hello\n', 'empty.txt': '' } }], { objectFormat });
      const { repository } = fixture;
      const [hello, empty] = [await fixture.git(['rev-parse', 'main:a.txt']), await fixture.git(['rev-parse', 'main:empty.txt'])];
      assert.deepEqual(await pool.info(repository, hello), { oid: hello, type: 'blob', size: 6 });
      assert.equal((await pool.read(repository, hello, { maxSize: 6 }))?.data.toString(), 'hello\n');
      assert.equal((await pool.read(repository, empty, { maxSize: 0 }))?.data.length, 0);
      assert.equal((await pool.info(repository, fixture.id('one')))?.type, 'commit');
      assert.equal(await pool.info(repository, hello.replace(/./g, '1')), undefined);
    });
  }

  it('responds to many concurrent requests, each with its own result', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i}.txt`, `content ${i}\n`.repeat(i)]));
    await using fixture = await createFixture([{ files }]);
    const listing = (await fixture.git(['ls-tree', 'main'])).split('\n').map((line) => line.split(/\s/));
    const read = await Promise.all(listing.map(([, , oid = '']) => pool.read(fixture.repository, oid, { maxSize: 1e6 })));
    listing.forEach(([, , , name = ''], i) => {
      assert.equal(read[i]?.data.toString(), files[name]);
    });
  });

  it('refuses objects beyond the bound and goes on afterwards', async () => {
    const large = Buffer.alloc(300_000, 'x');
    await using fixture = await createFixture([{ label: 'one', files: { large } }]);
    const oid = await fixture.git(['rev-parse', 'main:large']);
    await assert.rejects(pool.read(fixture.repository, oid, { maxSize: 299_999 }), ObjectTooLargeError);
    assert.equal((await pool.read(fixture.repository, oid, { maxSize: 300_000 }))?.size, 300_000);
    assert.deepEqual(await buffer(pool.createReadStream(fixture.repository, oid)), large);
  });

  it('keeps contents in memory of their own, whether git or a file had them', async () => {
    await using fixture = await createFixture([{ files: { 'a.txt': 'hello\n' } }]);
    const oid = await fixture.git(['rev-parse', 'main:a.txt']);
    const read = () => pool.read(fixture.repository, oid, { maxSize: 6 });
    const [loose, kept] = [await read(), await read()];
    assert.equal(loose?.data, kept?.data);
    assert.equal(kept?.data.buffer.byteLength, 6);
    await fixture.git(['repack', '-adq']);
    await pool.forget(fixture.repository);
    await read();
    assert.equal((await read())?.data.buffer.byteLength, 6);
  });

  it('lets nothing but hexadecimal digits reach git', async () => {
    await using fixture = await createFixture([{ label: 'one', files: { a: 'x' } }]);
    const { repository } = fixture;
    for (const name of ['main', 'HEAD\nflush', '-h', `${fixture.id('one')}\n`, '', `${fixture.id('one').slice(1)}\0`]) {
      assert.equal(await pool.info(repository, name), undefined);
      assert.equal(await pool.commitByPrefix(repository, name), undefined);
      assert.equal(await readCommit(repository, pool, name), undefined);
      assert.throws(() => pool.createReadStream(repository, name), TypeError);
    }
  });

  it('finds a commit by the beginning of its id', async () => {
    await using fixture = await createFixture([{ label: 'one', files: { a: 'x' } }]);
    const id = fixture.id('one');
    assert.equal(await pool.commitByPrefix(fixture.repository, id.slice(0, 7)), id);
    assert.equal(await pool.commitByPrefix(fixture.repository, id.slice(0, 3)), undefined);
    const blob = await fixture.git(['rev-parse', 'main:a']);
    assert.equal(await pool.commitByPrefix(fixture.repository, blob.slice(0, 9)), undefined);
    await fixture.git(['branch', 'abcdef', 'main']);
    assert.equal(await pool.commitByPrefix(fixture.repository, 'abcdef'), undefined);
  });

  it('sees objects that were written after its process had started', async () => {
    await using fixture = await createFixture([{ label: 'one', files: { a: 'x' } }]);
    await readCommit(fixture.repository, pool, fixture.id('one'));
    const oid = await fixture.git(['hash-object', '-w', '--stdin'], { input: 'later' });
    assert.equal((await pool.read(fixture.repository, oid, { maxSize: 10 }))?.data.toString(), 'later');
    await fixture.git(['repack', '-adq']);
    await pool.forget(fixture.repository);
    assert.equal((await readCommit(fixture.repository, pool, fixture.id('one')))?.oid, fixture.id('one'));
  });

  it('keeps no more processes than it may, and serves all', async () => {
    const fixtures = await Promise.all(Array.from({ length: 5 }, (_, i) => createFixture([{ label: 'one', files: { a: `${i}` } }])));
    for (const fixture of fixtures) await fixture.git(['repack', '-adq']);
    const own = new GitPool({ maxProcesses: 2 });
    try {
      for (let round = 0; round < 3; round++) {
        const oids = fixtures.map((fixture) => fixture.id('one'));
        const read = await Promise.all(fixtures.map((fixture, i) => own.info(fixture.repository, oids[i] ?? '')));
        assert.deepEqual(
          read.map((info) => info?.oid),
          oids,
        );
        assert.ok(own.processes.size <= 2);
        for (const fixture of fixtures) own.cache.forget(fixture.repository);
      }
    } finally {
      await own.close();
      await Promise.all(fixtures.map((fixture) => fixture[Symbol.asyncDispose]()));
    }
    await assert.rejects(own.info({ path: '/tmp', objectFormat: 'sha1' }, 'a'.repeat(40)), /closed/);
  });

  it('reads a few loose objects without a process, and leaves to git what is large, broken or wanted often', async () => {
    const large = 'x'.repeat(100_000);
    await using fixture = await createFixture([{ label: 'one', files: { a: 'x', large } }]);
    const { repository } = fixture;
    const own = new GitPool();
    try {
      assert.equal((await readCommit(repository, own, fixture.id('one')))?.oid, fixture.id('one'));
      const small = await fixture.git(['rev-parse', 'HEAD:a']);
      assert.deepEqual(await own.info(repository, small), { oid: small, type: 'blob', size: 1 });
      assert.equal((await own.read(repository, small, { maxSize: 10 }))?.data.toString(), 'x');
      assert.equal(own.processes.size, 0);
      const found = await own.read(repository, await fixture.git(['rev-parse', 'HEAD:large']), { maxSize: large.length });
      assert.equal(found?.data.toString(), large);
      assert.equal(own.processes.size, 1);
    } finally {
      await own.close();
    }
    const often = new GitPool();
    try {
      for (let read = 0; read < 40; read++) {
        often.cache.forget(repository);
        await readCommit(repository, often, fixture.id('one'));
      }
      assert.equal(often.processes.size, 1);
    } finally {
      await often.close();
    }
    const path = join(repository.path, 'objects', fixture.id('one').slice(0, 2), fixture.id('one').slice(2));
    await chmod(path, 0o600);
    await writeFile(path, 'no object');
    assert.equal(readLooseObject(join(repository.path, 'objects'), fixture.id('one')), undefined);
  });

  it('ends idle processes by itself', async () => {
    await using fixture = await createFixture([{ label: 'one', files: { a: 'x' } }]);
    await fixture.git(['repack', '-adq']);
    const own = new GitPool({ quietMs: 50 });
    await own.info(fixture.repository, fixture.id('one'));
    assert.equal(own.processes.size, 1);
    await eventually(() => own.processes.size === 0);
    assert.ok(await own.read(fixture.repository, fixture.id('one'), { maxSize: 1000 }));
    await own.close();
  });

  it('fails for a missing repository, and the pool lives on', async () => {
    const fixture = await createFixture([{ label: 'one', files: { a: 'x' } }]);
    await rm(fixture.repository.path, { recursive: true });
    await assert.rejects(pool.info(fixture.repository, fixture.id('one')));
    await assert.rejects(buffer(pool.createReadStream(fixture.repository, fixture.id('one'))));
    await fixture[Symbol.asyncDispose]();
    await using other = await createFixture([{ label: 'one', files: { a: 'x' } }]);
    assert.ok(await pool.info(other.repository, other.id('one')));
    await assert.rejects(buffer(pool.createReadStream(other.repository, 'a'.repeat(40))), GitError);
  });

  it('keeps nothing that was read through a quarantine', async () => {
    await using fixture = await createFixture([{ label: 'one', files: { a: 'x' } }]);
    const objects = `${fixture.repository.path}/objects`;
    const quarantine = { GIT_OBJECT_DIRECTORY: `${fixture.repository.path}/incoming`, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
    await mkdir(quarantine.GIT_OBJECT_DIRECTORY);
    const oid = await fixture.git(['hash-object', '-w', '--stdin'], { input: 'secret', env: quarantine });
    const pushed = { ...fixture.repository, quarantine };
    assert.equal((await pool.read(pushed, oid, { maxSize: 10 }))?.data.toString(), 'secret');
    assert.equal((await readCommit(pushed, pool, fixture.id('one')))?.oid, fixture.id('one'));
    assert.equal(await pool.read(fixture.repository, oid, { maxSize: 10 }), undefined);
    await pool.forget(fixture.repository);
  });

  it('bounds what it remembers', async () => {
    await using fixture = await createFixture(Array.from({ length: 50 }, (_, i) => ({ label: `${i}`, files: { a: `${i}` } })));
    const own = new GitPool({ cacheBytes: 10_000 });
    const commits = await readCommits(
      fixture.repository,
      own,
      Array.from({ length: 50 }, (_, i) => fixture.id(`${i}`)),
    );
    assert.equal(commits.length, 50);
    assert.ok(own.cache.bytes <= 10_000);
    await own.close();
  });
});
