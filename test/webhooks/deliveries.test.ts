import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { anotherProcess, kill } from '../support/processes.ts';
import { testServer } from '../support/server.ts';
import { receiver } from './receiver.ts';

const server = await testServer({ outgoing: { allowedHosts: ['loopback'] }, webhooks: { maxAttempts: 3 } });
const alice = await server.user('alice');
const strict = await testServer();
const carol = await strict.user('carol');
const narrow = await testServer({ outgoing: { allowedHosts: ['127.0.0.1'] } });
const dave = await narrow.user('dave');
const hasty = await testServer({ outgoing: { allowedHosts: ['127.0.0.1'] }, webhooks: { timeout: 300 } });
const erin = await hasty.user('erin');
let repositories = 0;

/** A repository with a hook that is told of its issues. */
async function hooked(url: string, fields: { config?: object; [name: string]: unknown } = {}) {
  const name = `demo${++repositories}`;
  await alice.must('POST', '/user/repos', { name });
  const path = `/repos/alice/${name}`;
  const { config = {}, ...rest } = fields;
  const hook = { type: 'gitea', active: true, events: ['issues'], ...rest, config: { url, content_type: 'json', ...config } };
  const { id } = await alice.must('POST', `${path}/hooks`, hook);
  return { path, id: Number(id), open: (title: string) => alice.must('POST', `${path}/issues`, { title }) };
}

const rows = (hookId: number) =>
  server.context.db.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', hookId).orderBy('id').execute();
/** Makes what is to be tried again later due now. */
async function hurry(hookId: number): Promise<void> {
  const { db } = server.context;
  await db.updateTable('webhook_deliveries').set({ due_at: 1 }).where('webhook_id', '=', hookId).where('state', '=', 'waiting').execute();
  await db.updateTable('webhooks').set({ due_at: 1 }).where('id', '=', hookId).execute();
  await server.settled();
}

describe('deliveries', () => {
  it('are signed under every name, and have their ids', async () => {
    const there = await receiver();
    const { open, id } = await hooked(there.url, { config: { secret: 'sécret' }, authorization_header: 'Bearer token' });
    await open('One');
    await server.settled();
    const [{ headers, text, json, method } = assert.fail('nothing came')] = there.received;
    const strong = createHmac('sha256', 'sécret').update(text).digest('hex');
    assert.equal(method, 'POST');
    assert.equal(headers['x-gitea-signature'], strong);
    assert.equal(headers['x-gogs-signature'], strong);
    assert.equal(headers['x-hub-signature-256'], `sha256=${strong}`);
    assert.equal(headers['x-hub-signature'], `sha1=${createHmac('sha1', 'sécret').update(text).digest('hex')}`);
    assert.deepEqual(
      [headers['x-github-event'], headers['x-gitea-event-type'], headers.authorization],
      ['issues', 'issues', 'Bearer token'],
    );
    assert.deepEqual([json.action, json.issue.title, json.sender.login], ['opened', 'One', 'alice']);
    const [row] = await rows(id);
    assert.deepEqual([row?.state, row?.status, row?.uuid, row?.payload], ['delivered', 200, headers['x-gitea-delivery'], '']);
  });

  it('of one hook come one after the other, in the order of what happened', async () => {
    let atOnce = 0;
    let most = 0;
    const there = await receiver(async () => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setTimeout(resolve, 10));
      atOnce--;
      return {};
    });
    const { open } = await hooked(there.url);
    const titles = ['1', '2', '3', '4', '5', '6'];
    for (const title of titles) await open(title);
    await server.settled();
    assert.deepEqual(
      there.received.map(({ json }) => json.issue.title),
      titles,
    );
    assert.equal(most, 1);
  });

  it('to a slow receiver hold up no other receiver', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = await receiver(async () => {
      await held;
      return {};
    });
    const quick = await receiver();
    const { open, path } = await hooked(slow.url);
    await alice.must('POST', `${path}/hooks`, {
      type: 'gitea',
      active: true,
      events: ['issues'],
      config: { url: quick.url, content_type: 'json' },
    });
    for (const title of ['1', '2', '3']) await open(title);
    await quick.until(3);
    assert.equal(slow.received.length, 1);
    release();
    await server.settled();
    assert.equal(slow.received.length, 3);
  });

  it('that are answered with a failure are not sent again, and the next come all the same', async () => {
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

  it('are kept for a receiver that is far behind, as long as they fit', async () => {
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
    assert.match(refused?.answer ?? '', /too much is waiting/);
    // What was sent counts no more.
    await db.updateTable('webhooks').set({ process_id: null }).where('id', '=', id).execute();
    await server.settled();
    assert.equal(there.received.length, 1);
    const hook = await db.selectFrom('webhooks').select('waiting_bytes').where('id', '=', id).executeTakeFirst();
    assert.equal(hook?.waiting_bytes, maxWaiting - (kept?.size ?? 0));
    await db.deleteFrom('webhooks').where('id', '=', id).execute();
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

  it('sign in with what the address has for that', async () => {
    const there = await receiver();
    const { open } = await hooked(there.url.replace('http://', 'http://bot:p%40ss@'));
    await open('1');
    await server.settled();
    const [first] = there.received;
    assert.equal(first?.headers.authorization, `Basic ${Buffer.from('bot:p@ss').toString('base64')}`);
    assert.doesNotMatch(first?.headers.host ?? '', /bot/);
  });

  it('follow redirects without what is meant for the first receiver alone', async () => {
    const second = await receiver();
    const first = await receiver(async () => ({ status: 307, headers: { location: second.url } }));
    const { open } = await hooked(first.url, { authorization_header: 'Bearer secret' });
    await open('1');
    await server.settled();
    assert.equal(first.received[0]?.headers.authorization, 'Bearer secret');
    assert.equal(second.received[0]?.headers.authorization, undefined);
    assert.equal(second.received[0]?.json.issue.title, '1');
  });
});

describe('deliveries where private addresses may not be reached', () => {
  it('reach none of them, by name or by number', async () => {
    const there = await receiver();
    const port = new URL(there.url).port;
    await carol.must('POST', '/user/repos', { name: 'demo' });
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433', '169.254.169.254', '10.0.0.1'];
    for (const host of hosts) {
      const config = { url: `http://${host}:${port}/hook`, content_type: 'json' };
      await carol.must('POST', '/repos/carol/demo/hooks', { type: 'gitea', active: true, events: ['issues'], config });
    }
    await carol.must('POST', '/repos/carol/demo/issues', { title: 'x' });
    await strict.settled();
    assert.equal(there.received.length, 0);
    const all = await strict.context.db.selectFrom('webhook_deliveries').select(['state', 'status', 'attempts']).execute();
    assert.deepEqual(
      all.map(({ state, status, attempts }) => [state, status, attempts]),
      hosts.map(() => ['failed', null, 1]),
    );
  });
});

describe('deliveries where one address may be reached', () => {
  it('do not go on to another when it sends them there', async () => {
    const there = await receiver(async () => ({ status: 307, headers: { location: 'http://127.0.0.2:80/' } }));
    await dave.must('POST', '/user/repos', { name: 'demo' });
    const config = { url: there.url, content_type: 'json' };
    await dave.must('POST', '/repos/dave/demo/hooks', { type: 'gitea', active: true, events: ['issues'], config });
    await dave.must('POST', '/repos/dave/demo/issues', { title: 'x' });
    await narrow.settled();
    assert.equal(there.received.length, 1);
    const [delivery] = await narrow.context.db.selectFrom('webhook_deliveries').select(['state', 'answer']).execute();
    assert.equal(delivery?.state, 'failed');
    assert.match(delivery?.answer ?? '', /may not be reached/);
  });
});

describe('deliveries that take too long', () => {
  it('are given up', async () => {
    const there = await receiver(() => new Promise(() => {}));
    await erin.must('POST', '/user/repos', { name: 'demo' });
    const config = { url: there.url, content_type: 'json' };
    await erin.must('POST', '/repos/erin/demo/hooks', { type: 'gitea', active: true, events: ['issues'], config });
    await erin.must('POST', '/repos/erin/demo/issues', { title: 'x' });
    await hasty.settled();
    const [delivery] = await hasty.context.db.selectFrom('webhook_deliveries').select(['state', 'attempts']).execute();
    assert.deepEqual([delivery?.state, delivery?.attempts], ['failed', 1]);
  });
});
