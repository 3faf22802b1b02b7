// On SQLite alone: changes come by wake-ups of the process, and those between processes have tests of their own.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, describe, it } from 'node:test';
import { MAX_OF_USER } from '../../src/web/live/hub.ts';
import { Browser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { PASSWORD, testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
for (const [name, isPrivate] of [
  ['open', false],
  ['secret', true],
] as const) {
  await alice.must('POST', '/user/repos', { name, private: isPrivate, auto_init: true });
  await alice.must('POST', `/repos/alice/${name}/issues`, { title: 'first' });
}
const issueOf = async (name: string) => (await alice.must('GET', `/repos/alice/${name}/issues/1`)).id as number;
const [open, secret] = [`i${await issueOf('open')}`, `i${await issueOf('secret')}`];
const connections: Connection[] = [];
after(() => {
  for (const one of connections) one.end();
});

/** A browser's connection: what came on it, and whether it has ended. */
class Connection {
  status = 0;
  text = '';
  isEnded = false;
  readonly #request: http.ClientRequest;

  constructor(browser: Browser, subjects: string) {
    connections.push(this);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const url = new URL(`/user/events?${new URLSearchParams({ subjects })}`, t.url);
    this.#request = http.get(url, { headers: { cookie, accept: 'text/event-stream' } });
    this.#request.on('error', () => {});
  }

  async opened(): Promise<this> {
    const [response] = (await once(this.#request, 'response')) as [http.IncomingMessage];
    this.status = response.statusCode ?? 0;
    response.setEncoding('utf8').on('data', (text: string) => (this.text += text));
    response.on('close', () => {
      this.isEnded = true;
    });
    response.resume();
    if (this.status === 200) await eventually(() => /^retry: \d+\n\n/.test(this.text));
    return this;
  }

  /** The subjects that have changed. */
  get changed(): string[] {
    return [...this.text.matchAll(/^event: changed\ndata: (.*)\n\n/gm)].map(([, subject = '']) => subject);
  }

  end(): void {
    this.#request.destroy();
  }
}

async function signedIn(name: string): Promise<Browser> {
  const browser = new Browser(t.url);
  await browser.signIn(name, PASSWORD);
  return browser;
}

const connect = (browser: Browser, subjects = '') => new Connection(browser, subjects).opened();

describe('live updates', () => {
  it('tell that an issue has changed, and nothing else about it', async () => {
    const connection = await connect(await signedIn('alice'), `${secret},${open}`);
    await alice.must('POST', '/repos/alice/secret/issues/1/comments', { body: 'nobody else reads this' });
    await eventually(() => connection.changed.join() === secret);
    assert.doesNotMatch(connection.text, /nobody/);
    await alice.must('PATCH', '/repos/alice/open/issues/1', { state: 'closed' });
    await eventually(() => connection.changed.includes(open));
    connection.end();
  });

  it('tell strangers nothing of what they may not see', async () => {
    const connection = await connect(await signedIn('bob'), `${secret},${open},r1,g2,s2:${'a'.repeat(40)},x1,u2,*`);
    await alice.must('POST', '/repos/alice/secret/issues/1/comments', { body: 'again' });
    await alice.must('POST', '/repos/alice/open/issues/1/comments', { body: 'for all' });
    await eventually(() => connection.changed.includes(open));
    assert.deepEqual([...new Set(connection.changed)], [open]);
    connection.end();
  });

  it('tell of statuses of a commit', async () => {
    const { id } = await alice.must('GET', '/repos/alice/open');
    const [{ sha }] = await alice.must('GET', '/repos/alice/open/commits');
    const connection = await connect(await signedIn('bob'), `s${id}:${sha}`);
    await alice.must('POST', `/repos/alice/open/statuses/${sha}`, { state: 'success', context: 'ci' });
    await eventually(() => connection.changed.join() === `s${id}:${sha}`);
    connection.end();
  });

  it('tell of notifications, whose number has an address', async () => {
    const browser = await signedIn('bob');
    const connection = await connect(browser);
    const count = async () => JSON.parse((await browser.get('/notifications/new')).text).new;
    const before = await count();
    await alice.must('POST', '/repos/alice/open/issues', { title: 'for you', assignees: ['alice'], body: '@bob look' });
    await t.settled();
    assert.equal(await count(), before + 1);
    await eventually(() => connection.changed.length === 1);
    await bob.must('PUT', '/notifications');
    await eventually(() => connection.changed.length === 2);
    assert.equal(await count(), 0);
    assert.equal((await new Browser(t.url).get('/notifications/new')).status, 303);
    connection.end();
  });

  it('end when rights change, and when the browser is signed out or gets another password', async () => {
    await alice.must('PUT', '/repos/alice/secret/collaborators/bob', { permission: 'read' });
    const browser = await signedIn('bob');
    const connection = await connect(browser, secret);
    await alice.must('DELETE', '/repos/alice/secret/collaborators/bob');
    await eventually(() => connection.isEnded);
    const again = await connect(browser, secret);
    await alice.must('POST', '/repos/alice/secret/issues/1/comments', { body: 'without bob' });
    assert.ok(!again.isEnded);
    await browser.submit(await browser.get('/user/logout'), {});
    await eventually(() => again.isEnded);
    assert.deepEqual(again.changed, []);
    assert.equal((await connect(browser)).status, 204, 'no user is signed in');
    const other = await connect(await signedIn('bob'));
    await t.admin.must('PATCH', '/admin/users/bob', { login_name: 'bob', source_id: 0, prohibit_login: true });
    await eventually(() => other.isEnded);
  });

  it('are bounded for a user, and for who asks without being able to listen', async () => {
    const browser = await signedIn('alice');
    const all = await Promise.all(Array.from({ length: MAX_OF_USER }, () => connect(browser)));
    assert.ok(all.every(({ status }) => status === 200));
    assert.equal((await connect(browser)).status, 204);
    all[0]?.end();
    await eventually(async () => (await connect(browser)).status === 200);
    assert.equal((await browser.get('/user/events')).status, 204);
    assert.equal((await new Browser(t.url).get('/user/events')).status, 204);
  });

  it('end at once when the process stops', async () => {
    const connection = await connect(await signedIn('admin'));
    await t.restart();
    assert.deepEqual([connection.status, connection.isEnded], [200, true]);
  });
});
