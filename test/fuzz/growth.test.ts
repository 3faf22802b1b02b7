import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertLinear, findGrowth } from './growth.ts';

describe('search for inputs that take too long', () => {
  it('finds quadratic time', () => {
    assert.notDeepEqual(
      findGrowth((text) => /a+b/.test(text), { atoms: ['a'], size: 6000, count: 0 }),
      [],
    );
  });

  it('lets linear time pass', () => {
    assertLinear((text) => text.split('').sort().join('').replace(/a/g, 'b'), { atoms: ['a', 'b', ' '] });
  });

  it('accepts a refusal', () => {
    assertLinear(
      () => {
        throw new Error('refused');
      },
      { atoms: ['a'] },
    );
  });
});
