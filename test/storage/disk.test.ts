import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { DiskStorage } from '../../src/storage/disk.ts';
import { BlobMismatchError, BlobTooLargeError, type ListedBlob } from '../../src/storage/storage.ts';

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

  it('are stored only with the size and the digest that were expected', async () => {
    const sha256 = createHash('sha256').update('hello').digest('hex');
    const stream = (...texts: string[]) => Readable.from(texts.map((text) => Buffer.from(text)));
    assert.deepEqual(await storage.put('exact', stream('hel', 'lo'), { size: 5, sha256 }), { size: 5 });
    for (const [text, part] of [
      ['hello!', 'size'],
      ['hell', 'size'],
      ['', 'size'],
      ['hallo', 'sha256'],
    ] as const) {
      await assert.rejects(storage.put('other', stream(text), { size: 5, sha256 }), { name: 'BlobMismatchError', part }, text);
    }
    await assert.rejects(storage.put('exact', stream('hallo'), { sha256 }), BlobMismatchError);
    assert.equal(await storage.info('other'), undefined);
    // What was there before stays.
    const kept = await storage.get('exact');
    assert.equal(kept && (await buffer(kept.stream)).toString(), 'hello');
    assert.deepEqual(await readdir(join(root, 'tmp')), []);
  });

  it('stop reading what is too long already', async () => {
    let read = 0;
    const endless = Readable.from(
      (function* () {
        for (; ; read++) yield Buffer.alloc(1000);
      })(),
    );
    await assert.rejects(storage.put('endless', endless, { size: 5000 }), BlobMismatchError);
    assert.ok(read < 1000, `read ${read}`);
  });

  it('are listed by prefix', async () => {
    for (const key of ['list/ab/one', 'list/ab/two', 'list/cd/ef/three', 'listed/four']) await storage.put(key, Buffer.from(key));
    const all = async (prefix: string) =>
      (await Array.fromAsync<ListedBlob>(storage.list(prefix))).sort((a, b) => (a.key < b.key ? -1 : 1));
    assert.deepEqual(
      (await all('list/')).map(({ key, size }) => [key, size]),
      [
        ['list/ab/one', 11],
        ['list/ab/two', 11],
        ['list/cd/ef/three', 16],
      ],
    );
    const [first] = await all('list/cd/');
    assert.ok(first && Math.abs(first.modified - Date.now() / 1000) < 3600);
    assert.deepEqual(await all('nothing/'), []);
  });

  it('take no key that would be a path of its own', async () => {
    for (const key of ['../x', '/etc/passwd', 'a//b', 'a/../b', '.hidden', '', 'a\0b', 'a/']) {
      await assert.rejects(storage.put(key, Buffer.from('x')), /not a storage key/, key);
    }
  });
});
