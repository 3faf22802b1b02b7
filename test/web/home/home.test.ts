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

describe('what the reader watches', () => {
  it('is listed, and can be let go of', async () => {
    await alice.must('POST', '/user/repos', { name: 'watched', description: 'For <all>' });
    const path = '/notifications/watching';
    const page = await browser.get(path);
    assert.match(page.text, /href="\/alice\/watched">alice\/watched<[\s\S]*For &lt;all&gt;[\s\S]*aria-label="Unwatch alice\/watched"/);
    assert.equal((await browser.submit(page, { back: path }, '/alice/watched/action/unwatch')).location, path);
    assert.ok(!(await browser.get(path)).text.includes('alice/watched'));
    assert.match((await new Browser(t.url).get(path)).location, /^\/user\/login/);
  });
});

describe('the home page', () => {
  it('begins with what waits for the reader', async () => {
    const { text: before } = await browser.get('/');
    assert.ok(!before.includes('assigned to you') && !before.includes('requested from you'));
    await alice.must('POST', '/user/repos', { name: 'work', auto_init: true, default_branch: 'main' });
    await alice.must('PUT', '/repos/alice/work/collaborators/bob', { permission: 'write' });
    for (let at = 1; at <= 6; at++) await bob.must('POST', '/repos/alice/work/issues', { title: `Task ${at}`, assignees: ['alice'] });
    await bob.must('POST', '/repos/alice/work/issues', { title: 'Of nobody' });
    await bob.must('POST', '/repos/alice/work/contents/x', { content: '', branch: 'main', new_branch: 'x', message: 'x' });
    const pull = await bob.must('POST', '/repos/alice/work/pulls', { title: 'To look at', head: 'x', base: 'main' });
    await bob.must('POST', `/repos/alice/work/pulls/${pull.number}/requested_reviewers`, { reviewers: ['alice'] });
    const main = /<main[\s\S]*<h2>Activity/.exec((await browser.get('/')).text)?.[0] ?? '';
    assert.match(
      main,
      /Reviews requested from you<\/h2> <span class="count">1<[\s\S]*To look at[\s\S]*Issues assigned to you<\/h2> <span class="count">6</,
    );
    assert.match(main, /href="\/issues\?type=assigned">Show all[\s\S]*Task 6[\s\S]*Task 2/);
    assert.ok(!main.includes('Task 1<') && !main.includes('Of nobody') && !main.includes('Pull requests assigned to you'));
  });

  it('names commits by short ids', async () => {
    await alice.must('POST', '/user/repos', { name: 'ids', auto_init: true, default_branch: 'main' });
    const { commit } = await alice.must('POST', '/repos/alice/ids/contents/a', { content: '', message: 'Add it', branch: 'main' });
    await t.settled();
    const { text } = await browser.get('/');
    assert.ok(
      text.includes(`/commit/${commit.sha}`) && text.includes(`>${commit.sha.slice(0, 10)}</a>`) && !text.includes(`>${commit.sha}`),
    );
  });

  it('shows the titles of what was opened, and what stands between backticks as code', async () => {
    await alice.must('POST', '/repos/alice/ids/issues', { title: 'Support `git archive` <b>', body: 'Please' });
    await alice.must('POST', '/repos/alice/ids/issues', { title: 'Alone|here' });
    await t.settled();
    const { text } = await browser.get('/');
    assert.match(text, /class="feed-title">Support <code>git archive<\/code> &lt;b&gt;<\/p><div class="prose[\s\S]{0,40}>Please<\/p>/);
    assert.match(text, /class="feed-title">Alone\|here<\/p><\/div>/);
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
