import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ExpiringMap } from '../../src/accounts/expiring-map.ts';

describe('ExpiringMap', () => {
  it('forgets what has expired', () => {
    let time = 0;
    const map = new ExpiringMap<string>(10, () => time);
    map.set('a', 'x', 100);
    time = 99;
    assert.deepEqual([map.get('a'), map.expiresIn('a')], ['x', 1]);
    time = 100;
    assert.deepEqual([map.get('a'), map.expiresIn('a'), map.size], [undefined, 0, 0]);
  });

  it('is bounded, and forgets what was set longest ago', () => {
    const map = new ExpiringMap<number>(2, () => 0);
    map.set('a', 1, 1);
    map.set('b', 2, 1);
    map.set('a', 3, 1);
    map.set('c', 4, 1);
    assert.deepEqual([map.get('a'), map.get('b'), map.get('c'), map.size], [3, undefined, 4, 2]);
    map.delete('a');
    assert.equal(map.get('a'), undefined);
  });
});
