import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InvalidDurationError, parseGoDuration } from '../../src/text/go-duration.ts';

describe('a duration', () => {
  it('is read by the rules of Go', () => {
    assert.deepEqual(['8h', '1h30m', '0', '-1.5m', '.5s', '1µs'].map(parseGoDuration), [28800, 5400, 0, -90, 0.5, 1e-6]);
  });

  it('is refused with the message of Go', () => {
    for (const [text, reason] of [
      ['', 'invalid duration ""'],
      ['1', 'missing unit in duration "1"'],
      ['1d', 'unknown unit "d" in duration "1d"'],
      ['1"é', 'unknown unit "\\"\\xc3\\xa9" in duration "1\\"\\xc3\\xa9"'],
    ] as const)
      assert.throws(() => parseGoDuration(text), new InvalidDurationError(`time: ${reason}`));
  });

  it('has a limited length, also in the message', () => {
    assert.throws(() => parseGoDuration('1h'.repeat(500_000)), new InvalidDurationError(`time: invalid duration "${'1h'.repeat(250)}"`));
  });
});
