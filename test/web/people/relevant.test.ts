import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { testServer } from '../../support/server.ts';

const t = await testServer({ ui: { onlyRelevantRepositories: true } });
const alice = await t.user('alice');
const bob = await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'described', description: 'A program', auto_init: true });
await alice.must('POST', '/user/repos', { name: 'topical', auto_init: true });
await alice.must('PUT', '/repos/alice/topical/topics', { topics: ['forge'] });
await alice.must('POST', '/user/repos', { name: 'bare', auto_init: true });
await alice.must('POST', '/user/repos', { name: 'empty', description: 'A plan' });
await bob.must('POST', '/repos/alice/described/forks', {});
await t.settled();
const stranger = new Browser(t.url);

async function listed(query: string): Promise<string[]> {
  const { text } = await stranger.get(`/explore/repos?sort=alphabetically${query}`);
  return [...text.matchAll(/<h2><a href="\/([^"]+)"/g)].map(([, name = '']) => name);
}

describe('exploring relevant repositories', () => {
  it('leaves out forks, empty ones, and those that nothing describes', async () => {
    assert.deepEqual(await listed(''), ['alice/described', 'alice/topical']);
    assert.deepEqual(await listed('&only_show_relevant=true&q=e'), ['alice/described', 'alice/topical']);
    assert.deepEqual(await listed('&fork=1'), ['bob/described']);
  });

  it('says so, and leads to all', async () => {
    const page = await stranger.get('/explore/repos?sort=newest');
    assert.match(page.text, /are not shown\. <a href="\/explore\/repos\?sort=newest&amp;only_show_relevant=0"/);
    assert.deepEqual(await listed('&only_show_relevant=0'), [
      'alice/bare',
      'alice/described',
      'alice/empty',
      'alice/topical',
      'bob/described',
    ]);
    const all = await stranger.get('/explore/repos?only_show_relevant=0');
    assert.match(all.text, /<input type="hidden" name="only_show_relevant" value="0">/);
    assert.doesNotMatch(all.text, /are not shown/);
  });
});
