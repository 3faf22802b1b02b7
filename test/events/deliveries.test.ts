import assert from 'node:assert/strict';
import { it } from 'node:test';
import { now } from '../../src/clock.ts';
import { isReady, readyDeliveries } from '../../src/events/deliveries.ts';
import { testServer } from '../support/server.ts';

const { db, database } = (await testServer()).context;

it('what is ready is found without reading all that waits before it', { skip: database.dialect !== 'sqlite' }, async () => {
  // PostgreSQL plans by what the table has at the moment.
  const query = db.selectFrom('event_deliveries as delivery').select('event_id').where(isReady(now()));
  const compiled = query.compile();
  const plan = await db.executeQuery({ ...compiled, sql: `explain query plan ${compiled.sql}` });
  assert.match(JSON.stringify(plan.rows), /SEARCH failed USING INDEX event_deliveries_partition_subscriber_idx /);
});

it('an event of several subscribers is read once for all of them', async () => {
  const [partition, subscribers] = [-77, ['first', 'second', 'third']];
  const payload = JSON.stringify({ repositoryId: 1, text: 'of all' });
  const { id } = await db
    .insertInto('events')
    .values({ type: 'none', payload, created_at: now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = subscribers.map((subscriber) => ({ event_id: id, subscriber, partition, due_at: now() }));
  await db.insertInto('event_deliveries').values(rows).execute();
  const ready = await readyDeliveries(db, [partition], subscribers, [], 10);
  assert.deepEqual(ready.map(({ subscriber }) => subscriber).sort(), subscribers);
  assert.deepEqual(ready[0]?.payload, JSON.parse(payload));
  assert.ok(ready.every((delivery) => delivery.payload === ready[0]?.payload));
  await db.deleteFrom('event_deliveries').where('event_id', '=', id).execute();
});
