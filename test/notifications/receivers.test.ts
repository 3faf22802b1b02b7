// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasFollowers } from '../../src/notifications/receivers.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');

/** An issue of alice in a repository of her own, and whether what she does to it may be for others. */
async function issue(name: string) {
  await alice.must('POST', '/user/repos', { name });
  const path = `/repos/alice/${name}/issues/1`;
  const { id: issueId, repository, user } = await alice.must('POST', `/repos/alice/${name}/issues`, { title: name });
  const event = { repositoryId: repository.id, issueId, actorId: user.id };
  return { path, event, isForOthers: () => hasFollowers(event, t.context) };
}

describe('an event of an issue', () => {
  it('is for nobody where only its actor follows', async () => {
    const own = await issue('own');
    await alice.must('POST', `${own.path}/comments`, { body: 'To myself' });
    assert.equal(await own.isForOthers(), false);
    assert.equal(await hasFollowers({ ...own.event, mentions: [] } as typeof own.event, t.context), false);
  });

  it('may be for watchers, subscribers, participants, the author and those mentioned', async () => {
    const [watched, subscribed, discussed, mentioning] = await Promise.all(['watched', 'subscribed', 'discussed', 'mentioning'].map(issue));
    assert.ok(watched && subscribed && discussed && mentioning);
    await bob.must('PUT', '/repos/alice/watched/subscription');
    await bob.must('PUT', `${subscribed.path}/subscriptions/bob`);
    const { user } = await bob.must('POST', `${discussed.path}/comments`, { body: 'Me too' });
    for (const { path, isForOthers } of [watched, subscribed, discussed]) assert.equal(await isForOthers(), true, path);
    assert.equal(await hasFollowers({ ...mentioning.event, actorId: user.id }, t.context), true);
    assert.equal(await hasFollowers({ ...mentioning.event, mentions: [user.id] } as typeof mentioning.event, t.context), true);
  });
});
