import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonInSlices } from '../../src/concurrency/json-in-slices.ts';

describe('JSON in slices', () => {
  const long = Array.from({ length: 2500 }, (_, at) => ({ at, text: `"${at}"`, none: undefined, list: [at, null] }));

  it('is that of JSON.stringify', async () => {
    for (const value of [[], long, { first: 1, long, left: undefined, empty: [], last: { long } }, { short: [1, undefined] }, {}]) {
      assert.equal(await jsonInSlices(value), JSON.stringify(value));
    }
  });

  it('lets others run meanwhile', async () => {
    const longer = Array.from({ length: 200 }, () => long).flat();
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await jsonInSlices({ longer });
    clearInterval(timer);
    assert.ok(turns > 3, `${turns} turns`);
  });
});
