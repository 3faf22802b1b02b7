import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { before, describe, it } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import type { Context } from '../../src/context.ts';
import type { User } from '../../src/database/tables/accounts.ts';
import { collectPackages } from '../../src/packages/blobs/collect.ts';
import { blobKey, readBlob } from '../../src/packages/blobs/content.ts';
import { packageFindings } from '../../src/packages/blobs/doctor.ts';
import { storeBlob } from '../../src/packages/blobs/store.ts';
import { PackageError } from '../../src/packages/errors.ts';
import { finishUpload } from '../../src/packages/uploads/finish.ts';
import { appendPart, beginUpload, cancelUpload, findUpload, UPLOADS_PREFIX } from '../../src/packages/uploads/parts.ts';
import { BlobTooLargeError } from '../../src/storage/storage.ts';
import { testServer } from '../support/server.ts';
import { agedStorage, digestsOf, storedKeys } from './support/registry.ts';

const t = await testServer({ packages: { unlinkedExpiry: 0, limitTotalOwnerSize: 20 } });
await t.user('alice');
let owner: User;
const collect = () => collectPackages(t.context, new AbortController().signal);
const bytes = (text: string) => Readable.from([Buffer.from(text)], { objectMode: false });
const message = (expected: RegExp) => (error: unknown) => expected.test((error as Error).message);

before(async () => {
  owner = (await findUser(t.context.db, 'alice')) as User;
});

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

  it('of one part becomes the content where it is', async ({ mock }) => {
    const upload = await appendPart(t.context, await beginUpload(t.context, owner, owner, 'one'), bytes('one part'), 100);
    const before = await storedKeys(t);
    const old: Context = { ...t.context, storage: { ...agedStorage(t.context) } };
    assert.deepEqual(await Array.fromAsync(packageFindings(old)), []);
    const changes = (['put', 'get', 'copy', 'delete'] as const).map((name) => mock.method(t.context.storage, name));
    await assert.rejects(finishUpload(t.context, upload, { sha256: digestsOf('other').sha256 }), message(/sha256/));
    const blob = await finishUpload(t.context, upload, { sha256: digestsOf('one part').sha256 });
    assert.deepEqual(
      changes.map(({ mock }) => mock.callCount()),
      [0, 0, 0, 0],
    );
    assert.deepEqual([blob.size, blob.md5, (await readBlob(t.context, blob, 100)).toString()], [8, digestsOf('one part').md5, 'one part']);
    assert.deepEqual(await storedKeys(t), before);
    assert.deepEqual(await t.context.db.selectFrom('package_upload_parts').selectAll().execute(), []);
    await cancelUpload(t.context, upload);
    await t.context.db.updateTable('package_uploads').set({ touched_at: 0 }).execute();
    assert.deepEqual([(await readBlob(t.context, blob, 100)).toString(), await Array.fromAsync(packageFindings(old))], ['one part', []]);
    await collect();
    assert.deepEqual(await storedKeys(t), []);
  });

  it('of one part ends once, and its content is stored once, whoever else does so at the same time', async () => {
    const uploads = await Promise.all(
      ['a', 'b'].map(async (purpose) =>
        appendPart(t.context, await beginUpload(t.context, owner, owner, purpose), bytes('same part'), 100),
      ),
    );
    const ends = [...uploads, ...uploads].map((upload) => finishUpload(t.context, upload, { size: 9 }));
    const cancels = uploads.map((upload) => cancelUpload(t.context, upload));
    const results = await Promise.allSettled(ends);
    await Promise.all(cancels);
    const blobs = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    for (const blob of blobs) assert.equal((await readBlob(t.context, blob, 100)).toString(), 'same part');
    assert.equal((await storedKeys(t)).length, blobs.length > 0 ? 1 : 0);
    await collect();
    assert.deepEqual(await storedKeys(t), []);
  });

  it('restores bytes that were lost', async () => {
    const lost = await storeBlob(t.context, bytes('restored'));
    await t.context.storage.delete(blobKey(lost));
    const upload = await appendPart(t.context, await beginUpload(t.context, owner, owner, 'again'), bytes('restored'), 100);
    const blob = await finishUpload(t.context, upload, {});
    assert.deepEqual([blob.id, (await readBlob(t.context, blob, 100)).toString()], [lost.id, 'restored']);
    await collect();
    assert.deepEqual(await storedKeys(t), []);
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
    assert.deepEqual(await storedKeys(t), [blobKey(blob)]);
    await collect();
    assert.deepEqual(await storedKeys(t), []);
  });

  it('of one part that an older version stored elsewhere is read again', async () => {
    const upload = await appendPart(t.context, await beginUpload(t.context, owner, owner, 'older'), bytes('older'), 100);
    const part = await t.context.db.selectFrom('package_upload_parts').selectAll().executeTakeFirstOrThrow();
    await t.context.storage.put(`${UPLOADS_PREFIX}aa/aabb`, Buffer.from('older'));
    await t.context.storage.delete(blobKey(part));
    await t.context.db.updateTable('package_upload_parts').set({ blob: 'aabb' }).execute();
    const blob = await finishUpload(t.context, upload, { sha256: digestsOf('older').sha256 });
    assert.deepEqual([blob.size, blob.sha512], [5, digestsOf('older').sha512]);
    assert.deepEqual(await storedKeys(t), [blobKey(blob)]);
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
