import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'forge', auto_init: true, default_branch: 'main' });
const issue = (title: string, by = alice) => by.must('POST', '/repos/alice/forge/issues', { title });
await issue('Only watched');
await issue('Commented');
await issue('Subscribed');
await issue('Opened', bob);
await issue('Let go of', bob);
await bob.must('POST', '/repos/alice/forge/issues/2/comments', { body: 'Hm.' });
await bob.must('PUT', '/repos/alice/forge/issues/3/subscriptions/bob');
await bob.must('PUT', '/repos/alice/forge/subscription');
await alice.must('POST', '/repos/alice/forge/contents/a.txt', { content: '', message: 'Add', new_branch: 'next' });
await alice.must('POST', '/repos/alice/forge/pulls', { title: 'A change', head: 'next', base: 'main' });
await bob.must('POST', '/repos/alice/forge/issues/6/comments', { body: 'Fine.' });
await alice.must('PATCH', '/repos/alice/forge/issues/2', { state: 'closed' });
const reader = new Browser(t.url);
await reader.signIn('bob', PASSWORD);
const PAGE = '/notifications/subscriptions';

async function titles(query = ''): Promise<string[]> {
  const { text } = await reader.get(`${PAGE}${query}`);
  return [...text.matchAll(/class="issue-title"[^>]*>([^<]+)</g)].map(([, title = '']) => title);
}

describe('the subscriptions of a reader', () => {
  it('are what they opened, wrote at or subscribed to, narrowed by kind and state', async () => {
    assert.deepEqual(await titles(), ['A change', 'Let go of', 'Opened', 'Subscribed']);
    assert.deepEqual(await titles('?state=closed'), ['Commented']);
    assert.deepEqual(await titles('?state=all&issueType=issues'), ['Let go of', 'Opened', 'Subscribed', 'Commented']);
    assert.deepEqual(await titles('?issueType=pulls'), ['A change']);
    assert.deepEqual(await titles('?sort=oldest'), ['Subscribed', 'Opened', 'Let go of', 'A change']);
    assert.deepEqual(await titles('?state=all&sort=mostcomment'), ['A change', 'Commented', 'Let go of', 'Opened', 'Subscribed']);
    const { id } = await alice.must('POST', '/repos/alice/forge/labels', { name: 'bug', color: '#ff0000' });
    await alice.must('POST', '/repos/alice/forge/issues/4/labels', { labels: [id] });
    assert.deepEqual(await titles(`?labels=${id}`), ['Opened']);
  });

  it('are let go of with a button, which leads back', async () => {
    const page = await reader.get(PAGE);
    const left = await reader.submit(page, {}, '/alice/forge/issues/5');
    assert.deepEqual([left.status, left.location], [303, PAGE]);
    assert.deepEqual(await titles(), ['A change', 'Opened', 'Subscribed']);
    const elsewhere = await reader.submit(page, { back: '//evil.example' }, '/alice/forge/issues/5');
    assert.equal(elsewhere.location, '/');
  });

  it('leave out what the reader may no longer read', async () => {
    await alice.must('PATCH', '/repos/alice/forge', { private: true });
    assert.deepEqual(await titles('?state=all'), []);
    assert.match((await reader.get(PAGE)).text, /You have no subscriptions here/);
    assert.match((await new Browser(t.url).get(PAGE)).location, /user\/login/);
  });
});
