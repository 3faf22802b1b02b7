import assert from 'node:assert/strict';
import { it } from 'node:test';
import { afterwards } from '../support/afterwards.ts';
import { eventually } from '../support/eventually.ts';
import { anotherProcess } from '../support/processes.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const { url } = t.context.settings.database;

it('processes tell each other what has changed', { skip: !url && 'PostgreSQL' }, async () => {
  const other = await anotherProcess(t.context);
  const heard: string[] = [];
  afterwards(other.wakeUps.onNotify((subject) => heard.push(subject)));
  await eventually(() => {
    t.context.wakeUps.notify(['i1', 's2:abc']);
    return heard.includes('i1') && heard.includes('s2:abc');
  }, 'the subjects');
  heard.length = 0;
  t.context.wakeUps.notify(Array.from({ length: 1000 }, (_, n) => `u${n}`));
  await eventually(() => heard.includes('*'), 'that too much has changed');
});

it('processes wake each other long before they would look by themselves', { skip: !url && 'PostgreSQL' }, async () => {
  const other = await anotherProcess(t.context);
  let woken = 0;
  afterwards(other.wakeUps.on('purges', () => woken++));
  // The first ones may come before it listens.
  await eventually(() => {
    t.context.wakeUps.wakeOthers('purges');
    return woken > 0;
  }, 'a wake-up');
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const [before, began] = [woken, performance.now()];
    t.context.wakeUps.wakeOthers('purges');
    await eventually(() => woken > before, 'the next wake-up');
    times.push(performance.now() - began);
  }
  const median = times.toSorted((a, b) => a - b)[4] ?? 0;
  // 16 to 22 ms beside a full test run on two processors; without wake-ups processes look every two seconds.
  assert.ok(median < 1000, `it took ${median} ms`);
});
