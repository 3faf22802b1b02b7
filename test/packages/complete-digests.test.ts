import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { blobKey } from '../../src/packages/blobs/content.ts';
import { DIGESTS } from '../../src/packages/blobs/digests.ts';
import { storeBlob } from '../../src/packages/blobs/store.ts';
import { StorageUnavailableError } from '../../src/storage/storage.ts';
import { testServer } from '../support/server.ts';
import { digestsOf, registry } from './support/registry.ts';

const t = await testServer();
const { context } = t;
const alice = await t.user('alice');

async function upload(version: string, content: string): Promise<void> {
  const form = new FormData();
  const fields = { ':action': 'file_upload', name: 'tool', version, sha256_digest: digestsOf(content).sha256 };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('content', new Blob([content]), `tool-${version}.tar.gz`);
  assert.equal((await alice.send('POST', '//api/packages/alice/pypi/', { form })).status, 201);
}
const rowOf = async (content: string) => {
  const { sha256 } = digestsOf(content);
  return await context.db.selectFrom('package_blobs').selectAll().where('sha256', '=', sha256).executeTakeFirstOrThrow();
};
const known = async (content: string) => {
  const row = await rowOf(content);
  return DIGESTS.filter((name) => row[name] !== '');
};
const shown = async (version: string) => {
  const [{ md5, sha1, sha256, sha512 }] = await alice.must('GET', `/packages/alice/pypi/tool/${version}/files`);
  return { md5, sha1, sha256, sha512 };
};

describe('the digests that a format does not show', () => {
  it('are computed and stored when the API shows them', async () => {
    await upload('1', 'one');
    assert.deepEqual(await known('one'), ['sha256']);
    for (let time = 0; time < 2; time++) assert.deepEqual(await shown('1'), digestsOf('one'));
    assert.deepEqual(await known('one'), DIGESTS);
  });

  it('are computed once for many who ask at once, and not while the storage is away', async () => {
    await upload('1.1', 'many');
    const { storage } = context;
    const get = storage.get.bind(storage);
    const reads = mock.method(storage, 'get', async () => {
      throw new StorageUnavailableError('down');
    });
    try {
      assert.equal((await shown('1.1')).md5, '');
      reads.mock.resetCalls();
      reads.mock.mockImplementation(get as () => Promise<never>);
      const all = await Promise.all(Array.from({ length: 5 }, () => shown('1.1')));
      for (const digests of all) assert.deepEqual(digests, digestsOf('many'));
      assert.equal(reads.mock.callCount(), 1);
    } finally {
      reads.mock.restore();
    }
  });

  it('come with the same content of another format', async () => {
    await upload('2', 'two');
    assert.equal((await registry('alice').put(alice, 'generic/other/1/file', 'two')).status, 201);
    assert.deepEqual([await known('two'), await shown('2')], [DIGESTS, digestsOf('two')]);
    const { id } = await rowOf('two');
    assert.equal((await storeBlob(context, Buffer.from('two'), { shown: ['md5'] })).id, id, 'and are enough for those that show fewer');
  });

  it('are added one by one', async () => {
    const store = (names: readonly ('md5' | 'sha1')[]) => storeBlob(context, Buffer.from('some'), { shown: names });
    const first = await store(['sha1']);
    assert.deepEqual(await known('some'), ['sha1', 'sha256']);
    const second = await store(['md5']);
    assert.deepEqual([second.id, await known('some')], [first.id, ['md5', 'sha1', 'sha256']]);
    assert.equal((await rowOf('some')).sha1, digestsOf('some').sha1);
  });

  it('are compared where they are expected', async () => {
    const wrong = storeBlob(context, Buffer.from('expected'), { shown: [], md5: digestsOf('other').md5 });
    await assert.rejects(wrong, { message: /md5/ });
    await storeBlob(context, Buffer.from('expected'), { shown: [], md5: digestsOf('expected').md5 });
    assert.deepEqual(await known('expected'), ['md5', 'sha256']);
  });

  it('stay empty of a content whose bytes are lost', async () => {
    await upload('3', 'three');
    await context.storage.delete(blobKey(await rowOf('three')));
    assert.deepEqual(await shown('3'), { md5: '', sha1: '', sha256: digestsOf('three').sha256, sha512: '' });
  });
});
