// On SQLite alone: these pages ask the database nothing themselves; test/pulls, test/issues and test/code ask both what their rules do.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commit, open } from '../../pulls/open.ts';
import { Browser } from '../../support/browser.ts';
import { testServer } from '../../support/server.ts';
import { act, signedIn } from './forms.ts';

const t = await testServer();
const [alice, bob, carol] = [await t.user('alice'), await t.user('bob'), await t.user('carol')];
const demo = 'alice/demo';
const repo = `/repos/${demo}`;
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
await alice.must('PUT', `${repo}/collaborators/bob`, { permission: 'write' });
await commit(alice, demo, { path: 'shared.txt', text: 'one\ntwo\nthree\n' });
const [owner, writer, stranger] = [await signedIn(t, 'alice'), await signedIn(t, 'bob'), await signedIn(t, 'carol')];
const pageOf = (number: number) => `/${demo}/pulls/${number}`;
const headOf = async (number: number) => (await alice.must('GET', `${repo}/pulls/${number}`)).head.sha;
const boxOf = async (browser: Browser, number: number) =>
  /<section class="box merge-box"[\s\S]*?<\/div><\/section>/.exec((await browser.get(pageOf(number))).text)?.[0] ?? '';
const textAt = async (path: string, branch = 'main') => {
  const { json } = await alice.get(`${repo}/contents/${path}?ref=${branch}`);
  return json.content === undefined ? undefined : Buffer.from(json.content, 'base64').toString();
};

describe('the merge box', () => {
  it('says all that the rules of the branch want, and follows what it waits for', async () => {
    const number = await open(bob, demo, 'guarded', { path: 'secret.cfg' });
    await alice.must('POST', `${repo}/branch_protections`, {
      rule_name: 'main',
      required_approvals: 2,
      enable_status_check: true,
      status_check_contexts: ['build', 'lint*'],
      block_on_outdated_branch: true,
      block_on_rejected_reviews: true,
      protected_file_patterns: '*.cfg',
      block_admin_merge_override: true,
    });
    const sha = await headOf(number);
    await alice.must('POST', `${repo}/statuses/${sha}`, { state: 'pending', context: 'build', target_url: 'javascript:alert(1)' });
    await alice.must('POST', `${repo}/pulls/${number}/reviews`, { event: 'REQUEST_CHANGES', body: 'No' });
    const box = await boxOf(owner, number);
    for (const words of [
      'not reported yet: lint*',
      'not succeeded: build',
      '0 of 2 required approvals',
      'has requested changes',
      'secret.cfg',
    ])
      assert.ok(box.includes(words), words);
    assert.match(box, /^<section[^>]* data-live-part/);
    assert.ok(!box.includes('href="javascript:'));
    const protectedFiles = await act(owner, pageOf(number), { do: 'merge', style: 'merge' });
    assert.deepEqual([protectedFiles.status, /required status checks/.test(protectedFiles.text)], [422, true]);
    await act(owner, pageOf(number), { do: 'merge', style: 'merge', when_ready: 'on' });
    assert.match(await boxOf(owner, number), /will be merged automatically when all checks/);
    await act(owner, pageOf(number), { do: 'cancel-merge' });
    assert.doesNotMatch(await boxOf(owner, number), /will be merged automatically when all checks/);
    await alice.must('DELETE', `${repo}/branch_protections/main`);
    assert.doesNotMatch(await boxOf(owner, number), /required approvals/);
    assert.doesNotMatch(await boxOf(stranger, number), /<form/);
  });

  it('changes the target, and lets nobody else do so', async () => {
    await alice.must('POST', `${repo}/branches`, { new_branch_name: 'stable', old_branch_name: 'main' });
    const number = await open(bob, demo, 'moving');
    assert.match((await act(stranger, pageOf(number), { do: 'retarget', base: 'stable' })).text, /You may not change this/);
    assert.equal((await act(writer, pageOf(number), { do: 'retarget', base: 'stable' })).location, pageOf(number));
    assert.equal((await alice.must('GET', `${repo}/pulls/${number}`)).base.ref, 'stable');
    const refused = await act(writer, pageOf(number), { do: 'retarget', base: 'none' });
    assert.deepEqual([refused.status, /There is no branch of this name/.test(refused.text)], [422, true]);
    assert.match(refused.text, /name="base"[^>]* data-names="[^" ]*\/branches\/list"/);
  });

  it('merges with the message of the style', async () => {
    const number = await open(bob, demo, 'squashed', { path: 'shared.txt', text: 'one\n2\nthree\n' });
    await t.settled();
    const fields = { style: 'squash', merge_title_squash: 'Its own title', merge_body_squash: 'Why', merge_title_merge: 'Another' };
    assert.equal((await act(writer, pageOf(number), { do: 'merge', ...fields })).location, pageOf(number));
    const [last] = await alice.must('GET', `${repo}/commits?limit=1`);
    assert.match(last.commit.message, /^Its own title\n\nWhy/);
  });

  it('marks as merged what was merged by hand, where the repository lets it', async () => {
    const number = await open(bob, demo, 'by-hand');
    const main = (await alice.must('GET', `${repo}/branches/main`)).commit.id;
    assert.doesNotMatch(await boxOf(owner, number), /manually-merged/);
    await alice.must('PATCH', repo, { allow_manual_merge: true, autodetect_manual_merge: false });
    assert.match(await boxOf(owner, number), /manually-merged/);
    assert.ok((await act(owner, pageOf(number), { do: 'merge', style: 'manually-merged', merge_commit_id: 'main' })).status >= 400);
    await act(owner, pageOf(number), { do: 'merge', style: 'manually-merged', merge_commit_id: main });
    assert.equal((await alice.must('GET', `${repo}/pulls/${number}`)).merged, true);
  });
});

describe('a pull request that is over', () => {
  it('has its branch deleted and restored', async () => {
    const number = await open(bob, demo, 'done');
    assert.doesNotMatch(await boxOf(writer, number), /delete-head/);
    await t.settled();
    await act(writer, pageOf(number), { do: 'merge', style: 'merge' });
    const head = await headOf(number);
    assert.doesNotMatch(await boxOf(stranger, number), /delete-head/);
    assert.ok((await act(stranger, pageOf(number), { do: 'delete-head' })).text.includes('You may not delete'));
    await act(writer, pageOf(number), { do: 'delete-head' });
    assert.equal((await bob.get(`${repo}/branches/done`)).status, 404);
    assert.match((await writer.get(pageOf(number))).text, /deleted the branch[\s\S]*Restore branch/);
    await act(writer, pageOf(number), { do: 'restore-head' });
    assert.equal((await bob.must('GET', `${repo}/branches/done`)).commit.id, head);
  });

  it('is reverted by a pull request of its own, whatever the style', async () => {
    for (const style of ['merge', 'rebase', 'squash', 'fast-forward-only']) {
      await alice.must('PATCH', repo, { allow_fast_forward_only_merge: true });
      const head = `bring-${style}`;
      const number = await open(bob, demo, head, { path: `${head}.txt` });
      await commit(bob, demo, { branch: head, path: `${head}-2.txt`, text: 'second\n' });
      await t.settled();
      assert.equal((await act(writer, pageOf(number), { do: 'merge', style })).location, pageOf(number), style);
      assert.ok((await boxOf(writer, number)).includes('/_cherrypick/'));
      assert.equal((await act(stranger, pageOf(number), { do: 'revert' })).status, 422);
      const { location } = await act(writer, pageOf(number), { do: 'revert' });
      const made = await alice.must('GET', `${repo}/pulls/${location.split('/').at(-1)}`);
      assert.deepEqual([made.title, made.head.ref, made.changed_files], [`Revert "Take ${head}"`, `revert-${number}`, 2]);
      assert.equal(await textAt(`${head}.txt`, `revert-${number}`), undefined);
      assert.equal(await textAt('shared.txt', `revert-${number}`), 'one\n2\nthree\n');
    }
  });

  it('is not reverted where later changes are in the way', async () => {
    const number = await open(bob, demo, 'overwritten', { path: 'again.txt', text: 'a\n' });
    await t.settled();
    await act(writer, pageOf(number), { do: 'merge', style: 'merge' });
    await commit(alice, demo, { path: 'again.txt', text: 'b\n' });
    assert.match((await act(writer, pageOf(number), { do: 'revert' })).text, /conflicts in again.txt/);
    const unmerged = await open(bob, demo, 'unmerged');
    assert.equal((await act(writer, pageOf(unmerged), { do: 'revert' })).status, 422);
  });
});

describe('conflicts', () => {
  it('of lines are resolved in the browser, by who may push to the head', async () => {
    await commit(alice, demo, { branch: 'theirs', from: 'main', path: 'shared.txt', text: 'one\n2 of <theirs>\nthree\n' });
    await commit(alice, demo, { path: 'shared.txt', text: 'one\n2 of main\nthree\n' });
    const { number } = await bob.must('POST', `${repo}/pulls`, { head: 'theirs', base: 'main', title: 'Conflicting' });
    await t.settled();
    assert.match(await boxOf(writer, number), /conflicts in these files[\s\S]*shared.txt[\s\S]*Resolve conflicts/);
    assert.doesNotMatch(await boxOf(stranger, number), /Resolve conflicts/);
    const path = `${pageOf(number)}/conflicts`;
    const page = (await writer.get(path)).text;
    assert.ok(
      page.includes('&lt;&lt;&lt;&lt;&lt;&lt;&lt; theirs\n2 of &lt;theirs&gt;\n=======\n2 of main\n&gt;&gt;&gt;&gt;&gt;&gt;&gt; main'),
    );
    const [, base = ''] = /name="base" value="([0-9a-f]+)"/.exec(page) ?? [];
    const [, head = ''] = /name="head" value="([0-9a-f]+)"/.exec(page) ?? [];
    const send = (browser: Browser, text: string, given = { base, head }) =>
      act(browser, path, { ...given, path: 'shared.txt', text, end: 'lf' });
    assert.match((await stranger.get(path)).text, /cannot push to the branch/);
    const marked = await send(writer, 'one\n<<<<<<< theirs\nx\n>>>>>>> main\n');
    assert.deepEqual([marked.status, /still conflict markers in shared.txt/.test(marked.text)], [422, true]);
    assert.match((await act(writer, path, { base, head, path: 'other.txt', text: 'x' })).text, /shared.txt is not resolved/);
    assert.match((await send(writer, 'x\n', { base: head, head })).text, /changed in the meantime/);
    assert.equal((await new Browser(t.url).get(path)).location.startsWith('/user/login'), true);
    const done = await send(writer, 'one\r\n2 of both\r\nthree\r\n');
    assert.equal(done.location, pageOf(number), done.text.slice(0, 500));
    await t.settled();
    assert.equal(await textAt('shared.txt', 'theirs'), 'one\n2 of both\nthree\n');
    const { parents } = await alice.must('GET', `${repo}/git/commits/theirs`);
    assert.deepEqual(
      parents.map(({ sha }: { sha: string }) => sha),
      [head, base],
    );
    assert.equal((await alice.must('GET', `${repo}/pulls/${number}`)).mergeable, true);
    assert.match((await writer.get(path)).text, /There are no conflicts/);
  });

  it('in forks are resolved by maintainers where the author lets them; others are named with commands', async () => {
    await carol.must('POST', `${repo}/forks`, { name: 'fork' });
    await commit(carol, 'carol/fork', { branch: 'edit', from: 'main', path: 'shared.txt', text: 'theirs\n' });
    await commit(alice, demo, { path: 'shared.txt', text: 'ours\n' });
    const options = { head: 'carol/fork:edit', base: 'main', title: 'From a fork', allow_maintainer_edit: false };
    const { number } = await carol.must('POST', `${repo}/pulls`, options);
    const path = `${pageOf(number)}/conflicts`;
    assert.match((await writer.get(path)).text, /cannot push to the branch/);
    await act(stranger, pageOf(number), { do: 'maintainer-edits', allow: 'on' });
    const page = (await writer.get(path)).text;
    const [, base = ''] = /name="base" value="([0-9a-f]+)"/.exec(page) ?? [];
    const [, head = ''] = /name="head" value="([0-9a-f]+)"/.exec(page) ?? [];
    assert.equal((await act(writer, path, { base, head, path: 'shared.txt', text: 'both\n', end: 'lf' })).status, 303);
    await t.settled();
    const { content } = await carol.must('GET', '/repos/carol/fork/contents/shared.txt?ref=edit');
    assert.equal(Buffer.from(content, 'base64').toString(), 'both\n');
    const { sha } = await alice.must('GET', `${repo}/contents/shared.txt`);
    await alice.must('DELETE', `${repo}/contents/shared.txt`, { sha, message: 'Delete' });
    await t.settled();
    assert.match((await writer.get(path)).text, /cannot be resolved in the browser[\s\S]*shared.txt[\s\S]*git merge origin\/main/);
  });
});
