// On SQLite alone: what the graph shows comes from git.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const content = Buffer.from('text\n').toString('base64');
await alice.must('POST', '/user/repos', { name: 'code', auto_init: true, default_branch: 'main' });
const file = (path: string, message: string, more: object = {}) =>
  alice.must('POST', `/repos/alice/code/contents/${path}`, { content, message, ...more });
await file('a.txt', 'Add <img src=x onerror=alert(1)>');
await file('b.txt', 'Begin the topic', { branch: 'main', new_branch: 'topic/<b>' });
await file('c.txt', 'Go on');
await alice.must('POST', '/repos/alice/code/pulls', { title: 'Topic', head: 'topic/<b>', base: 'main' });
await alice.must('POST', '/repos/alice/code/tags', { tag_name: 'v1', message: 'First', target: 'main' });
await alice.must('POST', '/repos/alice/code/pulls/1/merge', { Do: 'merge' });
await alice.must('POST', '/user/repos', { name: 'closed', private: true, auto_init: true });
await alice.must('POST', '/user/repos', { name: 'empty' });
await t.settled();
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const graph = async (query = '') => (await browser.get(`/alice/code/graph${query}`)).text;

describe('the commit graph', () => {
  it('shows all commits with the lines between them, and refs beside them', async () => {
    const text = await graph();
    assert.equal(text.match(/<circle/g)?.length, 5);
    assert.match(text, /<svg class="graph-lines" width="42"[^>]*aria-hidden="true"/);
    assert.match(text, /Add &lt;img src=x onerror=alert\(1\)&gt;/);
    assert.match(text, /href="\/alice\/code\/src\/branch\/topic\/%3Cb%3E"[^>]*>[\s\S]{0,200}topic\/&lt;b&gt;/);
    assert.match(text, /href="\/alice\/code\/src\/tag\/v1"/);
    assert.match(text, /href="\/alice\/code\/pulls\/1"/);
    assert.ok(!text.includes('<img src=x'));
  });

  it('is of chosen refs and files, without pull requests, or in one colour', async () => {
    assert.equal((await graph('?branch=topic/%3Cb%3E')).match(/<circle/g)?.length, 3);
    assert.equal((await graph('?branch=refs/tags/v1')).match(/<circle/g)?.length, 3);
    assert.equal((await graph('?branch=--all&branch=none')).match(/<circle/g)?.length, 5);
    assert.equal((await graph('?file=c.txt')).match(/<circle/g)?.length, 1);
    assert.match(await graph('?file=:(glob)**'), /There are no commits/);
    assert.ok(!(await graph('?hide-pr-refs=true')).includes('href="/alice/code/pulls/1"'));
    assert.match(await graph('?mode=monochrome'), /class="box graph mono"/);
    assert.match(await graph('?page=99'), /There are no commits/);
  });

  it('shows pull requests to those alone who may read them', async () => {
    await alice.must('PATCH', '/repos/alice/code', { has_pull_requests: false });
    assert.ok(!(await graph()).includes('href="/alice/code/pulls/1"'));
  });

  it('is 404 for strangers, and empty for an empty repository', async () => {
    assert.equal((await new Browser(t.url).get('/alice/closed/graph')).status, 404);
    assert.match((await browser.get('/alice/empty/graph')).text, /There are no commits/);
  });
});
