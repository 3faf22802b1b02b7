// On SQLite alone: what is searched, test/search asks of both databases; these are the pages that show it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { change, indexed, pushed, searchServer } from '../search/support.ts';
import { Browser } from '../support/browser.ts';
import { PASSWORD, testServer } from '../support/server.ts';

const t = await searchServer();
const ann = await t.user('ann');
const HOSTILE = '<img src=x onerror=alert(1)>';
await pushed(ann, 'shown', { 'a.ts': `const needle = '${HOSTILE}';\n`, 'b.py': 'needle = 2\n' });
await pushed(ann, 'hidden', { 'h.ts': 'const needle = 3;\n' }, { private: true });
await indexed(t);
const own = new Browser(t.url);
await own.signIn('ann', PASSWORD);
const stranger = new Browser(t.url);

describe('the pages of the search in code', () => {
  it('show files with marked lines and links to them, and nothing of theirs as markup', async () => {
    const { status, text } = await own.get('/ann/shown/search?q=needle');
    assert.equal(status, 200);
    assert.match(text, /2 files/);
    assert.match(text, /href="\/ann\/shown\/src\/commit\/[0-9a-f]{40}\/a\.ts#L1"/);
    assert.match(text, /<mark>needle<\/mark>/);
    assert.ok(text.includes('&lt;img src=x') && !text.includes('<img src=x'));
    const hostile = await own.get(`/ann/shown/search?${new URLSearchParams({ q: HOSTILE, l: HOSTILE, search_mode: 'exact' })}`);
    assert.ok(!hostile.text.includes('<img src=x'));
  });

  it('search an owner and the instance, as far as the reader may', async () => {
    for (const path of ['/ann/-/code?q=needle', '/explore/code?q=needle']) {
      const [all, open] = [(await own.get(path)).text, (await stranger.get(path)).text];
      assert.ok(all.includes('h.ts') && all.includes('a.ts'), path);
      assert.ok(!open.includes('h.ts') && !open.includes('ann/hidden') && open.includes('a.ts'), path);
    }
    assert.equal((await stranger.get('/ann/hidden/search?q=needle')).status, 404);
    const filtered = (await stranger.get('/explore/code?q=needle&l=Python')).text;
    assert.ok(filtered.includes('b.py') && !filtered.includes('a.ts'));
  });

  it('take the parameters of earlier links, and refuse what cannot be read', async () => {
    assert.match((await own.get('/ann/shown/search?q=needle+%3D&t=match')).text, /<mark>needle =<\/mark>/);
    assert.match((await own.get('/ann/shown/search?q=n.{4}e&search_mode=regexp')).text, /<mark>needle<\/mark>/);
    const refused = await own.get('/ann/shown/search?q=%2F(a%2F');
    assert.deepEqual([refused.status, refused.text.includes('value="/(a/"')], [422, true]);
    assert.match((await own.get('/ann/shown/search?q=absent')).text, /Nothing was found/);
    assert.match((await own.get('/ann/shown/search')).text, /What can be searched for/);
  });

  it('say how far the index is', async () => {
    await ann.must('POST', '/user/repos', { name: 'fresh', auto_init: true, default_branch: 'main' });
    assert.match((await own.get('/ann/fresh/search?q=fresh')).text, /is being indexed/);
    assert.match((await own.get('/explore/code?q=needle')).text, /Some repositories are still being indexed/);
    await indexed(t);
    await change(ann, 'ann/fresh', { 'new.txt': 'new' });
    assert.match((await own.get('/ann/fresh/search?q=fresh')).text, /These results are from the previous one/);
  });

  it('are not there where code search is off', async () => {
    const off = await testServer();
    const ben = await off.user('ben');
    await ben.must('POST', '/user/repos', { name: 'plain', auto_init: true, default_branch: 'main' });
    const visitor = new Browser(off.url);
    for (const path of ['/ben/plain/search?q=x', '/ben/-/code?q=x', '/explore/code?q=x'])
      assert.equal((await visitor.get(path)).status, 404);
    assert.ok(!(await visitor.get('/ben/plain')).text.includes('code-search-box'));
    assert.equal((await ben.get('/search/code?q=x')).status, 404);
    assert.equal(
      await off.context.db.selectFrom('jobs').select('id').where('type', '=', 'code-search.update').executeTakeFirst(),
      undefined,
    );
  });
});
