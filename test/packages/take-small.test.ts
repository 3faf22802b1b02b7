// On SQLite alone: no database is used.
import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { takeSmall } from '../../src/packages/blobs/take-small.ts';

const piped = (...parts: string[]) => Readable.from(parts.map((part) => Buffer.from(part))).pipe(new PassThrough());

describe('a content that may be small', () => {
  it('is taken whole up to so many bytes', async () => {
    for (const parts of [[], ['a'], ['ab', 'cd'], ['abcdef']])
      assert.equal((await takeSmall(piped(...parts), 6))?.toString(), parts.join(''));
  });

  it('stays whole when it is larger', async () => {
    for (const parts of [['abcdefg'], ['abc', 'def', 'g'], ['a', 'x'.repeat(200_000), 'b']]) {
      const content = piped(...parts);
      assert.equal(await takeSmall(content, 6), undefined);
      assert.equal((await buffer(content)).toString(), parts.join(''));
    }
  });

  it('fails as the content does, before and meanwhile', async () => {
    const broken = new PassThrough();
    broken.on('error', () => {}).destroy(new Error('gone'));
    await assert.rejects(takeSmall(broken, 6), /gone/);
    const breaking = new PassThrough();
    breaking.write('abc');
    setImmediate(() => breaking.destroy());
    await assert.rejects(takeSmall(breaking, 6), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });
});
