import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Delivery, finish } from '../../src/events/deliveries.ts';
import { Finisher } from '../../src/events/finisher.ts';
import { testServer } from '../support/server.ts';
import { eventLogs } from './logs.ts';

const t = await testServer();
const { db } = t.context.database;
const { logFor, emit, waiting } = eventLogs(t);
const deliveries = async () => (await db.selectFrom('event_deliveries').selectAll().execute()).map((row) => ({ ...row, id: row.event_id }));

describe('deliveries that have been handed on', () => {
  it('at about the same time are written together', async () => {
    await emit(logFor({ test: async () => {}, 'test.more': async () => {} }), 1, 2, 3);
    const rows = (await deliveries()).filter(({ subscriber }) => subscriber.startsWith('test'));
    assert.equal(rows.length, 6);
    let writes = 0;
    const finisher = new Finisher((batch) => {
      writes++;
      return finish(db, batch);
    });
    await Promise.all(rows.map((row) => finisher.finish({ ...row, type: '', payload: {}, created_at: 0 })));
    assert.equal(writes, 1);
    assert.deepEqual(await waiting(), []);
  });

  it('stay when they could not be written, and the next ones are written', async () => {
    await emit(logFor({ test: async () => {} }), 1);
    const [row] = (await deliveries()).filter(({ subscriber }) => subscriber === 'test');
    assert.ok(row);
    let isBroken = true;
    const finisher = new Finisher(async (batch: readonly Delivery[]) => {
      if (isBroken) throw new Error('broken');
      await finish(db, batch);
    });
    const delivery = { ...row, type: '', payload: {}, created_at: 0 };
    await assert.rejects(finisher.finish(delivery), /broken/);
    assert.equal((await waiting()).length, 1);
    isBroken = false;
    await finisher.finish(delivery);
    assert.deepEqual(await waiting(), []);
  });
});
