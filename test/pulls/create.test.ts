// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { storedRef } from '../../src/git/refs/stored-refs.ts';
import { keepHead } from '../../src/pulls/heads/write-ref.ts';
import { codeRepository } from '../code/repository.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const [alice, bob, carol, dave] = [await t.user('alice'), await t.user('bob'), await t.user('carol'), await t.user('dave')];
const demo = await codeRepository(t, alice, 'demo', [
  { label: 'one', files: { 'a.txt': 'a\n' } },
  { label: 'topic', branch: 'topic', from: 'one', files: { 'topic.txt': '1\n2\n' } },
  { label: 'later', branch: 'topic', files: { 'later.txt': '3\n' } },
  { label: 'two', files: { 'b.txt': 'b\n' } },
]);
for (const branch of ['same', 'other', 'third']) await demo.git(['branch', branch, 'topic']);
await demo.git(['tag', 'v1', 'main']);
const pulls = `${demo.path}/pulls`;
const folder = t.context.git.locate(demo.row);
await bob.must('POST', `${demo.path}/forks`, { name: 'fork' });

describe('opening a pull request', () => {
  it('shows what the head has since it left the base, and keeps the head by a ref', async () => {
    const pull = await alice.must('POST', pulls, { head: 'topic', base: 'main', title: 'Topic', body: 'Text' });
    assert.deepEqual(
      [pull.number, pull.state, pull.merge_base, pull.base.sha, pull.head.sha],
      [1, 'open', demo.id('one'), demo.id('two'), demo.id('later')],
    );
    assert.deepEqual([pull.additions, pull.deletions, pull.changed_files, pull.merged, pull.head.ref], [3, 0, 2, false, 'topic']);
    assert.equal(storedRef(folder, 'refs/pull/1/head'), demo.id('later'));
    const { json } = await alice.get(`${demo.path}/issues/1/timeline`);
    assert.deepEqual(
      json.map(({ type, body }: { type: string; body: string }) => [type, JSON.parse(body)]),
      [['pull_push', { is_force_push: false, commit_ids: [demo.id('topic'), demo.id('later')] }]],
    );
  });

  it('takes the commits of a fork over, so that it does not need the fork', async () => {
    const at = await bob.must('POST', '/repos/bob/fork/contents/new.txt', {
      content: 'bmV3Cg==',
      branch: 'main',
      new_branch: 'feature',
      message: 'new',
    });
    const pull = await bob.must('POST', pulls, { head: 'bob/fork:feature', base: 'main', title: 'From a fork' });
    assert.deepEqual([pull.head.repo.full_name, pull.head.sha, pull.changed_files], ['bob/fork', at.commit.sha, 1]);
    assert.equal(storedRef(folder, `refs/pull/${pull.number}/head`), at.commit.sha);
    assert.equal((await demo.git(['cat-file', '-t', at.commit.sha])).trim(), 'commit');
  });

  it('lets only those in who belong to the base or may write to the head', async () => {
    const refused = await dave.post(pulls, { head: 'other', base: 'main', title: 'x' });
    assert.deepEqual([refused.status, refused.json.message], [403, 'user must be a collaborator']);
    const forAnother = await dave.post(pulls, { head: 'bob/fork:main', base: 'main', title: 'x' });
    assert.equal(forAnother.status, 403);
    await alice.must('PUT', `${demo.path}/collaborators/carol`, { permission: 'read' });
    assert.equal((await carol.post(pulls, { head: 'other', base: 'main', title: 'x' })).status, 201);
    await alice.must('PUT', '/user/blocks/dave');
    assert.equal((await dave.post(pulls, { head: 'third', base: 'main', title: 'x' })).json.message, 'user is blocked');
  });

  it('refuses what makes no pull request, and changes nothing', async () => {
    const before = (await alice.get(`${pulls}?state=all`)).headers.get('x-total-count');
    for (const [status, body] of [
      [422, { head: 'main', base: 'main' }],
      [404, { head: 'nope', base: 'main' }],
      [404, { head: 'topic', base: 'nope' }],
      [422, { head: 'v1', base: 'topic' }],
      [422, { head: 'refs/tags/v1', base: 'topic' }],
      [422, { head: 'HEAD', base: 'topic' }],
      [404, { head: 'refs/heads/topic~1', base: 'main' }],
      [422, { head: 'topic', base: demo.id('one') }],
      [400, { head: 'dave:topic', base: 'main' }],
      [404, { head: 'nobody:topic', base: 'main' }],
      [400, { head: 'topic', base: 'main^' }],
      [409, { head: 'topic', base: 'main' }],
      [409, { head: 'refs/heads/topic', base: 'refs/heads/main' }],
      [422, { head: 'third', base: 'main', due_date: '' }],
      [404, { head: 'third', base: 'main', milestone: 9 }],
      [422, { head: 'third', base: 'main', assignees: ['nobody'] }],
      [404, { head: 'third', base: 'main', reviewers: ['nobody'] }],
    ] as const) {
      const response = await alice.post(pulls, { title: 'x', ...body });
      assert.equal(response.status, status, `${JSON.stringify(body)}: ${response.text}`);
    }
    assert.equal((await alice.get(`${pulls}?state=all`)).headers.get('x-total-count'), before);
  });

  it('opens one of two at the same time', async () => {
    const responses = await Promise.all([1, 2, 3, 4].map(() => alice.post(pulls, { head: 'third', base: 'main', title: 'x' })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  });

  it('takes the base for where the two parted when they never were one', async () => {
    const tree = (await demo.git(['rev-parse', 'topic^{tree}'])).trim();
    const orphan = (await demo.git(['commit-tree', tree, '-m', 'Orphan'])).trim();
    await demo.git(['branch', 'orphan', orphan]);
    const pull = await alice.must('POST', pulls, { head: 'orphan', base: 'main', title: 'Orphan' });
    assert.deepEqual([pull.merge_base, pull.changed_files], [demo.id('two'), 3]);
  });

  it('writes the ref that a crash left unwritten', async () => {
    await demo.git(['update-ref', '-d', 'refs/pull/1/head']);
    const row = await t.context.db.selectFrom('pull_requests').select('id').where('number', '=', 1).executeTakeFirstOrThrow();
    // The request and what follows its event come at the same time.
    await Promise.all(Array.from({ length: 8 }, () => keepHead(t.context, row.id)));
    assert.equal(storedRef(folder, 'refs/pull/1/head'), demo.id('later'));
    // Another process may be at it.
    await demo.git(['update-ref', '-d', 'refs/pull/1/head']);
    const lock = join(folder.path, 'refs/pull/1/head.lock');
    await mkdir(dirname(lock), { recursive: true });
    await writeFile(lock, '');
    const kept = keepHead(t.context, row.id);
    // Others hold the lock for less than keepHead waits, which a busy machine must not turn into more.
    await setTimeout(20);
    rmSync(lock);
    await kept;
    assert.equal(storedRef(folder, 'refs/pull/1/head'), demo.id('later'));
  });
});
