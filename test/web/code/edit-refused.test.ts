// On SQLite alone: what the pages ask of the database, the tests of the API ask of both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser, type PageResponse } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'code', auto_init: true, default_branch: 'main' });
await alice.must('POST', '/repos/alice/code/contents/mail.txt', { content: '' });
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const guest = new Browser(t.url);
await guest.signIn('bob', PASSWORD);

const base = '/alice/code';
const DIRECT = { commit_choice: 'direct', commit_summary: '', commit_message: '', new_branch_name: '' };
/** What a file of a branch holds. */
async function textOf(path: string, ref = 'main', repository = 'alice/code'): Promise<string> {
  const { content } = await alice.must('GET', `/repos/${repository}/contents/${path}?ref=${ref}`);
  return Buffer.from(String(content), 'base64').toString();
}
/** Opens a form and sends it filled in. */
async function send(address: string, fields: Record<string, string>, who = browser): Promise<PageResponse> {
  const page = await who.get(`${base}/${address}`);
  assert.equal(page.status, 200, page.text);
  return who.submit(page, { ...DIRECT, ...fields }, `${base}/${address}`);
}

describe('who may not write', () => {
  it('is offered a fork, and proposes the change from there', async () => {
    const offer = await guest.get(`${base}/_edit/main/mail.txt`);
    assert.match(offer.text, /Fork this repository and propose changes/);
    const back = await guest.submit(offer, {}, `${base}/_fork/main/mail.txt`);
    assert.equal(back.location, `${base}/_edit/main/mail.txt`);
    // The fork is behind: what is proposed stands on the branch as it is now.
    await send('_new/main/', { tree_path: 'later.txt', content: 'later' });
    const fields = { tree_path: 'mail.txt', content: 'from bob', new_branch_name: 'bob-patch-1' };
    const proposed = await send('_edit/main/mail.txt', fields, guest);
    assert.equal(proposed.location, `${base}/compare/main...bob:bob-patch-1`);
    assert.equal(await textOf('later.txt', 'bob-patch-1', 'bob/code'), 'later');
    assert.equal((await guest.get(proposed.location)).status, 200);
    assert.equal(await textOf('mail.txt'), '');
    const taken = await send('_edit/main/mail.txt', fields, guest);
    assert.deepEqual([taken.status, /A branch named bob-patch-1 already exists/.test(taken.text)], [422, true]);
    const failed = await send('_edit/main/mail.txt', { ...fields, tree_path: '.git/x', new_branch_name: 'left' }, guest);
    assert.equal(failed.status, 422);
    assert.equal((await bob.get('/repos/bob/code/branches/left')).status, 404);
  });

  it('is led to sign in, and sees nothing of what is closed', async () => {
    await alice.must('POST', '/user/repos', { name: 'closed', private: true, auto_init: true, default_branch: 'main' });
    for (const action of ['_new/main/', '_edit/main/README.md', '_delete/main/README.md', '_upload/main/', '_diffpatch/main/']) {
      assert.equal((await guest.get(`/alice/closed/${action}`)).status, 404, action);
      assert.match((await new Browser(t.url).get(`${base}/${action}`)).location, /^\/user\/login/, action);
    }
    await alice.must('PATCH', '/repos/alice/closed', { archived: true });
    assert.equal((await browser.get('/alice/closed/_new/main/')).status, 423);
    assert.ok(!(await browser.get('/alice/closed')).text.includes('/_new/'));
  });
});

describe('a branch that was pushed lately', () => {
  const notice = async (path = base, who = browser) =>
    /class="notice row recent-branch">[\s\S]*?<\/div>/.exec((await who.get(path)).text)?.[0] ?? '';

  it('is shown to who pushed it, until it has a pull request', async () => {
    await send('_new/main/', { tree_path: 'n.txt', content: 'n', commit_choice: 'commit-to-new-branch', new_branch_name: 'news/1' });
    await t.settled();
    for (const path of [base, `${base}/pulls`])
      assert.match(await notice(path), /news\/1[\s\S]*href="\/alice\/code\/compare\/main\.\.\.news\/1"/);
    assert.ok(!(await notice(base, guest)).includes('news/1'));
    // What is in the reader's fork is proposed from there.
    assert.match(await notice(base, guest), /bob:bob-patch-1[\s\S]*compare\/main\.\.\.bob:bob-patch-1/);
    assert.equal(await notice(base, new Browser(t.url)), '');
    await alice.must('POST', '/repos/alice/code/pulls', { title: 'News', head: 'news/1', base: 'main' });
    assert.ok(!(await notice()).includes('news/1'));
  });

  it('has nothing to propose once its pull request is merged, until it goes on', async () => {
    const pulls = await alice.must('GET', '/repos/alice/code/pulls');
    await alice.must('POST', `/repos/alice/code/pulls/${pulls[0].number}/merge`, { Do: 'squash' });
    assert.ok(!(await notice()).includes('news/1'));
    await alice.must('POST', '/repos/alice/code/contents/more.txt', { content: '', branch: 'news/1' });
    await t.settled();
    assert.match(await notice(), /news\/1/);
  });
});

describe('a protected branch', () => {
  it('offers a new branch, and takes nothing else', async () => {
    await alice.must('POST', '/repos/alice/code/branches', { new_branch_name: 'safe' });
    const rule = { rule_name: 'safe', enable_push: false, protected_file_patterns: 'locked/**' };
    await alice.must('POST', '/repos/alice/code/branch_protections', rule);
    const page = await browser.get(`${base}/_new/safe/`);
    assert.match(page.text, /This branch is protected/);
    assert.match(page.text, /value="commit-to-new-branch" checked/);
    const { status, text } = await send('_new/safe/', { tree_path: 'x.txt', content: 'kept' });
    assert.deepEqual([status, /cannot commit to the branch safe/.test(text), text.includes('kept</textarea>')], [422, true, true]);
    const fields = { tree_path: 'x.txt', content: 'x', commit_choice: 'commit-to-new-branch', new_branch_name: 'unsafe' };
    assert.equal((await send('_new/safe/', fields)).location, `${base}/compare/safe...unsafe`);
  });

  it('guards its files when their folder is deleted', async () => {
    await send('_new/main/', { tree_path: 'dir/locked/x', content: 'x' });
    await alice.must('POST', '/repos/alice/code/branch_protections', {
      rule_name: 'main',
      enable_push: true,
      protected_file_patterns: 'dir/locked/*',
    });
    assert.equal((await send('_delete/main/dir', {})).status, 422);
    assert.equal(await textOf('dir/locked/x'), 'x');
    await alice.must('DELETE', '/repos/alice/code/branch_protections/main');
  });
});
