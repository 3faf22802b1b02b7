// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { repository } from '../feed.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const repo = await repository(alice, 'open');
await alice.must('POST', `${repo}/contents/docs/a.md`, { content: '', message: 'Add <a>\n\nA & b', branch: 'main' });
await alice.must('POST', `${repo}/branches`, { new_branch_name: 'topic/one', old_branch_name: 'main' });
await alice.must('POST', `${repo}/contents/b`, { content: '', message: 'On topic', branch: 'topic/one' });
await alice.must('POST', `${repo}/tags`, { tag_name: 'plain', message: 'A <tag>' });
await alice.must('POST', `${repo}/releases`, { tag_name: 'v1', name: 'The first', body: '**new** [file](docs/a.md)' });
await alice.must('POST', `${repo}/releases`, { tag_name: 'v2', name: 'Unfinished', draft: true });

const at = (path: string) => `//alice/open/${path}`;
const titles = (text: string) => [...text.matchAll(/<(?:item|entry)>\s*<title>(.*?)<\/title>/gs)].map(([, title = '']) => title);
const read = async (path: string) => {
  const { status, text, headers } = await t.anonymous.get(at(path));
  assert.equal(status, 200, path);
  assert.equal(headers.get('content-type'), `application/${path.includes('atom') ? 'atom' : 'rss'}+xml;charset=utf-8`);
  return text;
};

describe('feeds of code', () => {
  it('have the published releases', async () => {
    for (const type of ['rss', 'atom']) {
      const text = await read(`releases.${type}`);
      assert.deepEqual(titles(text), ['The first']);
      assert.match(text, /<title>Releases for alice\/open<\/title>/);
      assert.match(text, /&lt;strong&gt;new&lt;\/strong&gt;/);
      assert.match(text, /: https?:\/\/[^<]+\/alice\/open\/releases\/tag\/v1<\/(?:guid|id)>/);
    }
  });

  it('have the tags', async () => {
    const text = await read('tags.atom');
    assert.deepEqual(titles(text).sort(), ['The first', 'plain']);
    assert.match(text, /A &amp;lt;tag&amp;gt;/);
  });

  it('have the commits of a branch', async () => {
    const text = await read('rss/branch/main');
    assert.deepEqual(titles(text), ['Add &lt;a&gt;', 'Initial commit']);
    assert.match(text, /<title>Latest commits for branch main<\/title>\s*<link>[^<]+\/alice\/open\/src\/branch\/main<\/link>/);
    assert.match(text, /<description>Add &amp;lt;a&amp;gt;\n\nA &amp;amp; b/);
    assert.deepEqual(titles(await read('atom/branch/topic/one')).length, 3);
  });

  it('have the commits of a file', async () => {
    const text = await read('atom/branch/topic/one/docs/a.md');
    assert.deepEqual(titles(text), ['Add &lt;a&gt;']);
    assert.match(text, /<title>Latest commits for file docs\/a.md<\/title>\s*<id>[^<]+\/src\/branch\/topic\/one\/docs\/a.md<\/id>/);
  });

  it('are not there for branches and files that are not', async () => {
    for (const path of [
      'rss/branch/none',
      'rss/branch/main/none',
      'atom/branch/-x',
      'rss/branch/main/../x',
      'feed/branch/main',
      'tags.xml',
    ]) {
      assert.equal((await t.anonymous.get(at(path))).status, 404, path);
    }
  });

  it('of an empty repository have nothing', async () => {
    await repository(alice, 'empty', { auto_init: false });
    for (const path of ['releases.rss', 'tags.rss']) assert.deepEqual(titles((await alice.get(`//alice/empty/${path}`)).text), []);
    assert.equal((await alice.get('//alice/empty/rss/branch/main')).status, 404);
  });
});

describe('who reads them', () => {
  const paths = ['releases.rss', 'tags.atom', 'rss/branch/main'];

  it('nobody to whom the repository is hidden', async () => {
    await repository(alice, 'hidden', { private: true });
    const [misc, publicOnly] = [await alice.token(['read:misc']), await alice.token(['public-only', 'all'])];
    for (const path of paths) {
      for (const client of [t.anonymous, bob]) {
        const [a, b] = [await client.get(`//alice/hidden/${path}`), await client.get(`//alice/missing/${path}`)];
        assert.deepEqual([a.status, a.text], [404, b.text]);
      }
      assert.equal((await alice.get(`//alice/hidden/${path}`)).status, 200);
      for (const client of [misc, publicOnly]) assert.equal((await client.get(`//alice/hidden/${path}`)).status, 403);
    }
  });

  it('nobody where the unit is off', async () => {
    const other = await repository(alice, 'units');
    await alice.must('POST', `${other}/releases`, { tag_name: 'v1', name: 'The first' });
    await alice.must('PATCH', other, { has_releases: false });
    assert.equal((await bob.get('//alice/units/releases.rss')).status, 404);
    assert.deepEqual(titles((await bob.get('//alice/units/tags.rss')).text), ['v1']);
    await alice.must('PATCH', other, { has_code: false });
    for (const path of ['tags.rss', 'rss/branch/main']) assert.equal((await bob.get(`//alice/units/${path}`)).status, 404, path);
  });
});
