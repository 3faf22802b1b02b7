import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Cron } from 'croner';
import * as fc from 'fast-check';
import { cronExpression } from '../../src/jobs/cron-expression.ts';
import { holds } from '../support/property.ts';

const MINUTE_MS = 60_000;

describe('schedules', () => {
  it('by a part of an hour or a day come at the same distances, counted from its beginning', () => {
    const minutes = fc.constantFrom(1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60).map((count) => ({ text: `${count}m`, length: count }));
    const hours = fc.constantFrom(1, 2, 3, 4, 6, 8, 12, 24).map((count) => ({ text: `${count}h`, length: count * 60 }));
    const start = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) });
    const property = fc.property(fc.oneof(minutes, hours), start, ({ text, length }, time) => {
      const next = new Cron(cronExpression(`@every ${text}`), { paused: true, timezone: 'UTC' }).nextRuns(3, new Date(time));
      const first = (Math.floor(time / (length * MINUTE_MS)) + 1) * length * MINUTE_MS;
      assert.deepEqual(
        next.map((date) => date.getTime()),
        [0, 1, 2].map((index) => first + index * length * MINUTE_MS),
      );
    });
    holds(property, 200);
  });

  it('in five fields stay as they are', () => {
    const field = fc.oneof(fc.constant('*'), fc.nat(28).map(String));
    holds(
      fc.property(fc.array(field, { minLength: 5, maxLength: 5 }), (fields) =>
        assert.equal(cronExpression(fields.join(' ')), fields.join(' ')),
      ),
    );
  });
});
