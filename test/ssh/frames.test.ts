import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { frames, readFrames } from '../../src/ssh/frames.ts';

const sent = Buffer.concat([frames('o', 'x'.repeat(70_000)), frames('e'), frames('x', '3'), frames('o', 'cut').subarray(0, 6)]);

for (const size of [3, 5, 65_541, sent.length]) {
  it(`frames are read in pieces of ${size} bytes, as far as they are whole`, async () => {
    const pieces = Array.from({ length: Math.ceil(sent.length / size) }, (_, index) => sent.subarray(index * size, (index + 1) * size));
    const got: string[] = [];
    for await (const { kind, bytes } of readFrames(Readable.from(pieces))) got.push(`${kind} ${bytes.length}`);
    assert.deepEqual(got, ['o 65536', 'o 4464', 'e 0', 'x 1']);
  });
}
