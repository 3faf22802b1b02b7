import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { day, duration, timeAgo } from '../../../src/web/components/numbers.ts';

describe('durations', () => {
  it('have the units that they are made of, in the words of the language', () => {
    const hour = 3_600_000;
    assert.equal(duration({ language: 'en' }, 1.5 * hour), '1 hour, 30 minutes');
    assert.equal(duration({ language: 'de' }, 24 * hour + 5), '1 Tag, 5 Millisekunden');
    assert.equal(duration({ language: 'en' }, 0), '0 seconds');
  });
});

describe('moments that there are not', () => {
  it('are shown as nothing', () => {
    for (const value of [Number.NaN, 1e15, 'no day']) {
      assert.equal(day({ language: 'en' }, value), '');
      assert.equal(timeAgo({ language: 'en' }, value).text, '');
    }
    assert.equal(day({ language: 'en' }, 0), 'Jan 1, 1970');
  });
});
