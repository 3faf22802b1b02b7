import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const EVIL = '<img src=x onerror=alert(1)>';
const content = Buffer.from('one\ntwo\nthree\n').toString('base64');
await alice.must('POST', '/user/repos', { name: 'code', auto_init: true, default_branch: 'main' });
const write = (path: string, more: object = {}) => alice.must('POST', `/repos/alice/code/contents/${path}`, { content, ...more });
await write('a.txt', { author: { name: 'Eve & co', email: 'evil@example.com' } });
await write('b.txt', { new_branch: 'topic' });
await alice.must('POST', '/repos/alice/code/pulls', { title: `Topic ${EVIL}`, head: 'topic', base: 'main' });
await alice.must('POST', '/repos/alice/code/issues', { title: `Open ${EVIL}` });
const { number: closed } = await alice.must('POST', '/repos/alice/code/issues', { title: 'Done with' });
await alice.must('PATCH', `/repos/alice/code/issues/${closed}`, { state: 'closed' });
await alice.must('POST', '/repos/alice/code/releases', { tag_name: 'v1', name: `First ${EVIL}` });
await alice.must('POST', '/repos/alice/code/releases', { tag_name: 'v2', name: 'Not yet out', draft: true });
await alice.must('POST', '/user/repos', { name: 'closed', private: true, auto_init: true });
await alice.must('POST', '/user/repos', { name: 'empty' });
await t.settled();
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const page = async (path: string, by = browser) => (await by.get(`/alice/code/activity${path}`)).text;
/** Pushes are counted some seconds later. */
const counted = () => eventually(async () => !(await page('/recent-commits')).includes('still being counted'), 'the count of commits');
const PARTS = ['', '/yearly', '/contributors', '/code-frequency', '/recent-commits'];

describe('the pulse', () => {
  it('tells what happened lately, with texts escaped', async () => {
    const text = await page('');
    assert.match(text, /1 issue closed, opened by 1 person[\s\S]*Done with/);
    assert.match(text, /2 issues opened by 1 person/);
    assert.match(text, /1 pull request proposed by 1 person[\s\S]*Topic &lt;img/);
    assert.match(text, /1 release published by 1 person[\s\S]*First &lt;img/);
    assert.match(text, /2 people wrote 2 commits in main, of 3 commits in all branches/);
    assert.ok(!text.includes('Not yet out') && !text.includes('<img src=x'));
  });

  it('is of each of the periods', async () => {
    for (const period of ['daily', 'halfweekly', 'weekly', 'monthly', 'quarterly', 'semiyearly', 'yearly']) {
      assert.match(await page(`/${period}`), /3 commits in all branches/, period);
    }
    assert.equal((await browser.get('/alice/code/activity/hourly')).status, 404);
  });

  it('shows what was merged', async () => {
    await alice.must('POST', '/repos/alice/code/pulls/1/merge', { Do: 'squash' });
    assert.match(await page('/daily'), /1 pull request merged, by 1 person/);
  });
});

describe('the contributions', () => {
  it('are counted when somebody looks, and go on from there', async () => {
    assert.match(await page('/contributors'), /The commits are being counted/);
    await t.settled();
    const text = await page('/contributors');
    assert.match(text, /Commits by week: 3, by 2 people/);
    assert.match(text, /<strong>Eve &amp; co<\/strong>/);
    assert.ok(!text.includes('evil@example.com'));
    await write('c.txt');
    await counted();
    assert.match(await page('/contributors?type=additions'), /Added lines by week: 1\d, by 2 people/);
    assert.match(await page('/code-frequency'), /Lines by week: 1\d added, 0 removed/);
    assert.match(await page('/recent-commits'), /4 commits in the last year, by week[\s\S]*Most commits were written on/);
  });

  it('begin again where the history was rewritten', async () => {
    const { json } = await alice.get('/repos/alice/code/commits?sha=main&limit=10');
    const { sha } = json.at(-2);
    await alice.must('POST', '/repos/alice/code/branches', { new_branch_name: 'older', old_ref_name: sha });
    await alice.must('PATCH', '/repos/alice/code', { default_branch: 'older' });
    assert.match(await page('/recent-commits'), /newest commits are still being counted/);
    await counted();
    assert.match(await page('/recent-commits'), /2 commits in the last year/);
  });
});

describe('the pages of activity', () => {
  it('are 404 for strangers, and say when there is nothing', async () => {
    for (const part of PARTS) {
      assert.equal((await new Browser(t.url).get(`/alice/closed/activity${part}`)).status, 404, part);
      assert.match((await browser.get(`/alice/empty/activity${part}`)).text, /There was no activity|no commits yet/, part);
    }
  });

  it('show of each part of a repository what its reader may see', async () => {
    await alice.must('PATCH', '/repos/alice/code', { has_issues: false, has_pull_requests: false, has_releases: false });
    const text = await page('/yearly', new Browser(t.url));
    assert.ok(!text.includes('Done with') && !text.includes('Topic') && !text.includes('First'));
    assert.match(text, /commits in all branches/);
  });
});
