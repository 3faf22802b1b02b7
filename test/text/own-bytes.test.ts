import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ownBytes } from '../../src/text/own-bytes.ts';

describe('ownBytes', () => {
  it('copies a part of something larger', () => {
    const received = Buffer.alloc(64 * 1024, 'x');
    const own = ownBytes(received.subarray(10, 20));
    assert.equal(own.toString(), 'xxxxxxxxxx');
    assert.equal(own.buffer.byteLength, 10);
  });

  it('leaves bytes as they are that have their memory to themselves', () => {
    const bytes = Buffer.alloc(1000);
    assert.equal(ownBytes(bytes), bytes);
  });
});
