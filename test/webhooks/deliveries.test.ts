import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { hooking } from './hooked.ts';
import { receiver } from './receiver.ts';

const server = await testServer({ outgoing: { allowedHosts: ['loopback'] }, webhooks: { maxAttempts: 3 } });
const alice = await server.user('alice');
const strict = await testServer();
const carol = await strict.user('carol');
const narrow = await testServer({ outgoing: { allowedHosts: ['127.0.0.1'] } });
const dave = await narrow.user('dave');
const hasty = await testServer({ outgoing: { allowedHosts: ['127.0.0.1'] }, webhooks: { timeout: 300 } });
const erin = await hasty.user('erin');
const { hooked, rows } = hooking(server, alice);

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
    assert.deepEqual([row?.state, row?.status, row?.uuid, row?.payload], ['delivered', 200, headers['x-gitea-delivery'], text]);
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
