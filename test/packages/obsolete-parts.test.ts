// On SQLite alone: no database is used.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ObsoleteParts } from '../../src/packages/indexes/obsolete-parts.ts';

const MINUTES = 60_000;

it('parts of documents go ten minutes after they were first unwanted, unless they are wanted again', () => {
  const parts = new ObsoleteParts();
  assert.deepEqual(parts.removable([1, 2, 3], [4], 0), []);
  assert.deepEqual(parts.removable([1, 2, 4], [3], 9 * MINUTES), []);
  assert.deepEqual(parts.removable([1, 3, 4], [2], 10 * MINUTES), [1]);
  assert.deepEqual(parts.removable([2, 3, 4], [], 19 * MINUTES), [4]);
  assert.deepEqual(parts.removable([2, 3], [], 20 * MINUTES), [3]);
});

it('parts beyond those that are remembered stay longer', () => {
  const parts = new ObsoleteParts();
  const many = Array.from({ length: 20_000 }, (_, index) => index);
  assert.deepEqual(parts.removable(many, [], 0), []);
  assert.deepEqual(parts.removable([20_000], [], 10 * MINUTES), []);
  assert.deepEqual(parts.removable([5], [], 10 * MINUTES), []);
});
