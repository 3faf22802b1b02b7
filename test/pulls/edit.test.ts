import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeRepository } from '../code/repository.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const [alice, bob, carol] = [await t.user('alice'), await t.user('bob'), await t.user('carol')];
const demo = await codeRepository(t, alice, 'demo', [
  { label: 'one', files: { 'a.txt': 'a\n' } },
  { label: 'dev', branch: 'dev', from: 'one', files: { 'dev.txt': '1\n' } },
  { label: 'topic', branch: 'topic', from: 'dev', files: { 'topic.txt': '2\n' } },
  { label: 'ahead', branch: 'ahead', from: 'topic', files: { 'ahead.txt': '3\n' } },
]);
for (const branch of ['same', 'second', 'equal']) await demo.git(['branch', branch, 'topic']);
await alice.must('PUT', `${demo.path}/collaborators/bob`, { permission: 'read' });
const bug = await alice.must('POST', `${demo.path}/labels`, { name: 'bug', color: '#ee0701' });
const pulls = `${demo.path}/pulls`;
await alice.must('POST', pulls, { head: 'topic', base: 'main', title: 'Topic' });
const read = () => alice.must('GET', `${pulls}/1`);

describe('changing a pull request', () => {
  it('is all or nothing', async () => {
    const before = await read();
    for (const [status, body] of [
      [404, { title: 'New', base: 'nope' }],
      [409, { title: 'New', body: 'New', content_version: 7 }],
      [412, { title: 'New', state: 'halfway' }],
      [422, { title: 'New', labels: [bug.id], milestone: 77 }],
      [422, { title: 'New', assignees: ['nobody'] }],
      [422, { title: 'New', assignees: [''] }],
      [422, { title: 'New', labels: [bug.id], base: 'ahead' }],
      [422, { title: 'New', state: 'closed', base: 'dev' }],
    ] as const) {
      const response = await alice.patch(`${pulls}/1`, body);
      assert.equal(response.status, status, `${JSON.stringify(body)}: ${response.text}`);
    }
    assert.deepEqual(await read(), before);
  });

  it('moves it onto another branch, and records its commits again', async () => {
    const moved = await alice.must('PATCH', `${pulls}/1`, { base: 'dev' });
    assert.deepEqual([moved.base.ref, moved.merge_base, moved.changed_files, moved.mergeable], ['dev', demo.id('dev'), 1, true]);
    const rows = (await alice.get(`${demo.path}/issues/1/timeline`)).json;
    assert.deepEqual(
      rows.map(({ type, old_ref, new_ref }: { type: string; old_ref: string; new_ref: string }) => [type, old_ref, new_ref]),
      [
        ['change_target_branch', 'main', 'dev'],
        ['pull_push', '', ''],
      ],
    );
    assert.deepEqual(JSON.parse(rows[1].body).commit_ids, [demo.id('topic')]);
    await alice.must('POST', pulls, { head: 'topic', base: 'main', title: 'Again' });
    assert.equal((await alice.patch(`${pulls}/1`, { base: 'main' })).status, 409);
  });

  it('is for its author and for who may write; what needs the right to write is left out for others', async () => {
    assert.equal((await bob.patch(`${pulls}/1`, { title: 'x' })).status, 403);
    assert.equal((await carol.patch(`${pulls}/1`, { title: 'x' })).status, 403);
    assert.equal((await t.anonymous.patch(`${pulls}/1`, { title: 'x' })).status, 401);
    await bob.must('POST', pulls, { head: 'second', base: 'main', title: 'Of bob' });
    const edited = await bob.must('PATCH', `${pulls}/3`, { title: 'WIP: still ', labels: [bug.id], assignees: ['bob'], state: 'closed' });
    assert.equal(edited.base.repo.open_pr_counter, 2);
    assert.deepEqual([edited.title, edited.draft, edited.labels, edited.assignees, edited.state], ['WIP: still ', true, [], [], 'closed']);
    assert.equal((await bob.patch(`${pulls}/3`, { allow_maintainer_edit: true })).status, 403);
  });

  it('changes the state last, whatever else one request changes', async () => {
    const kinds = async () =>
      (await alice.must('GET', `${pulls.replace(/pulls$/, 'issues')}/3/timeline`)).map(({ type }: { type: string }) => type);
    const before = (await kinds()).length;
    await alice.must('PATCH', `${pulls}/3`, { state: 'open', labels: [bug.id], assignees: ['bob'] });
    await alice.must('PATCH', `${pulls}/3`, { state: 'closed', labels: [] });
    assert.deepEqual((await kinds()).slice(before), ['assignees', 'label', 'reopen', 'label', 'close']);
  });

  it('does not move one that is being merged', async () => {
    const { db } = t.context;
    const pull = await db.selectFrom('pull_requests').selectAll().where('number', '=', 2).executeTakeFirstOrThrow();
    const merge = {
      pull_id: pull.id,
      actor_id: 1,
      style: 'merge' as const,
      base_branch: 'main',
      head_id: pull.head_id,
      commit_id: pull.head_id,
    };
    await db
      .insertInto('pull_merges')
      .values({ ...merge, is_automatic: false, process_id: t.context.processes.id, created_at: 0 })
      .execute();
    await demo.git(['branch', 'elsewhere', 'main']);
    assert.equal((await alice.patch(`${pulls}/2`, { base: 'elsewhere' })).status, 409);
    await db.deleteFrom('pull_merges').execute();
    assert.equal((await alice.patch(`${pulls}/2`, { base: 'elsewhere' })).status, 201);
  });

  it('moves it onto a branch at its head, but not onto one that has gone on', async () => {
    const { number } = await alice.must('POST', pulls, { head: 'equal', base: 'main', title: 'Equal' });
    const { status, json } = await alice.patch(`${pulls}/${number}`, { base: 'ahead' });
    assert.deepEqual([status, json.message], [422, 'branches are equal [head: equal, base: ahead]']);
    assert.equal((await alice.must('PATCH', `${pulls}/${number}`, { base: 'same' })).changed_files, 0);
    await alice.must('PATCH', `${pulls}/${number}`, { state: 'closed' });
  });
});
