// On SQLite alone: what the pages ask of the database, their own tests ask of both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await alice.must('PATCH', '/user/settings', { description: 'Writes "code"' });
await alice.must('POST', '/user/repos', { name: 'forge', description: 'A <b>forge</b>', auto_init: true });
await alice.must('POST', '/user/repos', { name: 'closed', description: 'Hidden', private: true, auto_init: true });
await alice.must('POST', '/orgs', { username: 'acme', description: 'Tools' });
const body = `It **fails**\n\n\twhere   "quotes" are ${'very '.repeat(100)}long`;
for (const name of ['forge', 'closed']) await alice.must('POST', `/repos/alice/${name}/issues`, { title: 'A <i>fault', body });
await alice.must('POST', '/repos/alice/forge/issues', { title: 'Nothing to say' });
await alice.must('POST', '/repos/alice/forge/releases', { tag_name: 'v1', name: 'First', body: 'What is new' });
const owner = new Browser(t.url);
await owner.signIn('alice', PASSWORD);

/** What a page says to other sites that show a link to it. */
async function previewOf(path: string): Promise<Record<string, string>> {
  const { text } = await owner.get(path);
  return Object.fromEntries(
    [...text.matchAll(/<meta (?:property|name)="(og:\w+|description)" content="([^"]*)">/g)].map(([, a, b]) => [a, b]),
  );
}

describe('links on other sites', () => {
  it('are shown with what the page is about', async () => {
    const home = await previewOf('/alice/forge');
    assert.equal(home['og:title'], 'alice/forge');
    assert.deepEqual([home.description, home['og:description']], Array(2).fill('A &lt;b&gt;forge&lt;/b&gt;'));
    assert.deepEqual([home['og:type'], home['og:url']], ['website', `${t.url}alice/forge`]);
    assert.match(home['og:image'] ?? '', /\/avatars\/[0-9a-f]{32}$/);
    const issue = await previewOf('/alice/forge/issues/1');
    assert.equal(issue['og:title'], 'A &lt;i&gt;fault #1 - alice/forge');
    assert.match(issue.description ?? '', /^It \*\*fails\*\* where &#34;quotes&#34; are [very ]+…$/);
    assert.equal((await previewOf('/alice/forge/issues/2')).description, 'A &lt;b&gt;forge&lt;/b&gt;');
    assert.equal((await previewOf('/alice/forge/releases/tag/v1')).description, 'What is new');
    assert.equal((await previewOf('/alice')).description, 'Writes &#34;code&#34;');
    assert.equal((await previewOf('/acme')).description, 'Tools');
  });

  it('say nothing of what is not public', async () => {
    for (const path of ['/alice/closed', '/alice/closed/issues/1']) assert.deepEqual(await previewOf(path), {}, path);
  });
});
