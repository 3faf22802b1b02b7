import assert from 'node:assert/strict';
import { it } from 'node:test';
import { now } from '../../src/clock.ts';
import { isReady } from '../../src/events/deliveries.ts';
import { testServer } from '../support/server.ts';

const { db, database } = (await testServer()).context;

it('what is ready is found without reading all that waits before it', { skip: database.dialect !== 'sqlite' }, async () => {
  // PostgreSQL plans by what the table has at the moment.
  const query = db.selectFrom('event_deliveries as delivery').select('event_id').where(isReady(now()));
  const compiled = query.compile();
  const plan = await db.executeQuery({ ...compiled, sql: `explain query plan ${compiled.sql}` });
  assert.match(JSON.stringify(plan.rows), /SEARCH failed USING INDEX event_deliveries_partition_subscriber_idx /);
});
