import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refsMoved } from '../../src/code/refs-moved.ts';
import { storedRef } from '../../src/git/refs/stored-refs.ts';
import { tryAfterPush } from '../../src/pulls/auto-merge/follow.ts';
import { forgetChecksOnto } from '../../src/pulls/mergeability/follow.ts';
import { testServer } from '../support/server.ts';
import { onServer } from '../transport/work-tree.ts';
import { receiver } from '../webhooks/receiver.ts';

const t = await testServer({ outgoing: { allowedHosts: ['loopback'] } });
const alice = await t.user('alice');
const none = '0'.repeat(40);

async function repository(name: string) {
  await alice.must('POST', '/user/repos', { name, auto_init: true, default_branch: 'main' });
  await t.settled();
  const { row, folder } = await onServer(t, 'alice', name);
  return { path: `/repos/alice/${name}`, row, tip: storedRef(folder, 'refs/heads/main') ?? '' };
}

describe('a push of very many refs', () => {
  it('has activities, webhooks and runs of the default branch and the first others', async () => {
    const { path, row, tip } = await repository('tags');
    const there = await receiver();
    const config = { url: there.url, content_type: 'json' };
    await alice.must('POST', `${path}/hooks`, { type: 'gitea', active: true, events: ['create'], config });
    const content = Buffer.from('on: push\njobs:\n  a:\n    runs-on: x\n    steps: [{ run: x }]\n').toString('base64');
    const { commit } = await alice.must('POST', `${path}/contents/.gitea/workflows/a.yml`, { content });
    await t.settled();
    const before = await countActivities(row.id);
    const runs = async () => (await alice.must('GET', `${path}/actions/runs`)).total_count;
    const startedBefore = await runs();
    const tags = Array.from({ length: 510 }, (_, at) => ({ ref: `refs/tags/t${at}`, oldId: none, newId: commit.sha }));
    const updates = [...tags, { ref: 'refs/heads/main', oldId: tip, newId: commit.sha }];
    await refsMoved({ ...t.context, actor: row.owner }, row, updates);
    await t.settled();
    assert.equal((await countActivities(row.id)) - before, 500);
    const { activities } = await lastActivities(row.id, before);
    assert.deepEqual([activities[0], activities[1], activities.at(-1)], ['refs/heads/main', 'refs/tags/t0', 'refs/tags/t498']);
    assert.equal(there.received.length, 499);
    assert.equal((await runs()) - startedBefore, 500);
  });

  it('is followed by pull requests whatever their number', async () => {
    const { path, row, tip } = await repository('branches');
    await alice.must('POST', `${path}/contents/a.txt`, { content: '', new_branch: 'topic' });
    const { id } = await alice.must('POST', `${path}/pulls`, { head: 'topic', base: 'main', title: 'Topic' });
    await t.settled();
    // More than the values that a statement can have.
    const branches = Array.from({ length: 70_000 }, (_, at) => ({ ref: `refs/heads/b${at}`, oldId: none, newId: tip }));
    const payload = {
      repositoryId: row.id,
      actorId: row.owner_id,
      updates: [...branches, { ref: 'refs/heads/main', oldId: none, newId: tip }],
    };
    await tryAfterPush({ id: 1, type: 'refs.changed', payload, createdAt: 0 }, t.context);
    await forgetChecksOnto(payload, t.context);
    const pull = await t.context.db.selectFrom('pull_requests').select('status').where('id', '=', id).executeTakeFirst();
    assert.equal(pull?.status, 'checking');
  });
});

async function countActivities(repositoryId: number): Promise<number> {
  return (await t.context.db.selectFrom('activities').select('id').where('repository_id', '=', repositoryId).execute()).length;
}

async function lastActivities(repositoryId: number, after: number) {
  const rows = await t.context.db
    .selectFrom('activities')
    .select('ref')
    .where('repository_id', '=', repositoryId)
    .orderBy('id')
    .offset(after)
    .limit(1000)
    .execute();
  return { activities: rows.map(({ ref }) => ref) };
}
