import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { BENCH_FORMATS } from '../../bench/package-formats.ts';
import { findUser } from '../../src/access/find-user.ts';
import type { PackageType } from '../../src/database/tables/package-types.ts';
import { storeBlob } from '../../src/packages/blobs/store.ts';
import { deleteVersion } from '../../src/packages/registry/delete.ts';
import { findVersion } from '../../src/packages/registry/find.ts';
import { publish } from '../../src/packages/registry/publish.ts';
import { testServer } from '../support/server.ts';
import { registry } from './support/registry.ts';

const t = await testServer();
await t.user('alice');
const { db } = t.context;
const owner = await findUser(db, 'alice');
assert.ok(owner);
const blob = await storeBlob(t.context, Buffer.from('content of a package'));

/** What is published of a format: packages of one version each, or versions of one package. */
function published(type: PackageType) {
  const format = BENCH_FORMATS[type];
  assert.ok(format && owner);
  const namedBy = (text: string): [name: string, version: string] => (format.lists === 'packages' ? [text, '1.0.0'] : ['first', text]);
  const texts = format.lists === 'packages' ? ['first', 'beta', 'gamma', 'delta', 'omega'] : ['1.0.0', '1.0.1', '1.0.2', '1.0.3', '1.0.4'];
  const add = async (text: string) => {
    const { file, compositeKey = '', fileProperties = {}, ...version } = format.version(...namedBy(text));
    const files = [{ name: file, compositeKey, blob, isLead: true, properties: fileProperties }];
    await publish(t.context, { ...version, owner, type, files });
  };
  const remove = async (text: string) => {
    const { name, version } = format.version(...namedBy(text));
    await deleteVersion(t.context, await findVersion(db, { ownerId: owner.id, type, name }, version));
  };
  const read = async () => {
    const accept = type === 'swift' ? 'application/vnd.swift.registry.v1+json' : '*/*';
    const { status, bytes } = await registry('alice').get(t.anonymous, `${type}/${format.index('first')}`, { accept });
    assert.equal(status, 200, type);
    return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
  };
  const listed = async () => {
    const text = await read();
    return texts.filter((one) => new RegExp(`\\b${one.replaceAll('.', '\\.')}\\b`).test(text));
  };
  return { texts, add, remove, read, listed };
}

describe('a list of packages', () => {
  for (const type of ['npm', 'pypi', 'cargo', 'swift', 'cran', 'alpine', 'debian'] as const) {
    it(`of ${type} has what is published and deleted at once, while it is read`, async () => {
      const { texts, add, remove, read, listed } = published(type);
      const [first = '', second = '', third = '', ...others] = texts;
      await add(first);
      await Promise.all([add(second), listed(), add(third), listed()]);
      assert.deepEqual(await listed(), [first, second, third]);
      await Promise.all([listed(), remove(second), ...others.map(add), listed()]);
      assert.deepEqual(await listed(), [first, third, ...others]);
      const text = await read();
      await db.deleteFrom('package_blocks').where('type', '=', type).execute();
      await db.updateTable('package_indexes').set({ built: 0 }).where('type', '=', type).execute();
      assert.equal(await read(), text, 'the same when all of it is made again');
    });
  }
});
