// On SQLite alone: the pages call rules that are tested on both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'code', auto_init: true, default_branch: 'main' });
await alice.must('POST', '/repos/alice/code/releases', { tag_name: 'v/1', name: 'One <b>', body: '**Notes** <script>x</script>' });
await alice.must('POST', '/repos/alice/code/releases', { tag_name: 'v2', name: 'Secret plan', draft: true });
await alice.must('POST', '/user/repos', { name: 'closed', private: true, auto_init: true, default_branch: 'main' });
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const bob = new Browser(t.url);
await bob.signIn('bob', PASSWORD);

describe('the pages of releases', () => {
  it('show notes and files, drafts to their writers alone', async () => {
    const own = (await browser.get('/alice/code/releases')).text;
    assert.match(own, /One &lt;b&gt;[\s\S]*Latest[\s\S]*<strong>Notes<\/strong>/);
    assert.match(own, /Secret plan[\s\S]*Draft/);
    assert.ok(!own.includes('<script>x'));
    assert.ok(!(await bob.get('/alice/code/releases')).text.includes('Secret plan'));
    assert.equal((await bob.get('/alice/code/releases/tag/v2')).status, 404);
    assert.equal((await bob.get('/alice/code/releases/tag/v/1')).status, 200);
    await alice.must('POST', '/repos/alice/code/tags', { tag_name: 'alone/1' });
    const alone = await bob.get('/alice/code/releases/tag/alone/1');
    assert.equal(alone.location, '/alice/code/src/tag/alone/1');
    assert.equal((await bob.get(alone.location)).status, 200);
    assert.equal((await bob.get('/alice/code/releases/tag/none')).status, 404);
    assert.equal((await bob.get('/alice/code/releases/latest')).location, '/alice/code/releases/tag/v/1');
  });
});

describe('go to file', () => {
  it('lists the files that have a text in their path', async () => {
    assert.match((await bob.get('/alice/code/find/branch/main?q=read')).text, /src\/branch\/main\/README.md"/);
    assert.match((await bob.get('/alice/code/find/branch/main?q=%3Cno%3E')).text, /No files match/);
    assert.match((await bob.get('/alice/code')).text, /data-key="t" href="\/alice\/code\/find\/branch\/main"/);
  });
});

describe('forks, stars and watchers', () => {
  it('are listed, and made by a form', async () => {
    const form = await bob.get('/alice/code/fork');
    const refused = await bob.submit(form, { name: 'a <b>' }, '/alice/code/fork');
    assert.equal(refused.status, 422);
    assert.match(refused.text, /value="a &lt;b&gt;"/);
    assert.equal((await bob.submit(form, { name: 'mine' }, '/alice/code/fork')).location, '/bob/mine');
    await t.settled();
    assert.match((await browser.get('/alice/code/forks')).text, /bob\/mine/);
    assert.match((await browser.get('/alice/code/watchers')).text, /<strong>alice<\/strong>/);
    assert.match((await browser.get('/alice/code/stars')).text, /Nobody yet/);
    assert.equal((await bob.send('POST', '/alice/code/fork', { fields: { name: 'other' } })).status, 403);
  });

  it('are 404 for strangers', async () => {
    for (const path of ['forks', 'stars', 'watchers', 'fork', 'releases', 'find/branch/main']) {
      assert.equal((await bob.get(`/alice/closed/${path}`)).status, 404, path);
    }
  });
});
