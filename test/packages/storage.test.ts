import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { before, describe, it, mock } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import type { Context } from '../../src/context.ts';
import type { User } from '../../src/database/tables/accounts.ts';
import { collectPackages } from '../../src/packages/blobs/collect.ts';
import { blobKey, readBlob } from '../../src/packages/blobs/content.ts';
import { packageFindings } from '../../src/packages/blobs/doctor.ts';
import { SMALL_BYTES, storeBlob } from '../../src/packages/blobs/store.ts';
import { publish } from '../../src/packages/registry/publish.ts';
import { BlobTooLargeError } from '../../src/storage/storage.ts';
import { testServer } from '../support/server.ts';
import { agedStorage, digestsOf, inShort, registry, storedKeys } from './support/registry.ts';

const t = await testServer({ packages: { unlinkedExpiry: 0, limitTotalOwnerCount: 3, limitTotalOwnerSize: 20 } });
const alice = await t.user('alice');
let owner: User;
const collect = () => collectPackages(t.context, new AbortController().signal);
const bytes = (text: string) => Readable.from([Buffer.from(text)], { objectMode: false });
const message = (expected: RegExp) => (error: unknown) => expected.test((error as Error).message);

before(async () => {
  owner = (await findUser(t.context.db, 'alice')) as User;
});

describe('a content', () => {
  it('goes with its bytes even if the process ends between its row and them', async () => {
    const before = await storedKeys(t);
    await storeBlob(t.context, bytes('soon gone'));
    const { storage } = t.context;
    const killed = mock.method(storage, 'delete', async () => {
      throw new Error('killed');
    });
    await assert.rejects(collect(), message(/killed/));
    killed.mock.restore();
    assert.equal((await storedKeys(t)).length, before.length + 1);
    await t.context.db.updateTable('jobs').set({ due_at: 0 }).where('type', '=', 'packages.remove-bytes').execute();
    await t.settled();
    assert.deepEqual(await storedKeys(t), before);
  });

  it('leaves no job once its bytes are gone', async () => {
    await storeBlob(t.context, bytes('gone'));
    await collect();
    assert.deepEqual(await t.context.db.selectFrom('jobs').select('id').where('type', '=', 'packages.remove-bytes').execute(), []);
  });

  it('is refused if it is not what was declared, and leaves nothing', async () => {
    const before = await storedKeys(t);
    for (const expected of [{ size: 3 }, ...Object.keys(digestsOf('')).map((name) => ({ [name]: digestsOf('other')[name as 'md5'] }))]) {
      await assert.rejects(storeBlob(t.context, bytes('text'), expected), message(/that was declared/));
    }
    await assert.rejects(storeBlob(t.context, bytes('text'), { maxSize: 3 }), BlobTooLargeError);
    await assert.rejects(
      storeBlob(
        t.context,
        new Readable({
          read() {
            this.destroy(new Error('gone'));
          },
        }),
      ),
      message(/gone/),
    );
    assert.deepEqual(await storedKeys(t), before);
    const stored = await storeBlob(t.context, bytes('text'), { ...digestsOf('text'), size: 4, maxSize: 4 });
    assert.equal((await readBlob(t.context, stored, 4)).toString(), 'text');
    await assert.rejects(readBlob(t.context, stored, 3), message(/more than 3 bytes/));
  });

  it('is stored once, also by those who do it at once', async () => {
    const stored = await Promise.all(Array.from({ length: 5 }, () => storeBlob(t.context, bytes('five times'))));
    assert.equal(new Set(stored.map(({ id, blob }) => `${id} ${blob}`)).size, 1);
    const keys = await storedKeys(t);
    assert.equal(keys.filter((key) => stored.some((row) => key === blobKey(row))).length, 1);
  });

  it('is not written again, unless its bytes are lost', async () => {
    const { settings, storage } = t.context;
    const context = { ...t.context, settings: { ...settings, packages: { ...settings.packages, unlinkedExpiry: 3_600_000 } } };
    const first = await storeBlob(context, bytes('again'));
    const put = mock.method(storage, 'put');
    try {
      assert.deepEqual(await storeBlob(context, bytes('again')), first);
      assert.equal(put.mock.callCount(), 0);
      await storage.delete(blobKey(first));
      const restored = await storeBlob(context, bytes('again'));
      assert.deepEqual([restored.id, put.mock.callCount()], [first.id, 1]);
      assert.equal((await readBlob(context, restored, 5)).toString(), 'again');
    } finally {
      put.mock.restore();
    }
  });

  it('gets the digests that it was stored without when somebody stores it with them', async () => {
    for (const upload of [
      (large: Buffer) => storeBlob(t.context, bytes(large.toString())),
      (large: Buffer) => storeBlob(t.context, large),
    ]) {
      const large = Buffer.alloc(SMALL_BYTES + 1, `${upload}`);
      const { id, md5, sha1, sha256, sha512, blob } = await storeBlob(t.context, bytes(large.toString()), { isSha256Enough: true });
      const digests = digestsOf(large);
      assert.deepEqual({ md5, sha1, sha256, sha512 }, { md5: '', sha1: '', sha256: digests.sha256, sha512: '' });
      const stored = await upload(large);
      assert.deepEqual([stored.id, stored.blob, stored.size], [id, blob, large.length]);
      assert.deepEqual(digestsOf(large), { md5: stored.md5, sha1: stored.sha1, sha256: stored.sha256, sha512: stored.sha512 });
      const { id: again } = await storeBlob(t.context, bytes(large.toString()), { isSha256Enough: true });
      const [row] = await t.context.db.selectFrom('package_blobs').selectAll().where('id', '=', again).execute();
      assert.equal(row?.md5, digests.md5);
    }
  });

  it('cannot be published after it has expired', async () => {
    const blob = await storeBlob(t.context, bytes('expired'));
    await collect();
    assert.deepEqual(await storedKeys(t), []);
    const files = [{ name: 'file', blob }];
    await assert.rejects(publish(t.context, { owner, type: 'generic', name: 'late', version: '1', files }), message(/has expired/));
    assert.equal((await t.context.db.selectFrom('packages').select('id').execute()).length, 0);
  });

  it('is found by the doctor when its bytes are lost, and bytes of nothing are', async () => {
    await registry('alice').put(alice, 'generic/doctor/1/file', 'lost');
    const blob = await storeBlob(t.context, bytes('lost'));
    await t.context.storage.delete(blobKey(blob));
    await t.context.storage.put('packages/aa/stray', Buffer.from('x'));
    const findings = () => Array.fromAsync(packageFindings(t.context));
    assert.deepEqual(
      (await findings()).map(({ text }) => text),
      [`the content ${blob.sha256} of generic doctor 1 file is lost: publish it again`],
    );
    // What is younger than a day may be on its way.
    const old: Context = { ...t.context, storage: { ...agedStorage(t.context) } };
    const found = await Array.fromAsync(packageFindings(old));
    const stray = found.find(({ text }) => text === 'packages/aa/stray in the storage belongs to no package');
    assert.equal(stray?.removes, true);
    await stray?.fix?.();
    assert.ok(!(await storedKeys(t)).includes('packages/aa/stray'));
    await alice.delete('/packages/alice/generic/doctor');
    await collect();
  });
});

describe('what an owner has', () => {
  it('is limited in number and size, for all but administrators', async () => {
    const packages = registry('alice');
    const put = async (name: string, content: string, caller = alice) =>
      inShort(await packages.put(caller, `generic/${name}/1/file`, content));
    assert.deepEqual(await put('one', '0123456789'), [201, '']);
    assert.deepEqual(await put('two', '01234567890'), [403, 'maximum allowed package storage quota exceeded']);
    assert.deepEqual(await put('two', 'x'), [201, '']);
    assert.deepEqual(await put('three', 'x'), [201, '']);
    assert.deepEqual(await put('four', 'x'), [403, 'maximum allowed package count exceeded']);
    assert.equal((await packages.get(alice, 'generic/four/1/file')).status, 404);
    assert.deepEqual(await put('four', 'x', t.admin), [201, '']);
  });

  it('takes no room that refused publications asked for', async () => {
    const before = await storedKeys(t);
    const refusal = async (path: string, content: string) => inShort(await registry('alice').put(alice, path, content));
    const isFull = [403, 'maximum allowed package storage quota exceeded'];
    assert.deepEqual(await refusal('generic/one/1/large', 'x'.repeat(200_000)), isFull, 'larger than all together may be');
    await alice.delete('/packages/alice/generic/four');
    assert.deepEqual(await refusal('generic/one/1/large', 'x'.repeat(15)), isFull, 'more than what is left');
    assert.deepEqual(await refusal('generic/one/1/file', 'other'), [409, 'package file already exists']);
    assert.equal((await refusal('composer', 'no archive'))[0], 400);
    assert.deepEqual(await storedKeys(t), before);
  });
});
