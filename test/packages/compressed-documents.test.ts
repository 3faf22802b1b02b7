import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { findUser } from '../../src/access/find-user.ts';
import type { User } from '../../src/database/tables/accounts.ts';
import { storeBlob } from '../../src/packages/blobs/store.ts';
import { buildIndexes } from '../../src/packages/indexes/build.ts';
import { buildPackument } from '../../src/packages/npm/packument.ts';
import { buildSimple } from '../../src/packages/pypi/simple.ts';
import { publish } from '../../src/packages/registry/publish.ts';
import { testServer } from '../support/server.ts';
import { readSent } from './support/sent.ts';

const t = await testServer();
const { context } = t;
let owner: User;

before(async () => {
  await t.user('alice');
  owner = (await findUser(context.db, 'alice')) as User;
  const blob = await storeBlob(context, Buffer.from('content'));
  const metadata = { description: 'äöü '.repeat(200) };
  const publishOne = async (type: 'npm' | 'pypi' | 'vagrant', name: string, version: string) => {
    const properties: Record<string, string> = type === 'vagrant' ? { 'vagrant.provider': 'libvirt' } : {};
    const files = [{ name: `${name}-${version}.tgz`, blob, isLead: true, properties }];
    await publish(context, { owner, type, name, version, metadata, files, indexes: [name] });
  };
  for (let number = 0; number < 120; number++) await publishOne('npm', 'big', `1.0.${number}`);
  for (let number = 0; number < 120; number++) {
    await publishOne('pypi', 'big', `1.${number}`);
    await publishOne('vagrant', 'big', `1.${number}`);
  }
  await publishOne('npm', 'small', '1.0.0');
});

const read = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  readSent(`${t.url}/api/packages/alice/${path}`, headers, method);
const gzip = (path: string, headers = {}) => read(path, { 'accept-encoding': 'gzip, deflate', ...headers });
/** What the job does some seconds after a publication. */
const putTogether = async () => {
  await buildIndexes(context, buildPackument, { owner, type: 'npm' }, ['big', 'small']);
  await buildIndexes(context, buildSimple, { owner, type: 'pypi' }, ['big']);
};

/** The same from the blocks and from the file. */
async function checkForms(): Promise<void> {
  const plain = await read('npm/big');
  assert.deepEqual([plain.status, plain.headers['content-encoding'], plain.headers.vary], [200, undefined, 'Accept-Encoding']);
  assert.equal(Object.keys(JSON.parse(plain.bytes.toString()).versions).length, 120);
  const compressed = await gzip('npm/big');
  const { etag, vary, 'content-encoding': encoding, 'content-length': length, 'content-type': type } = compressed.headers;
  assert.deepEqual([compressed.status, encoding, vary, type], [200, 'gzip', 'Accept-Encoding', plain.headers['content-type']]);
  assert.equal(Number(length), compressed.bytes.length);
  assert.ok(compressed.bytes.length < plain.bytes.length / 5);
  assert.ok(gunzipSync(compressed.bytes).equals(plain.bytes));
  assert.notEqual(etag, plain.headers.etag);
  const unchanged = await gzip('npm/big', { 'if-none-match': etag });
  assert.deepEqual([unchanged.status, unchanged.headers.etag, unchanged.headers.vary], [304, etag, 'Accept-Encoding']);
  assert.equal((await read('npm/big', { 'if-none-match': plain.headers.etag ?? '' })).status, 304);
  const [catalog, head] = [await gzip('vagrant/big'), await read('vagrant/big', { 'accept-encoding': 'gzip' }, 'HEAD')];
  const shown = ({ etag, vary, 'content-length': length, 'content-encoding': encoding }: IncomingHttpHeaders) => [
    etag,
    vary,
    length,
    encoding,
  ];
  assert.deepEqual([head.status, shown(head.headers)], [200, shown(catalog.headers)]);
  const part = await gzip('npm/big', { range: 'bytes=10-19', 'if-range': plain.headers.etag });
  assert.deepEqual([part.status, part.headers['content-encoding']], [206, undefined]);
  assert.ok(part.bytes.equals(plain.bytes.subarray(10, 20)));
  const simple = await gzip('pypi/simple/big');
  assert.deepEqual([simple.headers['content-encoding'], simple.headers.vary], ['gzip', 'Accept, Accept-Encoding']);
  assert.equal(gunzipSync(simple.bytes).toString().match(/<a /g)?.length, 120);
}

describe('a long document', () => {
  it('is compressed for clients that accept it, right after a publication', checkForms);

  it('is compressed when its file was put together', async () => {
    await putTogether();
    const { headers } = await gzip('npm/big');
    assert.ok(headers['last-modified']);
    await checkForms();
    assert.equal((await gzip('npm/big')).headers.etag, headers.etag);
  });

  it('is compressed for those alone that accept it', async () => {
    const encodings = ['gzip;q=0.5', '*', 'deflate, *;q=0.1', 'identity;q=0, gzip', 'GZIP;Q=1, gzip'];
    for (const encoding of encodings) {
      assert.equal((await read('npm/big', { 'accept-encoding': encoding })).headers['content-encoding'], 'gzip', encoding);
    }
    for (const encoding of ['', 'identity', 'gzip;q=0', 'gzip;q=0, *', 'br, zstd', 'gzip;q=0.1, identity', 'gzip;q=x']) {
      assert.equal((await read('npm/big', { 'accept-encoding': encoding })).headers['content-encoding'], undefined, encoding);
    }
  });

  it('is compressed after a further publication', async () => {
    const blob = await storeBlob(context, Buffer.from('content'));
    const before = await gzip('npm/big');
    const files = [{ name: 'big.tgz', blob, isLead: true }];
    await publish(context, { owner, type: 'npm', name: 'big', version: '2.0.0', metadata: {}, files, indexes: ['big'] });
    const after = await gzip('npm/big', { 'if-none-match': before.headers.etag });
    assert.equal(after.status, 200);
    assert.ok(JSON.parse(gunzipSync(after.bytes).toString()).versions['2.0.0']);
  });

  it('is compressed again if its file is from before it was', async () => {
    await putTogether();
    await context.db.deleteFrom('package_files').where('name', 'like', '%.gz').execute();
    const plain = await gzip('npm/big');
    assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, 'Accept-Encoding']);
    const compressed = await gzip('npm/big');
    assert.equal(compressed.headers['content-encoding'], 'gzip');
    assert.ok(gunzipSync(compressed.bytes).equals(plain.bytes));
  });
});

describe('a short document', () => {
  it('is not compressed', async () => {
    for (const prepare of [async () => {}, putTogether]) {
      await prepare();
      const { headers } = await gzip('npm/small');
      assert.deepEqual([headers['content-encoding'], headers.vary, headers['accept-ranges']], [undefined, undefined, 'bytes']);
    }
  });
});
