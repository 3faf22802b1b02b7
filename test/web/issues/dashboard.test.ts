import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import type { Client } from '../../support/client.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
await t.user('mallory');
await alice.must('POST', '/orgs', { username: 'acme' });
await alice.must('POST', '/orgs/acme/repos', { name: 'tools' });
await alice.must('PUT', '/repos/acme/tools/collaborators/bob', { permission: 'write' });
const label = async (name: string) => (await alice.must('POST', '/orgs/acme/labels', { name, color: '#ff0000' })).id;
const [bug, wish] = [await label('bug'), await label('wish')];
const open = (as: Client, fields: object) => as.must('POST', '/repos/acme/tools/issues', fields);
await open(alice, { title: 'Mine', labels: [bug], assignees: ['bob'] });
await open(bob, { title: 'Theirs', labels: [bug, wish], assignees: ['alice'] });
await open(bob, { title: 'Bare' });
await alice.must('POST', '/user/repos', { name: 'hidden', private: true });
const own = (await alice.must('POST', '/repos/alice/hidden/labels', { name: 'secret', color: '#00ff00' })).id;
await alice.must('POST', '/repos/alice/hidden/issues', { title: 'Own', labels: [own] });

async function signedIn(name: string): Promise<Browser> {
  const browser = new Browser(t.url);
  await browser.signIn(name, PASSWORD);
  return browser;
}
const browser = await signedIn('alice');

async function shown(path: string, as = browser): Promise<string[]> {
  const { text } = await as.get(path);
  return [...text.matchAll(/class="issue-title"[^>]*>([^<]+)</g)].map(([, title = '']) => title).toSorted();
}

describe('the issues of all repositories', () => {
  it('are narrowed by author and assignee', async () => {
    const list = '/org/acme/issues';
    assert.deepEqual(await shown(list), ['Bare', 'Mine', 'Theirs']);
    assert.deepEqual(await shown(`${list}?poster=bob`), ['Bare', 'Theirs']);
    assert.deepEqual(await shown(`${list}?poster=bob&assignee=alice`), ['Theirs']);
    assert.deepEqual(await shown(`${list}?assignee=(none)`), ['Bare']);
    assert.deepEqual(await shown(`${list}?assignee=(any)`), ['Mine', 'Theirs']);
    assert.deepEqual(await shown(`${list}?poster=nobody`), []);
    assert.deepEqual(await shown('/issues?type=assigned&poster=bob'), ['Theirs']);
    assert.deepEqual(await shown('/issues?assignee=bob'), ['Mine']);
    assert.deepEqual(await shown('/issues?poster=bob'), ['Mine', 'Own']);
  });

  it('are narrowed by labels, which those of an organization offer', async () => {
    const list = '/org/acme/issues';
    assert.deepEqual(await shown(`${list}?labels=${bug}`), ['Mine', 'Theirs']);
    assert.deepEqual(await shown(`${list}?labels=${bug},-${wish}`), ['Mine']);
    assert.deepEqual(await shown(`${list}?labels=0`), ['Bare']);
    assert.deepEqual(await shown(`/issues?labels=${own}`), ['Own']);
    const { text } = await browser.get(`${list}?poster=bob`);
    assert.match(text, new RegExp(`href="/org/acme/issues\\?labels=${bug}&amp;poster=bob"[^>]*>.*bug`));
    assert.deepEqual(await shown(`/issues?type=your_repositories&labels=${own}`, await signedIn('mallory')), []);
  });

  it('keep the other choices in their links and forms, and say which are active', async () => {
    const { text } = await browser.get(`/org/acme/issues?type=assigned&state=closed&labels=${bug}&poster=bob&q=x`);
    assert.match(text, /matches/);
    const form = /<form class="list-search"[\s\S]*?<\/form>/.exec(text)?.[0] ?? '';
    for (const [name, value] of Object.entries({ type: 'assigned', state: 'closed', labels: String(bug), poster: 'bob' }))
      assert.ok(form.includes(`<input type="hidden" name="${name}" value="${value}">`), name);
    const names = /<form class="menu-form"[\s\S]*?<\/form>/.exec(text)?.[0] ?? '';
    assert.ok(names.includes('name="type" value="assigned"') && names.includes('name="q" value="x"'), names);
    const chosen = /<p class="chosen">[\s\S]*?<\/p>/.exec(text)?.[0] ?? '';
    assert.match(chosen, /Label: bug[\s\S]*Author: bob/);
  });
});
