// On SQLite alone: no database is used.
import assert from 'node:assert/strict';
import fs, { type NoParamCallback } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, mock } from 'node:test';
import { DiskStorage } from '../../src/storage/disk.ts';
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
