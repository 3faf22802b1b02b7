import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);

describe('making a repository', () => {
  it('begins with what the form says', async () => {
    const page = await browser.get('/repo/create');
    const made = await browser.submit(page, { name: 'forge', description: 'A forge', private: 'on', init: 'on', license: 'MIT' });
    assert.deepEqual([made.status, made.location], [303, '/alice/forge']);
    const { private: isPrivate, empty } = await alice.must('GET', '/repos/alice/forge');
    assert.deepEqual([isPrivate, empty], [true, false]);
  });

  it('shows the form again with what is wrong', async () => {
    const page = await browser.get('/repo/create');
    for (const [fields, reason] of [
      [{ name: 'forge', description: 'Kept "text"' }, /already exists/],
      [{ name: 'a/b', description: 'Kept "text"' }, /Name/],
      [{ name: 'x', description: 'Kept "text"', init: 'on', license: 'No such license' }, /license/i],
    ] as const) {
      const refused = await browser.submit(page, fields);
      assert.ok(refused.status >= 400 && reason.test(refused.text), `${refused.status} ${refused.text}`);
      assert.ok(refused.text.includes('Kept &#34;text&#34;'));
    }
    assert.equal((await browser.submit(page, { name: 'x', owner: 'nobody' })).status, 404);
    assert.match((await new Browser(t.url).get('/repo/create')).location, /^\/user\/login/);
  });

  it('can be in an organization that is made here too', async () => {
    const made = await browser.submit(await browser.get('/org/create'), { name: 'acme', visibility: 'limited' });
    assert.equal(made.location, '/acme');
    assert.equal((await alice.must('GET', '/orgs/acme')).visibility, 'limited');
    const page = await browser.get('/repo/create');
    assert.equal((await browser.submit(page, { name: 'tools', owner: 'acme' })).location, '/acme/tools');
    assert.equal((await browser.submit(await browser.get('/org/create'), { name: 'acme' })).status, 422);
  });
});

describe('the home page', () => {
  it('names commits by short ids', async () => {
    await alice.must('POST', '/user/repos', { name: 'ids', auto_init: true, default_branch: 'main' });
    const { commit } = await alice.must('POST', '/repos/alice/ids/contents/a', { content: '', message: 'Add it', branch: 'main' });
    await t.settled();
    const { text } = await browser.get('/');
    assert.ok(
      text.includes(`/commit/${commit.sha}`) && text.includes(`>${commit.sha.slice(0, 10)}</a>`) && !text.includes(`>${commit.sha}`),
    );
  });

  it('shows what is new, and the ways to the own repositories', async () => {
    await t.settled();
    const page = await browser.get('/');
    assert.match(page.text, /created repository/);
    assert.ok(page.text.includes('href="/alice/forge"'));
    const other = new Browser(t.url);
    await other.signIn('bob', PASSWORD);
    assert.ok(!(await other.get('/')).text.includes('forge'));
  });
});

describe('notifications', () => {
  it('are listed by status, marked and pinned', async () => {
    await alice.must('POST', '/repos/alice/forge/issues', { title: 'Mine' });
    await alice.must('PUT', '/repos/alice/forge/collaborators/bob', { permission: 'write' });
    await bob.must('POST', '/repos/alice/forge/issues', { title: 'A <b>title</b>' });
    await t.settled();
    const page = await browser.get('/notifications');
    assert.match(page.text, /<strong>A &lt;b&gt;title&lt;\/b&gt;<\/strong>/);
    const [, id = ''] = /name="id" value="(\d+)"/.exec(page.text) ?? [];
    const done = await browser.submit(page, { id, status: 'read' }, '/notifications');
    assert.equal(done.location, '/notifications');
    assert.match((await browser.get('/notifications')).text, /There are no notifications/);
    assert.ok((await browser.get('/notifications?q=read')).text.includes('A &lt;b&gt;title'));
    const other = new Browser(t.url);
    await other.signIn('bob', PASSWORD);
    const foreign = await other.send('POST', '/notifications', {
      fields: { id, status: 'unread' },
      headers: { origin: new URL(t.url).origin },
    });
    assert.match(foreign.text, /only user itself/);
    assert.match((await new Browser(t.url).get('/notifications')).location, /^\/user\/login/);
  });
});
