import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RankedActions } from '../../src/concurrency/ranked-actions.ts';
import { processorTime } from '../support/processor-time.ts';

it('actions run by rank and in their order, also those that others add', async () => {
  const actions = new RankedActions();
  const done: string[] = [];
  const note = (name: string) => async () => {
    done.push(name);
    if (name === 'b') actions.add(note('early'), -1);
  };
  for (const [name, rank] of Object.entries({ a: 1, b: 0, c: 0, d: 3, e: 1 })) actions.add(note(name), rank);
  await actions.runAll();
  assert.deepEqual(done, ['b', 'early', 'c', 'a', 'e', 'd']);
});

it('twice as many actions take about twice as long', async () => {
  const time = (count: number) =>
    processorTime(async () => {
      const actions = new RankedActions();
      for (let at = 0; at < count; at++) actions.add(async () => {}, 0);
      await actions.runAll();
    });
  await time(20_000);
  const few = await time(20_000);
  // Looking through all of them for each took a hundred times as long.
  assert.ok((await time(200_000)) < 40 * few + 50);
});
