// On SQLite alone: what the pages ask of the database, the tests of the API ask of both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const content = (text: string) => Buffer.from(text).toString('base64');
await alice.must('POST', '/user/repos', { name: 'code', auto_init: true, default_branch: 'main' });
const commit = async (branch: string, files: object[], message: string, more: object = {}): Promise<string> => {
  const made = await alice.must('POST', '/repos/alice/code/contents', { branch, message, files, ...more });
  return String(made.commit.sha);
};
const first = await commit('main', [{ operation: 'create', path: 'old.txt', content: content('one\ntwo\nthree\n') }], 'Add <i>file');
const { sha } = await alice.must('GET', '/repos/alice/code/contents/old.txt');
const renamed = await commit(
  'main',
  [{ operation: 'update', path: 'new.txt', from_path: 'old.txt', sha, content: content('one\ntwo <b>\nthree\n') }],
  'Move it',
  { author: { name: 'Carol & x', email: 'carol@example.com' } },
);
await commit(
  'main',
  [{ operation: 'create', path: '.git-blame-ignore-revs', content: content(`# noise\n${renamed}\n${'0'.repeat(40)}\n`) }],
  'Ignore',
);
await alice.must('POST', '/repos/alice/code/branches', { new_branch_name: 'feature/x' });
await commit('feature/x', [{ operation: 'create', path: 'more.txt', content: content('more\n') }], 'Add more');
await alice.must('POST', '/repos/alice/code/tags', { tag_name: 'v1', message: '<u>First' });
await alice.must('POST', '/user/repos', { name: 'closed', private: true, auto_init: true, default_branch: 'main' });
await bob.must('POST', '/repos/alice/code/forks', {});
await t.settled();
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const page = async (path: string) => (await browser.get(`/alice/code/${path}`)).text;

describe('the history', () => {
  it('lists commits with their people, and searches in them', async () => {
    const all = await page('commits/branch/main');
    assert.match(all, /Add &lt;i&gt;file/);
    assert.match(all, /Carol &amp; x/);
    assert.match(await page('commits/branch/main?q=move'), /1 commit<[\s\S]*Move it/);
    assert.ok(!(await page('commits/branch/main?q=author:carol')).includes('Add &lt;i&gt;file'));
    assert.match(await page('commits/branch/main?q=no-such-word'), /No commit matches/);
    assert.match(await page('commits/branch/main?page=99'), /There are no commits/);
  });

  it('puts commits under the days on which they were committed, whatever the order of these is', async () => {
    await alice.must('POST', '/user/repos', { name: 'days', auto_init: true, default_branch: 'main' });
    for (const [at, day] of ['2026-01-02', '2026-01-02', '2026-01-01', '2026-01-02'].entries()) {
      const dates = { author: '2020-05-05T00:00:00Z', committer: `${day}T23:30:00Z` };
      const files = [{ operation: 'create', path: `${at}.txt`, content: content('x') }];
      await alice.must('POST', '/repos/alice/days/contents', { message: `Number ${at}`, files, dates });
    }
    const { text } = await browser.get('/alice/days/commits/branch/main?q=number');
    const shown = [...text.matchAll(/>Commits on (Jan [12], 2026)<|>(Number \d)</g)].map(([, day, title]) => day ?? title);
    assert.deepEqual(shown, ['Jan 2, 2026', 'Number 3', 'Jan 1, 2026', 'Number 2', 'Jan 2, 2026', 'Number 1', 'Number 0']);
  });

  it('of a file leads to that of its earlier name', async () => {
    const text = await page('commits/branch/main/new.txt');
    assert.match(text, new RegExp(`Renamed from <code>old.txt</code>: <a href="/alice/code/commits/commit/${first}/old.txt">`));
  });
});

describe('blame', () => {
  it('names the commit of each line, and looks through those that the repository ignores', async () => {
    const ignoring = await page('blame/branch/main/new.txt');
    assert.match(ignoring, /hides 1 commit/);
    assert.ok(!ignoring.includes('Move it'));
    const whole = await page('blame/branch/main/new.txt?bypass-blame-ignore=true');
    assert.match(whole, /Move it[\s\S]*<div id="L2" data-n="2">.*two &lt;b&gt;/);
    assert.match(whole, new RegExp(`href="/alice/code/blame/commit/${first}/old.txt#L2"`));
    assert.equal((await browser.get('/alice/code/blame/branch/main/none')).status, 404);
  });
});

describe('a comparison', () => {
  it('shows commits and changes, of branches and across forks', async () => {
    const text = await page('compare/main...feature/x');
    assert.match(text, /Add more[\s\S]*more\.txt[\s\S]*<tr class="added">/);
    assert.match(await page('compare/feature/x...main'), /feature\/x already has all commits of main/);
    assert.equal((await browser.get('/alice/code/compare/main...bob:feature/x')).status, 200);
    assert.match(await page('compare'), /name="head"/);
    assert.equal((await browser.get('/alice/code/compare?base=main&head=bob:main')).location, '/alice/code/compare/main...bob:main');
  });

  it('with nothing, as pushes of new branches name it, is the history of the commit', async () => {
    const nothing = '0'.repeat(40);
    for (const names of [`${nothing}...${first}`, `${first}...${nothing}`]) {
      assert.equal((await browser.get(`/alice/code/compare/${names}`)).location, `/alice/code/commits/commit/${first}`);
    }
    assert.equal((await browser.get(`/alice/code/compare/${nothing}...${nothing}`)).status, 404);
  });

  it('is 404 for strangers and for what is not there', async () => {
    for (const path of ['compare/main...main', 'compare', 'branches', 'tags', 'commits/branch/main', 'blame/branch/main/README.md']) {
      assert.equal((await new Browser(t.url).get(`/alice/closed/${path}`)).status, 404, path);
      assert.equal((await browser.get(`/alice/closed/${path}`)).status, 200, path);
    }
    assert.equal((await browser.get('/alice/code/compare/main...none')).status, 404);
  });
});

describe('the pages of branches and tags', () => {
  it('list them with what they have beyond the default branch', async () => {
    assert.match(await page('branches'), /feature\/x<\/a>[\s\S]*0 ↓ 1 ↑/);
    assert.match(await page('branches?q=none'), /No branches match/);
    assert.match(await page('tags'), /v1<\/a>[\s\S]*&lt;u&gt;First/);
  });

  it('make, rename and delete branches', async () => {
    const form = await browser.get('/alice/code/branches');
    const names = async () => (await alice.must('GET', '/repos/alice/code/branches')).map((one: { name: string }) => one.name).toSorted();
    assert.equal((await browser.submit(form, { branch: 'topic', from: 'v1' }, '/alice/code/branches')).status, 303);
    const token = /name="_token" value="([^"]*)"/.exec(form.text)?.[1] ?? '';
    const send = (path: string, fields: Record<string, string> = {}) =>
      browser.send('POST', `/alice/code/branches/${path}`, { fields: { _token: token, ...fields } });
    assert.equal((await send('rename', { from: 'topic', to: 'theme' })).location, '/alice/code/branches');
    assert.deepEqual(await names(), ['feature/x', 'main', 'theme']);
    assert.equal((await send('delete?name=theme&page=1')).status, 303);
    assert.deepEqual(await names(), ['feature/x', 'main']);
    const refused = await browser.submit(form, { branch: 'a..<b>', from: '' }, '/alice/code/branches');
    assert.equal(refused.status, 422);
    assert.match(refused.text, /role="alert"[\s\S]*value="a..&lt;b&gt;"/);
    const target = await send('_new/tag/v1', { new_branch_name: 'from/tag', current_path: 'src/a b' });
    assert.deepEqual([target.status, target.location], [303, '/alice/code/src/branch/from/tag/src/a%20b']);
    const tip = (await alice.must('GET', '/repos/alice/code/branches/main')).commit.id;
    const commit = await send(`_new/commit/${tip}`, { new_branch_name: 'made', create_tag: 'true' });
    assert.equal(commit.location, '/alice/code/src/tag/made');
    assert.equal((await alice.must('GET', '/repos/alice/code/tags/made')).commit.sha, tip);
    assert.equal((await send('_new/branch/main', { new_branch_name: 'made' })).status, 422);
    assert.equal((await send('_new/branch/none', { new_branch_name: 'x' })).status, 422);
    await send('delete', { name: 'from/tag' });
    assert.deepEqual(await names(), ['feature/x', 'main']);
  });

  it('let nobody else change them', async () => {
    const stranger = new Browser(t.url);
    await stranger.signIn('bob', PASSWORD);
    const other = await stranger.get('/bob/code/branches');
    const refused = await stranger.submit(other, { name: 'feature/x' }, '/bob/code/branches/delete');
    assert.equal(refused.status, 303);
    const token = /name="_token" value="([^"]*)"/.exec(other.text)?.[1] ?? '';
    const foreign = await stranger.send('POST', '/alice/code/branches/delete', { fields: { _token: token, name: 'feature/x' } });
    assert.equal(foreign.status, 403);
    assert.equal((await stranger.send('POST', '/bob/code/branches', { fields: { _token: 'x' } })).status, 403);
    assert.equal((await alice.must('GET', '/repos/alice/code/branches')).length, 2);
  });
});
