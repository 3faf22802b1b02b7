// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { storedRef } from '../../src/git/refs/stored-refs.ts';
import { followRefs } from '../../src/pulls/heads/follow.ts';
import { testServer } from '../support/server.ts';
import { cloned } from '../transport/work-tree.ts';
import { pushBranch, pushed } from './pushing.ts';

const t = await testServer();
const [alice, bob] = [await t.user('alice'), await t.user('bob')];

type Row = { type: string; body: string; old_ref: string; new_ref: string };
const timeline = async (path: string, number: number): Promise<Row[]> => (await alice.get(`${path}/issues/${number}/timeline`)).json;
const pushes = async (path: string, number: number) =>
  (await timeline(path, number)).filter(({ type }) => type === 'pull_push').map(({ body }) => JSON.parse(body));

describe('the head of a pull request', () => {
  it('follows its branch before the push ends, each push with a row of the commits that it brought', async () => {
    const { tree, path, folder } = await pushed(t, alice, 'follows');
    const one = await pushBranch(tree, 'topic', { a: '1' });
    await alice.must('POST', `${path}/pulls`, { head: 'topic', base: 'main', title: 'Topic' });
    const two = await tree.commit({ a: '2' });
    const three = await tree.commit({ a: '3' });
    await tree.git('push', '-q', 'origin', 'topic');
    assert.equal(storedRef(folder, 'refs/pull/1/head'), three);
    assert.equal((await alice.get(`${path}/pulls?state=open`)).json[0].head.sha, three);
    assert.deepEqual(await pushes(path, 1), [
      { is_force_push: false, commit_ids: [one] },
      { is_force_push: false, commit_ids: [two, three] },
    ]);
  });

  it('follows a rewrite, after which the timeline names no missing commit', async () => {
    const { tree, path, folder } = await pushed(t, alice, 'rewritten');
    const one = await pushBranch(tree, 'topic', { a: '1' });
    await alice.must('POST', `${path}/pulls`, { head: 'topic', base: 'main', title: 'Topic' });
    const two = await tree.commit({ b: '2' });
    await tree.git('push', '-q', 'origin', 'topic');
    await tree.git('reset', '-q', '--hard', one);
    const other = await tree.commit({ c: '3' });
    await tree.git('push', '-q', '-f', 'origin', 'topic');
    assert.equal(storedRef(folder, 'refs/pull/1/head'), other);
    assert.deepEqual(await pushes(path, 1), [
      { is_force_push: false, commit_ids: [one] },
      { is_force_push: false, commit_ids: [other] },
      { is_force_push: true, commit_ids: [two, other] },
    ]);
    assert.deepEqual(
      (await alice.get(`${path}/pulls/1/commits`)).json.map(({ sha }: { sha: string }) => sha),
      [other, one],
    );
  });

  it('follows a fork, whose commits are then in the base', async () => {
    const { path, folder, tree } = await pushed(t, alice, 'forked');
    await bob.must('POST', `${path}/forks`, {});
    const fork = await cloned(t, bob, 'bob/forked');
    await pushBranch(fork, 'fix', { fix: '1' });
    await bob.must('POST', `${path}/pulls`, { head: 'bob:fix', base: 'main', title: 'Fix' });
    const next = await fork.commit({ fix: '2' });
    await fork.git('push', '-q', 'origin', 'fix');
    assert.equal(storedRef(folder, 'refs/pull/1/head'), next);
    await tree.git('fetch', '-q', 'origin', 'refs/pull/1/head');
    assert.equal(await tree.git('rev-parse', 'FETCH_HEAD'), next);
    // The fork goes: what was shown still is.
    await bob.must('DELETE', '/repos/bob/forked');
    const { json } = await alice.get(`${path}/pulls/1`);
    assert.deepEqual(
      [json.state, json.head.repo, json.head.repo_id, json.head.sha, json.head.ref],
      ['closed', null, -1, next, 'refs/pull/1/head'],
    );
    assert.equal((await alice.get(`${path}/pulls/1/commits`)).json.length, 2);
    await t.settled();
    assert.equal((await alice.get(`${path}/pulls/1.diff`)).status, 200);
  });

  it('stays where it was while the pull request is closed, and catches up when it is opened again', async () => {
    const { tree, path, folder } = await pushed(t, alice, 'closed');
    const one = await pushBranch(tree, 'topic', { a: '1' });
    await alice.must('POST', `${path}/pulls`, { head: 'topic', base: 'main', title: 'Topic' });
    await alice.must('PATCH', `${path}/pulls/1`, { state: 'closed' });
    const two = await tree.commit({ a: '2' });
    await tree.git('push', '-q', 'origin', 'topic');
    assert.equal(storedRef(folder, 'refs/pull/1/head'), one);
    await alice.must('PATCH', `${path}/pulls/1`, { state: 'open' });
    await t.settled();
    assert.equal(storedRef(folder, 'refs/pull/1/head'), two);
  });

  it('is recorded once, though the event comes after the push itself', async () => {
    const { tree, path, row } = await pushed(t, alice, 'twice');
    await pushBranch(tree, 'topic', { a: '1' });
    await alice.must('POST', `${path}/pulls`, { head: 'topic', base: 'main', title: 'Topic' });
    const oldId = await tree.git('rev-parse', 'HEAD');
    const newId = await tree.commit({ a: '2' });
    await tree.git('push', '-q', 'origin', 'topic');
    await t.settled();
    const payload = { repositoryId: row.id, actorId: row.owner_id, updates: [{ ref: 'refs/heads/topic', oldId, newId }] };
    await followRefs({ id: 0, type: 'refs.changed', payload, createdAt: 0 }, t.context);
    assert.equal((await pushes(path, 1)).length, 2);
  });

  it('goes with the pull request', async () => {
    const { tree, path, folder } = await pushed(t, alice, 'deleted');
    await pushBranch(tree, 'topic', { a: '1' });
    await alice.must('POST', `${path}/pulls`, { head: 'topic', base: 'main', title: 'Topic' });
    await alice.must('DELETE', `${path}/issues/1`);
    await t.settled();
    assert.equal(storedRef(folder, 'refs/pull/1/head'), undefined);
    assert.equal((await alice.get(`${path}/pulls/1`)).status, 404);
  });
});

describe('branches that go', () => {
  it('close the pull requests from them', async () => {
    const { tree, path } = await pushed(t, alice, 'gone');
    await pushBranch(tree, 'one', { a: '1' });
    await alice.must('POST', `${path}/pulls`, { head: 'one', base: 'main', title: 'One' });
    await alice.must('DELETE', `${path}/branches/one`);
    assert.equal((await alice.get(`${path}/pulls/1`)).json.state, 'closed');
    assert.deepEqual(
      (await timeline(path, 1)).map(({ type, old_ref: ref }) => [type, ref]),
      [
        ['pull_push', ''],
        ['close', ''],
        ['delete_branch', 'one'],
      ],
    );
  });

  it('leave those open that were opened again before the event came', async () => {
    const { tree, path, row } = await pushed(t, alice, 'reopened');
    const oldId = await pushBranch(tree, 'one', { a: '1' });
    await alice.must('POST', `${path}/pulls`, { head: 'one', base: 'main', title: 'One' });
    const createdAt = Math.floor(Date.now() / 1000);
    await alice.must('DELETE', `${path}/branches/one`);
    await alice.must('PATCH', `${path}/pulls/1`, { state: 'open' });
    await t.settled();
    const payload = { repositoryId: row.id, actorId: row.owner_id, updates: [{ ref: 'refs/heads/one', oldId, newId: '0'.repeat(40) }] };
    const again = (createdAt: number) => followRefs({ id: 0, type: 'refs.changed', payload, createdAt }, t.context);
    const state = async () => (await alice.get(`${path}/pulls/1`)).json.state;
    await again(createdAt);
    assert.equal(await state(), 'open');
    // A branch that goes after that closes it.
    await again(createdAt + 3600);
    assert.equal(await state(), 'closed');
  });

  it('leave those open that wait for others', async () => {
    const { tree, path } = await pushed(t, alice, 'waiting');
    await pushBranch(tree, 'one', { a: '1' });
    await alice.must('POST', `${path}/pulls`, { head: 'one', base: 'main', title: 'One' });
    await alice.must('POST', `${path}/issues`, { title: 'First this' });
    await alice.must('POST', `${path}/issues/1/dependencies`, { owner: 'alice', repo: 'waiting', index: 2 });
    await alice.must('DELETE', `${path}/branches/one`);
    assert.equal((await alice.get(`${path}/pulls/1`)).json.state, 'open');
  });

  it('send the pull requests onto them to the default branch', async () => {
    const { tree, path, first } = await pushed(t, alice, 'retargeted');
    const dev = await pushBranch(tree, 'dev', { dev: '1' });
    const topic = await pushBranch(tree, 'topic', { topic: '1' }, 'dev');
    await alice.must('POST', `${path}/pulls`, { head: 'topic', base: 'dev', title: 'Topic' });
    await alice.must('DELETE', `${path}/branches/dev`);
    const { json } = await alice.get(`${path}/pulls/1`);
    assert.deepEqual([json.state, json.base.ref, json.merge_base, json.changed_files], ['open', 'main', first, 2]);
    const rows = await timeline(path, 1);
    assert.deepEqual(
      rows.map(({ type, old_ref, new_ref }) => [type, old_ref, new_ref]),
      [
        ['change_target_branch', 'dev', 'main'],
        ['pull_push', '', ''],
      ],
    );
    assert.deepEqual(await pushes(path, 1), [{ is_force_push: false, commit_ids: [dev, topic] }]);
  });

  it('send them on to where they were merged themselves', async () => {
    const { tree, path } = await pushed(t, alice, 'stacked');
    await pushBranch(tree, 'dev', { dev: '1' });
    await pushBranch(tree, 'one', { one: '1' }, 'dev');
    await pushBranch(tree, 'two', { two: '1' }, 'one');
    await alice.must('POST', `${path}/pulls`, { head: 'one', base: 'dev', title: 'One' });
    await alice.must('POST', `${path}/pulls`, { head: 'two', base: 'one', title: 'Two' });
    await alice.must('POST', `${path}/pulls/1/merge`, { do: 'merge', delete_branch_after_merge: true });
    await t.settled();
    const { json } = await alice.get(`${path}/pulls/2`);
    assert.deepEqual([json.state, json.base.ref, json.changed_files, json.mergeable], ['open', 'dev', 1, true]);
  });

  it('survive renaming', async () => {
    const { tree, path } = await pushed(t, alice, 'renamed');
    await pushBranch(tree, 'topic', { a: '1' });
    await alice.must('POST', `${path}/pulls`, { head: 'topic', base: 'main', title: 'Topic' });
    await alice.must('PATCH', `${path}/branches/topic`, { name: 'subject' });
    await alice.must('PATCH', `${path}/branches/main`, { name: 'trunk' });
    await t.settled();
    const { json } = await alice.get(`${path}/pulls/1`);
    assert.deepEqual([json.state, json.base.ref, json.head.ref], ['open', 'trunk', 'subject']);
  });
});
