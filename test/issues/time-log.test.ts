import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loggedSeconds } from '../../src/issues/references/time-log.ts';

describe('a time that a commit message logs', () => {
  it('counts working hours', () => {
    assert.equal(loggedSeconds('1h30m'), 5400);
    assert.equal(loggedSeconds('1w2d'), (5 + 2) * 8 * 3600);
    assert.equal(loggedSeconds('1,5h'), 5400);
  });

  it('is nothing when it makes no sense, and never more than a year', () => {
    for (const text of ['', 'h', '1x', '1h2', '-1h', '1..5h']) assert.equal(loggedSeconds(text), 0, text);
    assert.equal(loggedSeconds('999999999w'), 52 * 5 * 8 * 3600);
  });
});
