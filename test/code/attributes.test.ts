import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { attributeOf } from '../../src/code/contents/attributes.ts';
import { WorkerPool } from '../../src/workers/pool.ts';

// On SQLite alone: no database is asked.

const workers = new WorkerPool();
after(() => workers.close());

describe('attributes of a path that is written', () => {
  it('are found at once where that is short', async () => {
    const files = [
      ['', '*.psd filter=lfs\n'],
      ['a/', 'x.psd -filter\n'],
    ] as const;
    const of = (path: string) => attributeOf({ workers }, files, path, 'filter', { leftMs: 0 });
    assert.deepEqual(await Promise.all(['x.psd', 'a/y.psd', 'a/x.psd', 'x.txt'].map(of)), ['lfs', 'lfs', false, undefined]);
  });

  it('hold nobody where patterns take long, and are given up after some time', async () => {
    const text = Array.from({ length: 1500 }, (_, at) => `${'**/a*/'.repeat(20)}${at} filter=lfs\n`).join('');
    const path = `${'a/'.repeat(2000)}b`;
    const before = process.threadCpuUsage();
    await assert.rejects(
      attributeOf({ workers }, [['', text]], path, 'filter', { leftMs: 100 }),
      /the patterns of .gitattributes take too long/,
    );
    const { user } = process.threadCpuUsage(before);
    assert.ok(user < 1_000_000, `${user / 1000} ms of the main thread`);
  });
});
