import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newestTooOld } from '../../src/webhooks/deliveries/replay.ts';
import { anotherProcess, kill } from '../support/processes.ts';
import { testServer } from '../support/server.ts';
import { hooking } from './hooked.ts';
import { receiver } from './receiver.ts';

const server = await testServer({ outgoing: { allowedHosts: ['loopback'] }, webhooks: { maxAttempts: 3 } });
const alice = await server.user('alice');
const { hooked, rows, hurry } = hooking(server, alice);

describe('deliveries', () => {
  it('that keep their payloads are found without reading those that wait', {
    skip: server.context.database.dialect !== 'sqlite',
  }, async () => {
    const { db } = server.context;
    const compiled = newestTooOld(db, 1).compile();
    const plan = await db.executeQuery({ ...compiled, sql: `explain query plan ${compiled.sql}` });
    assert.match(JSON.stringify(plan.rows), /is_kept_id_idx \(webhook_id=\? AND is_kept=\?\)/);
  });

  it('that the receiver refuses are not sent again, and the next are sent all the same', async () => {
    const there = await receiver(async () => ({ status: 500, body: 'no' }));
    const { open, id } = await hooked(there.url);
    await open('1');
    await open('2');
    await server.settled();
    await hurry(id);
    assert.equal(there.received.length, 2);
    assert.deepEqual(
      (await rows(id)).map(({ state, status, answer, attempts }) => [state, status, answer, attempts]),
      [
        ['failed', 500, 'no', 1],
        ['failed', 500, 'no', 1],
      ],
    );
  });

  it('that nobody has had are sent again under the same id, a few times', async () => {
    const there = await receiver(async (_, count) => ({ status: count < 3 ? 503 : 204, body: '' }));
    const { open, id } = await hooked(there.url);
    await open('1');
    await server.settled();
    assert.equal((await rows(id))[0]?.state, 'waiting');
    await open('2');
    await server.settled();
    await hurry(id);
    await hurry(id);
    const ids = there.received.filter(({ json }) => json.issue.title === '1').map(({ headers }) => headers['x-gitea-delivery']);
    assert.equal(new Set(ids).size, 1);
    assert.deepEqual(
      (await rows(id)).map(({ state }) => state),
      ['delivered', 'delivered'],
    );
    const nobody = await hooked('http://127.0.0.1:9/');
    await nobody.open('1');
    await server.settled();
    for (let i = 0; i < 4; i++) await hurry(nobody.id);
    const [given] = await rows(nobody.id);
    assert.deepEqual([given?.state, given?.attempts, given?.status], ['failed', 3, null]);
  });

  it('survive a restart', async () => {
    const there = await receiver(async (_, count) => ({ status: count === 1 ? 503 : 200 }));
    const { open, id } = await hooked(there.url);
    await open('kept');
    await server.settled();
    await server.restart();
    await hurry(id);
    assert.deepEqual(
      there.received.map(({ json }) => json.issue.title),
      ['kept', 'kept'],
    );
  });

  it('are not made for hooks that are switched off, nor sent once they are', async () => {
    const there = await receiver(async () => ({ status: 503 }));
    const { open, id, path } = await hooked(there.url);
    await open('1');
    await server.settled();
    await alice.must('PATCH', `${path}/hooks/${id}`, { active: false, events: ['issues'] });
    await open('2');
    await server.settled();
    await hurry(id);
    assert.equal(there.received.length, 1);
    assert.deepEqual(
      (await rows(id)).map(({ state }) => state),
      ['failed'],
    );
  });

  it('wait for a receiver that is far behind, as long as they fit', async () => {
    const there = await receiver();
    const { open, id } = await hooked(there.url);
    const { db, processes, settings } = server.context;
    const count = 2000;
    const waiting = { webhook_id: id, uuid: '', event: 'issues', payload: '{}', size: 2, due_at: 4_000_000_000, created_at: 1 };
    for (let i = 0; i < count; i += 500) await db.insertInto('webhook_deliveries').values(new Array(500).fill(waiting)).execute();
    const busy = { due_at: 1, process_id: processes.id };
    await db.updateTable('webhooks').set(busy).where('id', '=', id).execute();
    await open('kept');
    const { maxWaiting } = settings.webhooks;
    await db.updateTable('webhooks').set({ waiting_bytes: maxWaiting }).where('id', '=', id).execute();
    await open('too much');
    const [kept, refused] = (await rows(id)).slice(count);
    assert.equal(kept?.state, 'waiting');
    assert.equal(kept?.size, Buffer.byteLength(kept?.payload ?? ''));
    assert.equal(refused?.state, 'failed');
    assert.match(refused?.answer ?? '', /too many deliveries are waiting/);
    // What was sent counts no more.
    await db.updateTable('webhooks').set({ process_id: null }).where('id', '=', id).execute();
    await server.settled();
    assert.equal(there.received.length, 1);
    const hook = await db.selectFrom('webhooks').select('waiting_bytes').where('id', '=', id).executeTakeFirst();
    assert.equal(hook?.waiting_bytes, maxWaiting - (kept?.size ?? 0));
    await db.deleteFrom('webhooks').where('id', '=', id).execute();
  });

  it('are limited for all hooks of a repository together', async () => {
    const { db, settings } = server.context;
    const there = await receiver();
    const { open, path, id } = await hooked(there.url);
    const more = { type: 'gitea', active: true, events: ['issues'], config: { url: there.url, content_type: 'json' } };
    const ids = [id];
    for (let at = 0; at < 4; at++) ids.push(Number((await alice.must('POST', `${path}/hooks`, more)).id));
    const ofOthers = await hooked(there.url);
    const waiting_bytes = Math.floor(settings.webhooks.maxWaiting * 0.9);
    await db.updateTable('webhooks').set({ waiting_bytes }).where('id', 'in', ids).execute();
    await open('too much');
    await ofOthers.open('other');
    await server.settled();
    for (const one of ids) assert.match((await rows(one))[0]?.answer ?? '', /too many deliveries are waiting/);
    assert.deepEqual(
      there.received.map(({ json }) => json.issue.title),
      ['other'],
    );
    await db.updateTable('webhooks').set({ waiting_bytes: 0 }).where('id', 'in', ids).execute();
  });

  it('that have waited for too long fail', async () => {
    const there = await receiver();
    const { id } = await hooked(there.url);
    const { db } = server.context;
    const waiting = { webhook_id: id, uuid: '', event: 'issues', payload: '{}', size: 2, due_at: 1, created_at: 1 };
    await db.insertInto('webhook_deliveries').values(waiting).execute();
    await db.updateTable('webhooks').set({ due_at: 1, waiting_bytes: 2 }).where('id', '=', id).execute();
    await server.settled();
    const [row] = await rows(id);
    assert.deepEqual([row?.state, there.received.length], ['failed', 0]);
    assert.match(row?.answer ?? '', /waited for too long/);
  });

  it('of a process that is gone are made by others', async () => {
    const there = await receiver();
    const { open, id } = await hooked(there.url);
    const { db } = server.context;
    const dead = await anotherProcess(server.context);
    const held = { due_at: 1, process_id: dead.processes.id };
    await db.updateTable('webhooks').set(held).where('id', '=', id).execute();
    await open('One');
    await server.settled();
    assert.equal(there.received.length, 0);
    await kill(dead);
    await server.settled();
    assert.equal(there.received.length, 1);
  });

  it('are forgotten after their time', async () => {
    const there = await receiver();
    const { open, id } = await hooked(there.url);
    await open('old');
    await open('new');
    await server.settled();
    const [old] = await rows(id);
    const { db } = server.context;
    await db
      .updateTable('webhook_deliveries')
      .set({ finished_at: 1 })
      .where('id', '=', old?.id ?? 0)
      .execute();
    await server.admin.must('POST', '/admin/cron/cleanup_hook_task_table');
    assert.equal((await rows(id)).length, 1);
  });
});
