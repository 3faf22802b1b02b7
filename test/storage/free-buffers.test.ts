import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { FreeBuffers } from '../../src/storage/free-buffers.ts';

it('buffers are used again, and an idle server keeps none', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const buffers = new FreeBuffers(1000);
    const first = buffers.take();
    assert.equal(first.length, 1000);
    buffers.giveBack(first);
    assert.equal(buffers.take(), first);
    buffers.giveBack(first);
    mock.timers.tick(60_000);
    assert.notEqual(buffers.take(), first);
  } finally {
    mock.timers.reset();
  }
});
