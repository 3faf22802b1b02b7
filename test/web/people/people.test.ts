import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const MARKUP = '<img src=x onerror=alert(1)>';
const alice = await t.user('alice', { full_name: MARKUP });
await t.user('bob');
await alice.must('PATCH', '/user/settings', { description: MARKUP, location: MARKUP, website: 'https://example.com/?a="b"' });
await alice.must('POST', '/user/repos', { name: 'open', description: MARKUP, auto_init: true });
await alice.must('POST', '/user/repos', { name: 'closed', private: true, auto_init: true });
await alice.must('PUT', '/repos/alice/open/topics', { topics: ['forge'] });
await alice.must('POST', '/orgs', { username: 'acme', full_name: MARKUP, description: MARKUP });
await alice.must('POST', '/orgs', { username: 'hidden', visibility: 'private' });
const own = new Browser(t.url);
await own.signIn('alice', PASSWORD);
const bob = new Browser(t.url);
await bob.signIn('bob', PASSWORD);
const stranger = new Browser(t.url);

function assertEscaped(text: string, path: string) {
  assert.ok(!/<img[^>]*onerror/i.test(text), path);
}

describe('exploring', () => {
  it('finds what the reader may see', async () => {
    const found = await stranger.get('/explore/repos?q=open');
    assert.ok(found.text.includes('href="/alice/open"') && !found.text.includes('/alice/closed'));
    assertEscaped(found.text, 'repositories');
    assert.ok((await own.get('/explore/repos')).text.includes('href="/alice/closed"'));
    assert.match((await stranger.get('/explore/repos?q=nothing')).text, /Nothing was found/);
    assert.ok((await stranger.get('/explore/repos?q=forge&topic=1&sort=moststars')).text.includes('/alice/open'));
    assert.ok((await stranger.get('/explore/users?q=bo')).text.includes('href="/bob"'));
    const organizations = await stranger.get('/explore/organizations');
    assert.ok(organizations.text.includes('href="/acme"') && !organizations.text.includes('/hidden'));
    assert.ok((await stranger.get('/explore/organizations?q=ACM&sort=newest')).text.includes('href="/acme"'));
    assert.match((await stranger.get('/explore/organizations?q=hid')).text, /Nothing was found/);
    assert.match((await stranger.get('/explore/users?sort=reversealphabetically')).text, /href="\/bob"[\s\S]*href="\/alice"/);
    assert.equal((await stranger.get('/explore')).location, '/explore/repos');
  });
});

describe('the page of an account', () => {
  it('shows a person, and escapes what the person says', async () => {
    for (const path of ['/alice', '/alice?tab=repositories', '/alice?tab=activity', '/acme', '/acme?tab=activity', '/org/acme/members']) {
      const { status, text } = await bob.get(path);
      assert.equal(status, 200, path);
      assertEscaped(text, path);
      assert.ok(!text.includes('closed'), path);
    }
    assert.ok((await own.get('/alice')).text.includes('href="/alice/closed"'));
  });

  it('finds repositories by words and kind, as far as the reader may see them', async () => {
    await alice.must('POST', '/orgs/acme/repos', { name: 'tools' });
    const listed = async (who: Browser, path: string) =>
      [...(await who.get(path)).text.matchAll(/<h2><a href="\/(?:alice|acme)\/([^"]+)"/g)].map(([, name]) => name);
    assert.deepEqual(await listed(own, '/alice?tab=repositories&sort=alphabetically'), ['closed', 'open']);
    assert.deepEqual(await listed(own, '/alice?tab=repositories&q=clo'), ['closed']);
    assert.deepEqual(await listed(own, '/alice?tab=repositories&type=private'), ['closed']);
    // As the links of Gitea have them.
    assert.deepEqual(await listed(own, '/alice?tab=repositories&sort=reversealphabetically'), ['open', 'closed']);
    assert.deepEqual(await listed(own, '/alice?tab=repositories&private=1'), ['closed']);
    assert.deepEqual(await listed(own, '/alice?tab=repositories&private=0&archived=0'), ['open']);
    assert.match((await own.get('/alice?tab=repositories&private=0')).text, /class="badge" href="\/alice\?tab=repositories">Not: Private/);
    await t.context.db.updateTable('repositories').set({ language: 'Go' }).where('name', '=', 'open').execute();
    assert.deepEqual(await listed(own, '/alice?tab=repositories&language=Go'), ['open']);
    assert.deepEqual(await listed(own, '/alice?tab=repositories&language=C'), []);
    assert.deepEqual(await listed(bob, '/alice?tab=repositories&type=private'), []);
    assert.deepEqual(await listed(bob, '/alice?tab=repositories&type=source&sort=x'), ['open']);
    assert.deepEqual(await listed(stranger, '/acme?q=tool&type=fork'), []);
    assert.deepEqual(await listed(stranger, '/acme?q=tool'), ['tools']);
    assert.deepEqual(await listed(stranger, '/explore/repos?q=tools&type=archived'), []);
    const { text } = await bob.get('/alice?tab=repositories&q=nothing&type=fork');
    assert.match(text, /name="tab" value="repositories"[\s\S]*Nothing was found/);
    assert.match(text, /value="nothing"[\s\S]*value="fork" selected/);
  });

  it('is not there where the account is hidden from the reader', async () => {
    for (const path of ['/hidden', '/org/hidden/members', '/nobody']) {
      assert.equal((await bob.get(path)).status, 404, path);
      assert.equal((await stranger.get(path)).status, 404, path);
    }
    assert.equal((await own.get('/hidden')).status, 200);
    assert.equal((await own.get('/org/hidden/teams')).status, 200);
    assert.equal((await bob.get('/org/acme/teams')).status, 403);
  });

  it('lets others follow', async () => {
    const followed = await bob.submit(await bob.get('/alice'), {}, '/alice/-/follow');
    assert.equal(followed.location, '/alice');
    assert.ok((await bob.get('/alice?tab=followers')).text.includes('href="/bob"'));
    await bob.submit(await bob.get('/alice'), {}, '/alice/-/follow');
    assert.equal((await alice.must('GET', '/users/alice/followers')).length, 0);
    assert.match((await stranger.get('/alice?tab=stars')).location, /^\/user\/login\?redirect_to=%2Falice%3Ftab%3Dstars$/);
    assert.match((await stranger.send('POST', '/alice/-/follow', { fields: { action: 'follow' } })).text, /no longer valid/);
  });

  it('shows the README of the repository .profile', async () => {
    await alice.must('POST', '/user/repos', { name: '.profile', auto_init: true, description: 'About me' });
    assert.match((await stranger.get('/alice')).text, /aria-label="README.md"/);
  });
});
