// On SQLite alone: what the pages ask of the database, the tests of the API ask of both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const content = (text: string) => Buffer.from(text).toString('base64');
await alice.must('POST', '/user/repos', { name: 'forge', description: '<b>A</b> forge', auto_init: true, default_branch: 'main' });
await alice.must('POST', '/repos/alice/forge/contents/docs/a%20%3Cb%3E.md', {
  content: content('# Title\n\n<script>x</script>'),
  message: 'Add <i>',
});
await alice.must('POST', '/repos/alice/forge/branches', { new_branch_name: 'feature/x' });
await alice.must('POST', '/user/repos', { name: 'closed', private: true, auto_init: true });
await alice.must('POST', '/user/repos', { name: 'new' });
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);

describe('the page of a repository', () => {
  it('shows its files, its README and what it is about', async () => {
    const page = await new Browser(t.url).get('/alice/forge');
    assert.equal(page.status, 200);
    assert.match(page.text, /<title>alice\/forge - /);
    assert.match(page.text, /href="\/alice\/forge\/src\/branch\/main\/docs">docs<\/a>/);
    assert.match(page.text, /<section class="box" aria-label="README.md">/);
    assert.match(page.text, /&lt;b&gt;A&lt;\/b&gt; forge/);
    assert.ok(!page.text.includes('<script>x') && !page.text.includes('<i>'));
    // Those who are not signed in get no buttons.
    assert.ok(!page.text.includes('action/star'));
  });

  it('leads to the files that say how to use it, and lets its topics be changed', async () => {
    const evil = 'cite <img src=x onerror=alert(1)>.cff';
    for (const path of ['LICENSE.md', 'CITATION.cff', 'SECURITY.md', encodeURIComponent(evil)])
      await alice.must('POST', `/repos/alice/forge/contents/${path}`, { content: content('x') });
    const page = await browser.get('/alice/forge');
    for (const file of ['LICENSE.md', 'CITATION.cff', 'SECURITY.md'])
      assert.ok(page.text.includes(`<a href="/alice/forge/src/branch/main/${file}">`), file);
    assert.ok(!page.text.includes('<img src=x'));
    await browser.submit(page, { topics: 'Web, forge  git' }, '/alice/forge/topics');
    assert.deepEqual((await alice.must('GET', '/repos/alice/forge/topics')).topics.toSorted(), ['forge', 'git', 'web']);
    assert.equal((await browser.submit(page, { topics: '<b>' }, '/alice/forge/topics')).status, 422);
    await t.settled();
    assert.match((await browser.get('/alice/forge')).text, /activity\/contributors">Contributors<\/a> <span class="count">1</);
    assert.ok(!(await new Browser(t.url).get('/alice/forge')).text.includes('name="topics"'));
  });

  it('tells browsers how to search', async () => {
    const { text, headers } = await browser.get('/opensearch.xml');
    assert.match(headers.get('content-type') ?? '', /opensearchdescription/);
    assert.match(text, /template="[^"]*explore\/repos\?q=\{searchTerms\}"/);
    assert.match((await browser.get('/')).text, /<link rel="search"[^>]*opensearch\.xml/);
  });

  it('says how to fill an empty one', async () => {
    const page = await browser.get('/alice/new');
    assert.match(page.text, /git push -u origin main/);
    assert.match((await new Browser(t.url).get('/alice/new')).text, /This repository is empty/);
  });

  it('is not there for strangers where it is private, nor under /src', async () => {
    for (const path of ['/alice/closed', '/alice/closed/src/branch/main', '/alice/none']) {
      assert.equal((await new Browser(t.url).get(path)).status, 404, path);
    }
    assert.equal((await browser.get('/alice/closed')).status, 200);
  });

  it('leads from its former name to the present one', async () => {
    await alice.must('POST', '/user/repos', { name: 'before' });
    await alice.must('PATCH', '/repos/alice/before', { name: 'after' });
    assert.match((await browser.get('/alice/before')).location, /\/alice\/after$/);
  });

  it('has buttons to star and to watch, which no other site can press', async () => {
    const page = await browser.get('/alice/forge');
    const done = await browser.submit(page, {}, '/alice/forge/action/star');
    assert.deepEqual([done.status, done.location], [303, '/alice/forge']);
    assert.equal((await alice.must('GET', '/repos/alice/forge')).stars_count, 1);
    const foreign = await browser.send('POST', '/alice/forge/action/unstar', { fields: { _token: 'x' } });
    assert.equal(foreign.status, 403);
    assert.equal((await alice.must('GET', '/repos/alice/forge')).stars_count, 1);
    const away = await browser.submit(page, { back: '//evil.example' }, '/alice/forge/action/star');
    assert.equal(away.location, '/');
    assert.match(
      (await new Browser(t.url).send('POST', '/alice/forge/action/star', { headers: { 'sec-fetch-site': 'cross-site' } })).text,
      /no longer valid/,
    );
  });
});

describe('the pages of folders and files', () => {
  it('are at every branch and path, names with slashes and signs too', async () => {
    const folder = await browser.get('/alice/forge/src/branch/feature/x/docs');
    assert.match(folder.text, /href="\/alice\/forge\/src\/branch\/feature\/x\/docs\/a%20%3Cb%3E.md">a &lt;b&gt;.md<\/a>/);
    const file = await browser.get('/alice/forge/src/branch/feature/x/docs/a%20%3Cb%3E.md');
    assert.match(file.text, /<h1[^>]*>.*Title/s);
    assert.ok(!file.text.includes('<script>x'));
    const { commit } = await alice.must('GET', '/repos/alice/forge/branches/main');
    assert.equal((await browser.get(`/alice/forge/src/commit/${commit.id}/docs`)).status, 200);
    for (const path of ['src/branch/none', 'src/branch/main/none', 'src/tag/main', 'src/branch/main/.git/config']) {
      assert.equal((await browser.get(`/alice/forge/${path}`)).status, 404, path);
    }
    const { text } = await browser.get('/alice/forge/src/branch/main/no/%3Cb%3E');
    assert.match(text, /main has no no\/&lt;b&gt;\.[\s\S]*href="\/alice\/forge\/src\/branch\/main">All files/);
  });

  it('come in the encodings that browsers know, whole', async () => {
    const plain = await browser.send('GET', '/alice/forge', { headers: { 'accept-encoding': 'identity' } });
    for (const encoding of ['gzip', 'br', 'zstd']) {
      const page = await browser.send('GET', '/alice/forge', { headers: { 'accept-encoding': encoding } });
      assert.equal(page.headers.get('content-encoding'), encoding);
      assert.ok(page.text.trimEnd().endsWith('</html>') && Math.abs(page.text.length - plain.text.length) < 100, encoding);
    }
  });
});
