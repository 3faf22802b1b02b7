import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import type { User } from '../../src/database/tables/accounts.ts';
import { storeBlob } from '../../src/packages/blobs/store.ts';
import { PackageError } from '../../src/packages/errors.ts';
import { buildIndexes, findIndexFile, type IndexBuilder } from '../../src/packages/indexes/build.ts';
import { signingKey } from '../../src/packages/indexes/signing-keys.ts';
import { deleteVersion } from '../../src/packages/registry/delete.ts';
import { publish } from '../../src/packages/registry/publish.ts';
import { searchVersions } from '../../src/packages/registry/search.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const TYPE = 'generic';
let owner: User;

before(async () => {
  await t.user('alice');
  const found = await findUser(t.context.db, 'alice');
  assert.ok(found);
  owner = found;
});

const publishOne = async (name: string, indexes = ['key']) => {
  const blob = await storeBlob(t.context, Buffer.from(name));
  return await publish(t.context, { owner, type: TYPE, name, version: '1', files: [{ name: 'file', blob }], indexes });
};
/** Lists the packages of the owner. */
const builder: IndexBuilder = async ({ db }) => {
  const versions = await searchVersions(db, { ownerId: owner.id, type: TYPE });
  const listed = JSON.stringify(versions.map(({ id }) => id).sort((a, b) => a - b));
  return [{ name: 'Index', content: Buffer.from(listed) }, ...(versions.length > 1 ? [{ name: 'Many', content: Buffer.from('x') }] : [])];
};
const build = (build: IndexBuilder = builder, keys = ['key']) => buildIndexes(t.context, build, { owner, type: TYPE }, keys);
const indexed = async (name = 'Index', key = 'key') => {
  const { blob } = await findIndexFile(t.context.db, owner.id, TYPE, key, { name });
  const found = await t.context.storage.get(`packages/${blob.blob.slice(0, 2)}/${blob.blob}`);
  return Buffer.concat(await Array.fromAsync(found?.stream as AsyncIterable<Buffer>)).toString();
};
const missing = (error: unknown) => error instanceof PackageError && error.status === 404;

describe('an index of packages', () => {
  it('shows what is published and deleted, and has no file too many', async () => {
    const [one, two] = [await publishOne('one'), await publishOne('two')];
    await build();
    assert.deepEqual([await indexed(), await indexed('Many')], [JSON.stringify([one.version.id, two.version.id]), 'x']);
    await deleteVersion(t.context, one.version, { indexes: ['key'] });
    await build();
    assert.equal(await indexed(), JSON.stringify([two.version.id]));
    await assert.rejects(indexed('Many'), missing);
    await assert.rejects(indexed('Index', 'KEY'), missing);
    const listed = await t.admin.get('/packages/alice');
    assert.equal(listed.json.length, 1);
  });

  it('is built only when something has changed', async () => {
    let built = 0;
    const counting: IndexBuilder = async (...args) => {
      built++;
      return await builder(...args);
    };
    await publishOne('three');
    await Promise.all([build(counting), build(counting), build(counting)]);
    await build(counting, ['other']);
    assert.equal(built, 1);
  });

  it('never shows an older state than before', async () => {
    await build();
    await publishOne('four');
    const before = await indexed();
    await build(async (...args) => {
      const files = await builder(...args);
      await publishOne('five');
      // Another process builds this one, and is faster.
      await t.context.db
        .updateTable('package_indexes')
        .set((row) => ({ built: row.ref('wanted') }))
        .where('key', '=', 'key')
        .execute();
      return files;
    });
    assert.equal(await indexed(), before);
  });

  it('is built again when its owner has another name', async () => {
    await build();
    await t.admin.must('POST', '/admin/users/alice/rename', { new_username: 'alicia' });
    let built = 0;
    await build(async (...args) => {
      built++;
      return await builder(...args);
    });
    await t.admin.must('POST', '/admin/users/alicia/rename', { new_username: 'alice' });
    assert.equal(built, 1);
  });

  it('is left as it was when building it fails, and is built again', async () => {
    const six = await publishOne('six');
    const before = await indexed();
    await assert.rejects(
      build(async () => {
        throw new Error('no memory');
      }),
    );
    assert.equal(await indexed(), before);
    const waiting = t.context.db.selectFrom('package_indexes').select('key').whereRef('built', '<', 'wanted');
    assert.deepEqual(await waiting.execute(), [{ key: 'key' }]);
    await build();
    assert.ok((await indexed()).includes(String(six.version.id)));
  });
});

describe('a key that signs indexes', () => {
  it('is made once, and encrypted', async () => {
    let made = 0;
    const make = async () => {
      made++;
      return { publicKey: `public ${made}`, privateKey: `private ${made}` };
    };
    const keys = await Promise.all([1, 2, 3, 4, 5, 6].map(() => signingKey(t.context, owner, 'test', make)));
    assert.equal(new Set(keys.map(({ privateKey }) => privateKey)).size, 1);
    assert.equal(made, 1);
    assert.equal(keys[0]?.publicKey.slice(7), keys[0]?.privateKey.slice(8));
    const rows = await t.context.db.selectFrom('package_signing_keys').selectAll().execute();
    assert.deepEqual([rows.length, rows[0]?.private_key.includes('private')], [1, false]);
    assert.notDeepEqual(await signingKey(t.context, owner, 'other', make), keys[0]);
    const failing = () => Promise.reject(new Error('no entropy'));
    await assert.rejects(signingKey(t.context, owner, 'failed', failing), /no entropy/);
    assert.equal((await signingKey(t.context, owner, 'failed', make)).publicKey, 'public 3');
  });
});
