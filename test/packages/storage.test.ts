import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { before, describe, it } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import type { Context } from '../../src/context.ts';
import type { User } from '../../src/database/tables/accounts.ts';
import { collectPackages } from '../../src/packages/blobs/collect.ts';
import { packageFindings } from '../../src/packages/blobs/doctor.ts';
import { blobKey, readBlob, storeBlob } from '../../src/packages/blobs/store.ts';
import { PackageError } from '../../src/packages/errors.ts';
import { publish } from '../../src/packages/registry/publish.ts';
import { appendPart, beginUpload, cancelUpload, findUpload, finishUpload, UPLOADS_PREFIX } from '../../src/packages/uploads/parts.ts';
import { BlobTooLargeError } from '../../src/storage/storage.ts';
import { testServer } from '../support/server.ts';
import { digestsOf, inShort, registry, storedKeys } from './support/registry.ts';

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

/** The storage of a day ago. */
function agedStorage({ storage }: Context): Context['storage'] {
  return {
    put: storage.put.bind(storage),
    get: storage.get.bind(storage),
    info: storage.info.bind(storage),
    copy: storage.copy.bind(storage),
    delete: storage.delete.bind(storage),
    link: storage.link.bind(storage),
    removeUnfinished: storage.removeUnfinished.bind(storage),
    async *list(prefix) {
      for await (const blob of storage.list(prefix)) yield { ...blob, modified: blob.modified - 2 * 24 * 60 * 60 };
    },
  };
}

describe('an upload in parts', () => {
  it('becomes one content', async () => {
    const begun = await beginUpload(t.context, owner, owner, 'container image');
    assert.equal(await findUpload(t.context, owner, 'container other', begun.id), undefined);
    let upload = await appendPart(t.context, begun, bytes('hello '), 100);
    upload = await appendPart(t.context, upload, bytes('parts'), 100);
    await assert.rejects(appendPart(t.context, upload, bytes('too much'), 12), BlobTooLargeError);
    // One who does not know of the last part.
    await assert.rejects(appendPart(t.context, begun, bytes('again'), 100), message(/another request/));
    await assert.rejects(finishUpload(t.context, upload, { sha256: digestsOf('other').sha256 }), message(/sha256/));
    const blob = await finishUpload(t.context, upload, { sha256: digestsOf('hello parts').sha256 });
    assert.deepEqual([blob.size, (await readBlob(t.context, blob, 100)).toString()], [11, 'hello parts']);
    assert.equal(await findUpload(t.context, owner, 'container image', begun.id), undefined);
    assert.deepEqual(await storedKeys(t), [blobKey(blob)]);
    await assert.rejects(appendPart(t.context, upload, bytes('more'), 100), message(/not found/));
  });

  it('of one part is copied within the storage, and not read', async ({ mock }) => {
    const begun = await beginUpload(t.context, owner, owner, 'one');
    const upload = await appendPart(t.context, begun, bytes('one part'), 100);
    const [put, get] = [mock.method(t.context.storage, 'put'), mock.method(t.context.storage, 'get')];
    await assert.rejects(finishUpload(t.context, upload, { sha256: digestsOf('other').sha256 }), message(/sha256/));
    const blob = await finishUpload(t.context, upload, { sha256: digestsOf('one part').sha256 });
    assert.equal(put.mock.callCount() + get.mock.callCount(), 0);
    assert.deepEqual([blob.size, blob.md5, (await readBlob(t.context, blob, 100)).toString()], [8, digestsOf('one part').md5, 'one part']);
    const keys = await storedKeys(t);
    assert.ok(keys.includes(blobKey(blob)) && !keys.some((key) => key.startsWith(UPLOADS_PREFIX)));
    await collect();
  });

  it('ends together with what keeps its content, and stays for another try if that fails', async () => {
    const upload = await appendPart(t.context, await beginUpload(t.context, owner, owner, 'kept'), bytes('kept'), 100);
    const failing = (error: Error) =>
      finishUpload(t.context, upload, {}, async () => {
        throw error;
      });
    await assert.rejects(failing(new Error('the database is gone')), message(/is gone/));
    const blob = await finishUpload(t.context, upload, { md5: digestsOf('kept').md5 }, async ({ db }, { id }) => {
      await db.updateTable('package_blobs').set({ touched_at: 1 }).where('id', '=', id).execute();
    });
    const row = await t.context.db.selectFrom('package_blobs').select('touched_at').where('id', '=', blob.id).executeTakeFirstOrThrow();
    assert.equal(row.touched_at, 1);
    const refused = await appendPart(t.context, await beginUpload(t.context, owner, owner, 'kept'), bytes('refused'), 100);
    await assert.rejects(
      finishUpload(t.context, refused, {}, async () => {
        throw new PackageError('total-size');
      }),
      message(/quota/),
    );
    assert.equal(await findUpload(t.context, owner, 'kept', refused.id), undefined);
    assert.ok(!(await storedKeys(t)).some((key) => key.startsWith(UPLOADS_PREFIX)));
    await collect();
    assert.deepEqual(await storedKeys(t), []);
  });

  it('of one part without digests, as an older version took it, is read again', async () => {
    const upload = await appendPart(t.context, await beginUpload(t.context, owner, owner, 'older'), bytes('older'), 100);
    await t.context.db.updateTable('package_upload_parts').set({ digests: null }).execute();
    const blob = await finishUpload(t.context, upload, { sha256: digestsOf('older').sha256 });
    assert.deepEqual([blob.size, blob.sha512], [5, digestsOf('older').sha512]);
    await collect();
  });

  it('leaves nothing when it is cancelled, or nobody goes on with it', async () => {
    const [cancelled, left] = [await beginUpload(t.context, owner, owner, 'a'), await beginUpload(t.context, owner, owner, 'b')];
    for (const upload of [cancelled, left]) await appendPart(t.context, upload, bytes('part'), 100);
    await cancelUpload(t.context, cancelled);
    await collect();
    assert.deepEqual(await storedKeys(t), []);
    assert.deepEqual(await t.context.db.selectFrom('package_upload_parts').selectAll().execute(), []);
  });

  it('is bounded together with the others, and leaves nothing of a part that is refused', async () => {
    const [one, other, none] = await Promise.all(['a', 'b', 'c'].map((purpose) => beginUpload(t.context, owner, owner, purpose)));
    assert.ok(one && other && none);
    await appendPart(t.context, one, bytes('x'.repeat(15)), 100);
    await assert.rejects(appendPart(t.context, other, bytes('x'.repeat(6)), 100), BlobTooLargeError);
    assert.equal((await storedKeys(t)).length, 1);
    assert.equal((await t.context.db.selectFrom('package_upload_parts').selectAll().execute()).length, 1);
    await appendPart(t.context, other, bytes('x'.repeat(5)), 100);
    await assert.rejects(appendPart(t.context, none, bytes('x'), 100), message(/quota/));
    const many = Array.from({ length: 997 }, (_, index) => ({
      id: `u${index}`,
      owner_id: owner.id,
      actor_id: owner.id,
      purpose: 'd',
      touched_at: 1,
    }));
    for (let at = 0; at < many.length; at += 100)
      await t.context.db
        .insertInto('package_uploads')
        .values(many.slice(at, at + 100))
        .execute();
    await assert.rejects(beginUpload(t.context, owner, owner, 'e'), message(/1000 uploads/));
    await collect();
    assert.deepEqual(await storedKeys(t), []);
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
});
