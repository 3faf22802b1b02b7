import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../support/browser.ts';
import { PASSWORD, testServer } from '../support/server.ts';

// On SQLite alone: what the pages ask of the database, their own tests ask of both.

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
await prepare();

/** Something of every kind that pages link to. */
async function prepare(): Promise<void> {
  await alice.must('POST', '/user/repos', {
    name: 'forge',
    description: 'A forge',
    auto_init: true,
    license: 'MIT',
    default_branch: 'main',
  });
  await alice.must('POST', '/user/repos', { name: 'empty' });
  await alice.must('POST', '/orgs', { username: 'acme', description: 'An *organization*' });
  await alice.must('POST', '/orgs/acme/repos', { name: 'tools', auto_init: true });
  const content = Buffer.from('const a = 1;\n').toString('base64');
  await alice.must('POST', '/repos/alice/forge/contents/src/deep/a.ts', { content, message: 'Add a file', new_branch: 'feature/x' });
  await alice.must('POST', '/repos/alice/forge/labels', { name: 'bug', color: '#ff0000' });
  await alice.must('POST', '/repos/alice/forge/milestones', { title: 'One' });
  await alice.must('POST', '/repos/alice/forge/issues', {
    title: 'An issue',
    body: 'See #1',
    labels: [1],
    milestone: 1,
    assignees: ['alice'],
  });
  await bob.must('POST', '/repos/alice/forge/issues/1/comments', { body: 'A comment' });
  await alice.must('POST', '/repos/alice/forge/pulls', { title: 'A change', head: 'feature/x', base: 'main' });
  await alice.must('POST', '/repos/alice/forge/releases', { tag_name: 'v1', name: 'First' });
  await alice.must('PUT', '/repos/alice/forge/topics', { topics: ['forge'] });
  await bob.must('POST', '/repos/alice/forge/forks', {});
  await t.settled();
}

/** Pages that differ in such parts alone are looked at once. */
function shapeOf(path: string): string {
  return path
    .replace(/[0-9a-f]{40}/g, 'SHA')
    .replace(/[?#].*/, (query) => query.replace(/=[^&]*/g, '='))
    .replace(/\/\d+/g, '/N');
}

/** Every link that is found from the front page on, and where it leads. */
async function brokenLinks(browser: Browser, from: readonly string[]): Promise<string[]> {
  const seen = new Set(from.map(shapeOf));
  const waiting = from.map((path) => ({ path, on: '' }));
  const broken: string[] = [];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { status, text, headers } = await browser.get(next.path);
    if (status >= 400) broken.push(`${status} ${next.path} on ${next.on}`);
    if (!headers.get('content-type')?.startsWith('text/html')) continue;
    // The menu of branches leads to the same path in each, which may not be there.
    const linked = text.replaceAll(/<details class="menu left">.*?<\/details>/gs, '');
    for (const [, href = ''] of linked.matchAll(/<a\b[^>]* href="([^"]*)"/g)) {
      const path = href.replaceAll('&amp;', '&').replace(t.url, '/').replace(/#.*/, '');
      if (!path.startsWith('/') || path.startsWith('//') || path.startsWith('/user/logout') || seen.has(shapeOf(path))) continue;
      seen.add(shapeOf(path));
      waiting.push({ path, on: next.path });
    }
  }
  return broken;
}

describe('the links of pages', () => {
  const from = ['/', '/alice', '/bob', '/acme', '/alice/forge', '/alice/empty', '/acme/tools', '/bob/forge', '/user/settings'];

  it('lead somewhere for who owns things', async () => {
    const browser = new Browser(t.url);
    await browser.signIn('alice', PASSWORD);
    assert.deepEqual(await brokenLinks(browser, from), []);
  });

  it('lead somewhere for who is not signed in', async () => {
    assert.deepEqual(await brokenLinks(new Browser(t.url), from.slice(0, -1)), []);
  });
});
