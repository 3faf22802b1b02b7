// On SQLite alone: streams alone
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { LiveCopy } from '../../../src/packages/upstreams/live-copy.ts';

/** Stores a content of so many chunks of 64 KiB; resolves with it. */
function follow(live: LiveCopy, chunks: readonly Buffer[]): Promise<Buffer> {
  return buffer(live.follow(Readable.from(chunks)));
}
const chunksOf = (count: number) => Array.from({ length: count }, (_, i) => Buffer.alloc(65_536, i + 1));
const from = async (stored: Buffer, offset: number) => Readable.from([stored.subarray(offset)], { objectMode: false });

describe('a copy of a content that is being stored', () => {
  it('is whole for a client that keeps up, and for one that does not', async () => {
    for (const count of [1, 2, 10, 100]) {
      const live = new LiveCopy();
      const chunks = chunksOf(count);
      const early = live.read(follow(live, chunks), from);
      const first = count > 1 ? live.begun : Promise.resolve();
      await first;
      assert.ok((await buffer(early)).equals(Buffer.concat(chunks)), `${count}`);
    }
  });

  it('takes what a slow client has not read from the storage', async () => {
    const live = new LiveCopy();
    const chunks = chunksOf(100);
    const stored = follow(live, chunks);
    const offsets: number[] = [];
    const copy = live.read(stored, async (content, offset) => {
      offsets.push(offset);
      return await from(content, offset);
    });
    await stored;
    assert.ok((await buffer(copy)).equals(Buffer.concat(chunks)));
    assert.equal(offsets.length, 1);
    assert.ok((offsets[0] ?? 0) <= 1024 * 1024);
  });

  it('ends with an error, and without its last part, if the content is refused', async () => {
    const live = new LiveCopy();
    const refused = follow(live, chunksOf(4)).then(() => Promise.reject<Buffer>(new Error('another digest')));
    const copy = live.read(refused, from);
    let size = 0;
    copy.on('data', (chunk: Buffer) => {
      size += chunk.length;
    });
    const [error] = await once(copy, 'error');
    assert.equal((error as Error).message, 'another digest');
    assert.equal(size, 3 * 65_536);
  });
});
