import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { runCommand } from '../../src/cli/run.ts';
import { DiskStorage } from '../../src/storage/disk.ts';
import { migrateStorage } from '../../src/storage/migrate.ts';
import { openStorageOfType } from '../../src/storage/open.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { StorageWithPrevious } from '../../src/storage/with-previous.ts';
import { startS3Server, withoutS3 } from '../support/s3-server.ts';
import { testServer } from '../support/server.ts';

/** A picture of one pixel, as base64. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const skip = withoutS3();
const s3 = skip ? undefined : await startS3Server();
const t = await testServer(
  s3 ? { storage: { type: 's3', avatars: 'disk' }, s3: { ...s3.settings, directDownloads: true, partSize: 5 * 2 ** 20 } } : {},
);
after(() => s3?.close());

describe('a server whose blobs are in S3', { skip }, () => {
  const folder = () => new DiskStorage(t.context.settings.storage.path);
  const stored = async (prefix: string) => (await Array.fromAsync(t.context.storage.list(prefix))).length;

  it('stores packages and attachments there, and redirects to them', async () => {
    const alice = await t.user('alice');
    const content = randomBytes(12_000_000);
    const authorization = `Basic ${Buffer.from(`alice:${alice.password}`).toString('base64')}`;
    const url = `${t.url}api/packages/alice/generic/demo/1/file.bin`;
    const put = await fetch(url, { method: 'PUT', headers: { authorization }, body: content });
    assert.equal(put.status, 201, await put.text());
    const redirect = await fetch(url, { redirect: 'manual' });
    assert.equal(redirect.status, 307);
    assert.ok(redirect.headers.get('location')?.startsWith(s3?.settings.endpoint ?? 'none'));
    const direct = await fetch(url, { headers: { range: 'bytes=5-' } });
    assert.equal(direct.status, 206);
    assert.ok(Buffer.from(await direct.arrayBuffer()).equals(content.subarray(5)));
    assert.equal(direct.headers.get('content-disposition'), 'attachment; filename=file.bin');
    const head = await fetch(url, { method: 'HEAD', redirect: 'manual' });
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(content.length)]);
    assert.equal(await stored('packages/'), 1);
    assert.deepEqual(await Array.fromAsync(folder().list('packages/')), []);
  });

  it('keeps the kinds that settings place elsewhere there', async () => {
    const bob = await t.user('bob');
    await bob.must('POST', '/user/avatar', { image: PIXEL });
    assert.equal((await Array.fromAsync(folder().list('avatars/'))).length, 1);
    const bucket = await openStorageOfType(t.context.settings, 's3');
    assert.deepEqual(await Array.fromAsync(bucket.list('avatars/')), []);
  });

  it('takes over what another storage has, while both are used', async () => {
    const bucket = await openStorageOfType(t.context.settings, 's3');
    for (const name of ['aa/one', 'bb/two', 'cc/three']) await folder().put(`attachments/${name}`, randomBytes(100));
    await bucket.put('attachments/bb/two', randomBytes(100));
    const both = new StorageWithPrevious(bucket, folder());
    assert.equal((await both.get('attachments/aa/one'))?.size, 100);
    assert.equal((await Array.fromAsync(both.list('attachments/'))).length, 3);
    const options = { kinds: ['attachments'] as const, remove: true };
    const { done, copied, bytes } = await migrateStorage(folder(), bucket, options);
    assert.deepEqual([done, copied, bytes], [3, 2, 200]);
    assert.deepEqual(await Array.fromAsync(folder().list('attachments/')), []);
    assert.equal((await bucket.info('attachments/cc/three'))?.size, 100);
    assert.equal((await migrateStorage(folder(), bucket, options)).done, 0);
    await both.delete('attachments/aa/one');
    assert.equal(await both.info('attachments/aa/one'), undefined);
  });

  it('copies nothing that is deleted meanwhile, and what is not the same is not a copy', async () => {
    const bucket = await openStorageOfType(t.context.settings, 's3');
    await folder().put('attachments/dd/deleted', randomBytes(100));
    const deleting: Storage = new Proxy(folder(), {
      get: (target, name) =>
        name === 'info' ? () => Promise.resolve(undefined) : (target[name as keyof DiskStorage] as () => unknown).bind(target),
    });
    await migrateStorage(deleting, bucket, { kinds: ['attachments'] });
    assert.equal(await bucket.info('attachments/dd/deleted'), undefined);
  });
});

describe('copse storage migrate', () => {
  it('says what it cannot do', async () => {
    const run = async (...args: string[]) => {
      let said = '';
      const note = (text: string) => {
        said += text;
      };
      const environment = { COPSE_SETTINGS: '/dev/null' };
      const code = await runCommand(['storage', 'migrate', ...args], { environment, secret: async () => '', out: note, error: note });
      return `${code} ${said.split('\n')[0]}`;
    };
    assert.equal(await run('--from', 'disk'), '2 copse storage migrate: --to is missing');
    assert.equal(await run('--from', 'disk', '--to', 'disk'), '2 copse storage migrate: --from and --to are the same storage');
    assert.equal(await run('--from', 'tape', '--to', 'disk'), '2 copse storage migrate: --from has to be disk or s3');
    assert.equal(await run('--from', 'disk', '--to', 's3'), '2 copse storage migrate: s3.bucket is not set');
  });
});
