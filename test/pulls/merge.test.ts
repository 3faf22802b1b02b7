import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { announceMove } from '../../src/code/refs-moved.ts';
import { storedRef } from '../../src/git/refs/stored-refs.ts';
import { updateRef } from '../../src/git/refs/update-refs.ts';
import { editIssue } from '../../src/issues/edit.ts';
import { announceMerge } from '../../src/pulls/merge/in-progress.ts';
import { makeMerge } from '../../src/pulls/merge/styles.ts';
import { testServer } from '../support/server.ts';
import { commit, directly, merge, open } from './open.ts';

const t = await testServer();
const [alice, bob, carol] = await Promise.all([t.user('alice', { full_name: 'Alice Doe' }), t.user('bob'), t.user('carol')]);
const demo = 'alice/demo';
const repo = `/repos/${demo}`;
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
await alice.must('PUT', `${repo}/collaborators/bob`, { permission: 'write' });
await alice.must('PUT', `${repo}/collaborators/carol`, { permission: 'read' });

const tip = async (branch = 'main') => (await alice.must('GET', `${repo}/branches/${branch}`)).commit;
const view = (number: number) => alice.must('GET', `${repo}/pulls/${number}`);
describe('merging', () => {
  it('of several merges at once one happens', async () => {
    const number = await open(bob, demo, 'once');
    const before = (await tip()).id;
    const responses = await Promise.all([alice, bob, alice, bob].map((who) => merge(who, demo, number)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 405, 405, 405]);
    const { json } = await alice.get(`${repo}/git/commits/main`);
    assert.equal(json.parents[0].sha, before, 'one merge commit');
    const { json: events } = await alice.get(`${repo}/issues/${number}/timeline`);
    assert.deepEqual(
      events.map(({ type }: { type: string }) => type),
      ['pull_push', 'merge_pull'],
    );
  });

  it('merges during pushes to the base and to the heads are checked again, and lose nothing', async () => {
    const numbers = [];
    for (const n of [1, 2, 3]) numbers.push(await open(bob, demo, `beside-${n}`));
    const pushes = [1, 2, 3].flatMap((n) => [
      commit(alice, demo, { path: `pushed-${n}.txt`, text: `${n}\n` }),
      commit(bob, demo, { branch: `beside-${n}`, path: `late-${n}.txt`, text: `${n}\n` }),
    ]);
    const merges = await Promise.all(numbers.map((number) => merge(alice, demo, number, { do: 'squash' })));
    await Promise.all(pushes);
    assert.deepEqual(
      merges.map(({ status, text }) => [status, text]),
      [1, 2, 3].map(() => [200, '']),
    );
    const files = (await alice.must('GET', `${repo}/contents`)).map(({ name }: { name: string }) => name);
    for (const n of [1, 2, 3]) assert.ok(files.includes(`beside-${n}.txt`) && files.includes(`pushed-${n}.txt`), String(n));
  });

  it('a push between the approval and the merge is not merged', async () => {
    await alice.must('POST', `${repo}/branches`, { new_branch_name: 'guarded-base', old_branch_name: 'main' });
    await alice.must('POST', `${repo}/branch_protections`, {
      rule_name: 'guarded-base',
      required_approvals: 1,
      ignore_stale_approvals: true,
      enable_push: true,
    });
    const number = await open(bob, demo, 'approved', { base: 'guarded-base' });
    const approved = (await view(number)).head.sha;
    await alice.must('POST', `${repo}/pulls/${number}/reviews`, { event: 'APPROVED', body: 'Fine' });
    const [pushed, merged] = await Promise.all([
      commit(bob, demo, { branch: 'approved', path: 'approved.txt', text: 'something else\n' }),
      merge(bob, demo, number),
    ]);
    await t.settled();
    const { pull } = await directly(t, 'bob', demo, number);
    if (merged.status === 200) assert.deepEqual([pull.merged_commit_id === '', pull.head_id], [false, approved]);
    else assert.deepEqual([merged.json.message, pull.merged_commit_id, pull.head_id], ['Does not have enough approvals', '', pushed]);
    const { json } = await alice.get(`${repo}/contents/approved.txt?ref=guarded-base`);
    if (json.content) assert.equal(Buffer.from(json.content, 'base64').toString(), 'approved\n', `only ${approved} was approved`);
    assert.equal((await merge(bob, demo, number)).status, 405);
  });

  it('who reopens a pull request while it is merged comes too late', async () => {
    const number = await open(bob, demo, 'reopened');
    await alice.must('PATCH', `${repo}/pulls/${number}`, { state: 'closed' });
    const { context, pull } = await directly(t, 'alice', demo, number);
    await alice.must('PATCH', `${repo}/pulls/${number}`, { state: 'open' });
    assert.equal((await merge(alice, demo, number)).status, 200);
    await assert.rejects(editIssue(context, pull.issue, { state: 'open' }), { status: 412 });
    assert.equal((await view(number)).state, 'closed');
  });

  it('a crash between git and the database ends with what git has', async () => {
    const [moved, unmoved] = [await open(bob, demo, 'crash-moved'), await open(bob, demo, 'crash-unmoved', { body: 'x' })];
    await alice.must('POST', `${repo}/issues`, { title: 'Named' });
    const issue = (await alice.must('GET', `${repo}/issues?type=issues`))[0].number;
    await bob.must('PATCH', `${repo}/pulls/${moved}`, { body: `Closes #${issue}` });
    for (const number of [moved, unmoved]) {
      const { context, pull } = await directly(t, 'alice', demo, number);
      const folder = context.git.locate(pull.issue.repository);
      const base = storedRef(folder, 'refs/heads/main') ?? '';
      const made = await makeMerge(context, pull, { base, head: pull.head_id }, 'merge', 'Merged before the crash');
      await announceMerge(context, pull, { style: 'merge', commit: made, isAutomatic: false }, async () => {});
      await announceMove(context, pull.issue.repository, [{ ref: 'refs/heads/main', oldId: base, newId: made }]);
      if (number === moved) await updateRef(folder, { name: 'refs/heads/main', from: base, to: made });
    }
    assert.deepEqual((await merge(bob, demo, unmoved)).json.message, 'the pull request is being merged');
    // As with the row of a process that is no more.
    const gone = { process_id: null };
    await t.context.db.updateTable('pull_merges').set(gone).execute();
    await t.context.db.updateTable('ref_moves').set(gone).execute();
    await t.restart();
    await t.settled();
    const after = await view(moved);
    assert.deepEqual([after.merged, after.merged_by.login, after.merge_commit_sha], [true, 'alice', (await tip()).id]);
    assert.equal((await alice.must('GET', `${repo}/issues/${issue}`)).state, 'closed');
    assert.equal((await view(unmoved)).merged, false);
    assert.equal((await merge(bob, demo, unmoved)).status, 200);
    const left = await t.context.db.selectFrom('pull_merges').selectAll().execute();
    assert.deepEqual(left, []);
  });

  it('reports conflicts as git does, and changes nothing', async () => {
    await commit(alice, demo, { path: 'both.txt', text: 'one\n' });
    const number = await open(bob, demo, 'picky', { path: 'both.txt', text: 'two\n' });
    await commit(bob, demo, { branch: 'picky', path: 'both.txt', text: 'one\n' });
    await commit(bob, demo, { branch: 'picky', path: 'apart.txt', text: 'x\n' });
    await commit(alice, demo, { path: 'both.txt', text: 'three\n' });
    const before = (await tip()).id;
    const { status, json } = await merge(alice, demo, number, { do: 'rebase' });
    assert.deepEqual([status, json.Style, Object.keys(json).sort()], [409, 'rebase', ['CommitSHA', 'Err', 'StdErr', 'StdOut', 'Style']]);
    assert.match(json.StdOut, /CONFLICT \(content\).*both\.txt/);
    assert.equal((await merge(alice, demo, number, { do: 'fast-forward-only' })).status, 409);
    assert.equal((await tip()).id, before);
    assert.equal((await merge(alice, demo, number, { do: 'squash' })).status, 200);
  });

  it('refuses what waits for another issue, and lets it go when that is closed', async () => {
    const number = await open(bob, demo, 'waiting');
    const { number: other } = await alice.must('POST', `${repo}/issues`, { title: 'First' });
    await alice.must('POST', `${repo}/issues/${number}/dependencies`, { owner: 'alice', repo: 'demo', index: other });
    assert.equal((await merge(alice, demo, number)).status, 412);
    await alice.must('PATCH', `${repo}/issues/${other}`, { state: 'closed' });
    assert.equal((await merge(alice, demo, number)).status, 200);
  });

  it('is recorded once: in the feed, in threads, in the timelines of issues that it closes', async () => {
    const { number: issue } = await carol.must('POST', `${repo}/issues`, { title: 'Wish' });
    const number = await open(bob, demo, 'news', { body: `Closes #${issue}` });
    assert.equal((await merge(alice, demo, number)).status, 200);
    await t.settled();
    const feed = (await alice.must('GET', '/users/alice/activities/feeds?only-performed-by=true')) as {
      op_type: string;
      content: string;
    }[];
    assert.equal(
      feed
        .filter(({ content }) => content.startsWith(`${number}|`))
        .map(({ op_type }) => op_type)
        .join(),
      'merge_pull_request',
    );
    const { json } = await alice.get(`${repo}/issues/${issue}/timeline`);
    assert.deepEqual(
      json.map(({ type }: { type: string }) => type),
      ['pull_ref', 'close'],
    );
    const threads = (await alice.must('GET', '/notifications?all=true')) as { subject: { html_url: string }; unread: boolean }[];
    const thread = threads.find(({ subject }) => subject.html_url.endsWith(`/pulls/${number}`));
    assert.equal(thread?.unread, false, 'who merges has looked at it');
  });
});

describe('merging with git', () => {
  it('is noticed, also when the same push moved the head, with the pusher as actor', async () => {
    await alice.must('PATCH', repo, { autodetect_manual_merge: true });
    const [number, other] = [await open(alice, demo, 'by-hand'), await open(alice, demo, 'not-by-hand')];
    const work = join(t.folder, 'work');
    const run = async (...args: string[]) => assert.equal((await bob.git(args, work)).code, 0, args.join(' '));
    assert.equal((await bob.git(['clone', '-q', bob.remote(demo), work], t.folder)).code, 0);
    await run('checkout', '-q', 'by-hand');
    await run('commit', '-q', '--allow-empty', '-m', 'One more');
    await run('checkout', '-q', 'main');
    await run('merge', '-q', '--no-ff', '-m', 'Merged by hand', 'by-hand');
    await run('push', '-q', 'origin', 'main', 'by-hand');
    await t.settled();
    const { merged, merged_by, merge_commit_sha, head } = await view(number);
    assert.deepEqual([merged, merged_by?.login, merge_commit_sha], [true, 'bob', (await tip()).id]);
    const { pull } = await directly(t, 'bob', demo, number);
    assert.deepEqual([pull.head_id, pull.status, pull.merge_style], [head.sha, 'manually_merged', 'manually-merged']);
    // It still shows what it brought.
    const shown = await Promise.all(['files', 'commits'].map((part) => alice.must('GET', `${repo}/pulls/${number}/${part}`)));
    assert.deepEqual([(await view(number)).changed_files, shown[0].length, shown[1].length], [1, 1, 2]);
    assert.equal((await view(other)).merged, false);
    await alice.must('PATCH', repo, { autodetect_manual_merge: false });
  });
});
