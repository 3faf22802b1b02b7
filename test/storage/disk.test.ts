// On SQLite alone: no database is used.
import assert from 'node:assert/strict';
import fs, { type NoParamCallback } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { after, describe, it, mock } from 'node:test';
import { DiskStorage } from '../../src/storage/disk.ts';
import { OwnedBytes } from '../../src/storage/owned-bytes.ts';
import { storageContract } from './contract.ts';

const root = await mkdtemp(join(tmpdir(), 'copse-storage-'));
after(() => rm(root, { recursive: true, force: true }));

describe('blobs on disk', () => storageContract(new DiskStorage(root), () => readdir(join(root, 'tmp'))));

describe('the name of a blob', { skip: process.platform !== 'linux' && 'open files have paths on Linux alone' }, () => {
  const storage = new DiskStorage(root);
  /** The folders that are synced meanwhile, below the root. */
  const foldersSynced = async (step: () => Promise<unknown>) => {
    const folders: string[] = [];
    const { fsync } = fs;
    const spy = mock.method(fs, 'fsync', (opened: number, done: NoParamCallback) => {
      folders.push(fs.readlinkSync(`/proc/self/fd/${opened}`));
      fsync(opened, done);
    });
    await step().finally(() => spy.mock.restore());
    return folders.filter((path) => path.startsWith(root)).map((path) => path.slice(root.length));
  };

  it('is on the disk before the blob is acknowledged, with the folders above it', async () => {
    assert.deepEqual(await foldersSynced(() => storage.put('names/a/b/one', Buffer.from('x'))), ['/names/a/b', '/names/a', '/names', '']);
    assert.deepEqual(await foldersSynced(() => storage.put('names/a/b/two', Buffer.from('x'), { isNew: true })), ['/names/a/b']);
    assert.deepEqual(await foldersSynced(() => storage.put('names/d/one', Buffer.from('x'), { isUnknown: true })), ['/names/d', '/names']);
    assert.deepEqual(await foldersSynced(() => storage.copy('names/a/b/one', 'names/c/one')), ['/names/c', '/names']);
  });
});

describe('a stream of chunks', () => {
  const storage = new DiskStorage(root);
  const LENGTH = 100_000;
  const chunks = () => Array.from({ length: 20 }, (_, index) => new Uint8Array(LENGTH).fill(index));

  it('is stored in order, with all its bytes passed on', async () => {
    const passed: Buffer[] = [];
    const onBytes = (chunk: Uint8Array) => passed.push(Buffer.from(chunk));
    assert.deepEqual(await storage.put('chunks/one', Readable.from(chunks()), { onBytes }), { size: 20 * LENGTH });
    const stored = await storage.get('chunks/one');
    assert.ok(stored && Buffer.concat(chunks()).equals(await buffer(stored.stream)));
    assert.ok(Buffer.concat(passed).equals(Buffer.concat(chunks())));
  });

  it('keeps its chunks, unless they belong to the storage', async () => {
    const [others, own] = [chunks(), chunks()];
    const whole = Buffer.concat(own);
    const streamOfOwn = new OwnedBytes();
    const given = pipeline(own, streamOfOwn);
    await storage.put('chunks/others', Readable.from(others));
    await storage.put('chunks/own', streamOfOwn);
    await given;
    assert.deepEqual(new Set(others.map(({ length }) => length)), new Set([LENGTH]));
    assert.deepEqual(new Set(own.map(({ length }) => length)), new Set([0]));
    const stored = await storage.get('chunks/own');
    assert.ok(stored && whole.equals(await buffer(stored.stream)));
  });

  it('keeps parts of larger memory', async () => {
    const memory = new Uint8Array(4 * LENGTH).fill(7);
    const stream = new OwnedBytes();
    stream.end(memory.subarray(0, 2 * LENGTH));
    await storage.put('chunks/part', stream);
    assert.equal(memory.length, 4 * LENGTH);
  });

  it('is stored beside others that fail', async () => {
    const failing = (after: number) =>
      Readable.from(
        (function* () {
          for (let count = 0; count < after; count++) yield Buffer.alloc(LENGTH, 0xff);
          throw new Error('gone');
        })(),
      );
    const failingOwn = (after: number) => {
      const stream = new OwnedBytes();
      pipeline(failing(after), stream).catch(() => {});
      return stream;
    };
    const own = () => {
      const stream = new OwnedBytes();
      pipeline(chunks(), stream).catch(() => {});
      return stream;
    };
    const whole = Buffer.concat(chunks());
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        for (let after = 0; after < 20; after++) {
          const failed = [
            assert.rejects(storage.put(`failing/${index}`, failing(after))),
            assert.rejects(storage.put('a', failingOwn(after))),
          ];
          await storage.put(`chunks/${index}`, after % 2 === 0 ? own() : Readable.from(chunks()));
          await Promise.all(failed);
          const stored = await storage.get(`chunks/${index}`);
          assert.ok(stored && whole.equals(await buffer(stored.stream)));
        }
      }),
    );
  });
});
