import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { day, timeAgo } from '../../../src/web/components/numbers.ts';

describe('moments that there are not', () => {
  it('are shown as nothing', () => {
    for (const value of [Number.NaN, 1e15, 'no day']) {
      assert.equal(day({ language: 'en' }, value), '');
      assert.equal(timeAgo({ language: 'en' }, value).text, '');
    }
    assert.equal(day({ language: 'en' }, 0), 'Jan 1, 1970');
  });
});
