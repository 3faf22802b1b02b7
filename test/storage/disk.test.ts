// On SQLite alone: no database is used.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { DiskStorage } from '../../src/storage/disk.ts';
import { storageContract } from './contract.ts';

const root = await mkdtemp(join(tmpdir(), 'copse-storage-'));
after(() => rm(root, { recursive: true, force: true }));

describe('blobs on disk', () => storageContract(new DiskStorage(root), () => readdir(join(root, 'tmp'))));
