import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brief, listening } from '../webhooks/listening.ts';
import { refsOf, servers } from './servers.ts';

const { t, bob, other, alice, source, mirror } = await servers();
const FIRST = [{ label: 'one', files: { 'a.txt': '1\n' } }];
const locate = (row: { id: number; object_format: 'sha1' | 'sha256'; volume: string }) => other.context.git.locate(row).path;
const mirrorRow = async (repositoryId: number) =>
  t.context.db.selectFrom('mirrors').selectAll().where('repository_id', '=', repositoryId).executeTakeFirstOrThrow();
const activities = async (path: string) =>
  ((await bob.must('GET', `${path}/activities/feeds?limit=50`)) as { op_type: string; ref_name: string }[]).map(({ op_type, ref_name }) =>
    `${op_type} ${ref_name}`.trim(),
  );

describe('a mirror', () => {
  it('is brought up to date: new, moved and deleted refs, but those of pull requests', async () => {
    const demo = await source('demo', [...FIRST, { label: 'topic', branch: 'topic', from: 'one', files: { 'b.txt': 'b\n' } }]);
    await demo.git(['update-ref', 'refs/pull/1/head', demo.id('topic')]);
    await demo.git(['update-ref', 'refs/notes/commits', demo.id('one')]);
    const copy = await mirror('demo');
    assert.equal(await copy.refs(), await refsOf(alice, locate(demo.row)));
    await alice.must('POST', `${demo.path}/contents/new.txt`, { content: 'eA==', message: 'New' });
    await demo.git(['tag', '-a', '-m', 'One', 'v1', 'main']);
    await demo.git(['update-ref', 'refs/heads/topic/deep', demo.id('one')]).catch(() => {});
    await demo.git(['update-ref', '-d', 'refs/heads/topic']);
    await demo.git(['update-ref', 'refs/heads/topic/deep', demo.id('one')]);
    await copy.sync();
    assert.equal(await copy.refs(), await refsOf(alice, locate(demo.row)));
    assert.match(await copy.refs(), /refs\/heads\/topic\/deep/);
    assert.doesNotMatch(await copy.refs(), /refs\/pull/);
    // Forced
    await demo.git(['update-ref', 'refs/heads/main', demo.id('one')]);
    await copy.sync();
    assert.equal((await bob.must('GET', `${copy.path}/branches/main`)).commit.id, demo.id('one'));
    const { branch_count } = await bob.must('GET', copy.path);
    assert.equal(branch_count, 2);
  });

  it('retains deleted refs if pruning is disabled', async () => {
    const kept = await source('kept', [...FIRST, { label: 'topic', branch: 'topic', from: 'one', files: { 'b.txt': 'b\n' } }]);
    const copy = await mirror('kept');
    await bob.must('PATCH', copy.path, { enable_prune: false });
    await kept.git(['update-ref', '-d', 'refs/heads/topic']);
    await copy.sync();
    assert.equal((await bob.must('GET', `${copy.path}/branches`)).length, 2);
    await bob.must('PATCH', copy.path, { enable_prune: true });
    await copy.sync();
    assert.equal((await bob.must('GET', `${copy.path}/branches`)).length, 1);
  });

  it('tells of what it brings as its owner’s, and closes no issues', async () => {
    const told = await source('told', FIRST);
    const copy = await mirror('told');
    const events: unknown[] = [];
    t.server.services.events.on('refs.changed', 'test', async ({ payload }) => void events.push(payload));
    await bob.must('POST', `${copy.path}/issues`, { title: 'Stays open' });
    await alice.must('POST', `${told.path}/contents/x.txt`, { content: 'eA==', message: 'Fixes #1' });
    await told.git(['update-ref', 'refs/heads/more', 'main']);
    await told.git(['tag', 'v1', 'main']);
    await copy.sync();
    await t.settled();
    const { owner_id } = await copy.row();
    assert.deepEqual(
      events.map((event) => ({
        ...(event as object),
        updates: (event as { updates: { ref: string }[] }).updates.map(({ ref }) => ref).sort(),
      })),
      [
        {
          repositoryId: (await copy.row()).id,
          actorId: owner_id,
          updates: ['refs/heads/main', 'refs/heads/more', 'refs/tags/v1'],
          isMirror: true,
        },
      ],
    );
    assert.equal((await bob.must('GET', `${copy.path}/issues/1`)).state, 'open');
    assert.deepEqual((await activities(copy.path)).filter((line) => line.startsWith('mirror')).sort(), [
      'mirror_sync_create refs/heads/more',
      'mirror_sync_create refs/tags/v1',
      'mirror_sync_push refs/heads/main',
      'mirror_sync_push refs/heads/more',
      'mirror_sync_push refs/tags/v1',
    ]);
    await told.git(['update-ref', '-d', 'refs/heads/more']);
    await copy.sync();
    await t.settled();
    assert.ok((await activities(copy.path)).includes('mirror_sync_delete refs/heads/more'));
  });

  it('tells its webhooks', async () => {
    const hooked = await source('hooked', FIRST);
    const copy = await mirror('hooked');
    const { deliveries } = await listening(t)(bob, `${copy.path}/hooks`, ['push', 'create', 'delete']);
    await alice.must('POST', `${hooked.path}/contents/x.txt`, { content: 'eA==', message: 'More', new_branch: 'more' });
    await copy.sync();
    const told = await deliveries();
    assert.deepEqual(told.map(brief), ['create more', 'push refs/heads/more']);
    const push = told.find(({ json }) => json.commits)?.json;
    assert.deepEqual([push.sender.login, push.pusher.login, push.head_commit.message], ['bob', 'bob', 'More\n']);
  });

  it('takes its default branch from the source where it has none', async () => {
    const empty = await source('empty', [], { default_branch: 'trunk' });
    const copy = await mirror('empty');
    assert.equal((await bob.must('GET', copy.path)).empty, true);
    const { content } = await alice.must('POST', `${empty.path}/contents/a.txt`, { content: 'eA==', message: 'First', branch: 'trunk' });
    assert.ok(content);
    await copy.sync();
    const { empty: isEmpty, default_branch } = await bob.must('GET', copy.path);
    assert.deepEqual([isEmpty, default_branch], [false, 'trunk']);
  });

  it('notes what failed, when, and tries again later', async () => {
    const lost = await source('lost', FIRST);
    const copy = await mirror('lost', { mirror_interval: '8h' });
    const { id } = await copy.row();
    const before = await mirrorRow(id);
    assert.ok(before.next_at !== null && before.next_at >= before.created_at + 8 * 3600);
    await alice.must('DELETE', lost.path);
    await copy.sync();
    const after = await mirrorRow(id);
    assert.equal(after.failures, 1);
    assert.match(after.last_error, /not found|could not read Username/);
    // Sooner than usual, and never at once.
    assert.ok(after.next_at !== null && after.next_at >= after.updated_at + 600 && after.next_at < before.next_at);
    assert.equal((await bob.must('GET', copy.path)).branch_count, 1);
    await bob.must('PATCH', copy.path, { mirror_interval: '0' });
    assert.equal((await mirrorRow(id)).next_at, null);
  });

  it('refuses writes, and is deleted with its repository', async () => {
    await source('mine', FIRST);
    const copy = await mirror('mine');
    const { id } = await copy.row();
    assert.equal((await bob.post(`${copy.path}/contents/x`, { content: 'eA==' })).status, 423);
    assert.equal((await bob.post(`${copy.path}/branches`, { new_branch_name: 'x' })).status, 403);
    await bob.must('DELETE', copy.path);
    await t.settled();
    assert.equal(await t.context.db.selectFrom('mirrors').select('id').where('repository_id', '=', id).executeTakeFirst(), undefined);
  });
});
