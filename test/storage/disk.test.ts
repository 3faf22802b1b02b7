import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { DiskStorage } from '../../src/storage/disk.ts';
import { BlobTooLargeError } from '../../src/storage/storage.ts';

const root = await mkdtemp(join(tmpdir(), 'copse-storage-'));
const storage = new DiskStorage(root);
after(() => rm(root, { recursive: true, force: true }));

describe('blobs on disk', () => {
  it('come back as they were put, whole and in parts', async () => {
    assert.deepEqual(await storage.put('avatars/ab', Buffer.from('hello')), { size: 5 });
    const whole = await storage.get('avatars/ab');
    assert.equal(whole && (await buffer(whole.stream)).toString(), 'hello');
    const part = await storage.get('avatars/ab', { start: 1, end: 3 });
    assert.equal(part && (await buffer(part.stream)).toString(), 'ell');
  });

  it('are not there before they were put, nor after they were deleted', async () => {
    assert.equal(await storage.get('avatars/none'), undefined);
    await storage.put('gone', Buffer.from('x'));
    await storage.delete('gone');
    await storage.delete('gone');
    assert.equal(await storage.info('gone'), undefined);
  });

  it('leave nothing when they are too large or break off', async () => {
    await assert.rejects(storage.put('large', Readable.from([Buffer.alloc(10), Buffer.alloc(10)]), { maxSize: 15 }), BlobTooLargeError);
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('gone');
      })(),
    );
    await assert.rejects(storage.put('broken', broken), /gone/);
    assert.equal(await storage.info('large'), undefined);
    assert.equal(await storage.info('broken'), undefined);
    assert.deepEqual(await readdir(join(root, 'tmp')), []);
  });

  it('take no key that would be a path of its own', async () => {
    for (const key of ['../x', '/etc/passwd', 'a//b', 'a/../b', '.hidden', '', 'a\0b', 'a/']) {
      await assert.rejects(storage.put(key, Buffer.from('x')), /not a storage key/, key);
    }
  });
});
