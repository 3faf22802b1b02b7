import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();

/** Two who have to do with each other in every way: follows, stars, watches, collaboration, a transfer that waits. */
async function entangle(one: string, two: string) {
  const [a, b] = [await t.user(one), await t.user(two)];
  for (const [client, other] of [
    [a, two],
    [b, one],
  ] as const) {
    await client.must('POST', '/user/repos', { name: client.name });
    await client.must('PUT', `/user/following/${other}`);
  }
  for (const [client, other] of [
    [a, two],
    [b, one],
  ] as const) {
    await client.must('PUT', `/user/starred/${other}/${other}`);
    await client.must('PUT', `/repos/${other}/${other}/subscription`);
  }
  await a.must('PUT', `/repos/${one}/${one}/collaborators/${two}`, { permission: 'write' });
  await a.must('POST', `/repos/${one}/${one}/issues`, { title: 'Work', assignees: [two] });
  await a.must('POST', `/repos/${one}/${one}/transfer`, { new_owner: two });
  return [a, b] as const;
}

const counts = async (client: { must: (method: string, path: string) => Promise<Record<string, number>> }, owner: string) => {
  const { followers_count, following_count, starred_repos_count } = await client.must('GET', '/user');
  const { stars_count, watchers_count } = await client.must('GET', `/repos/${owner}/${owner}`);
  return { followers_count, following_count, starred_repos_count, stars_count, watchers_count };
};
const NOTHING = { followers_count: 0, following_count: 0, starred_repos_count: 0, stars_count: 0, watchers_count: 1 };

describe('blocking', () => {
  it('ends all that there is between the two, and counts it off', async () => {
    const [ann, bob] = await entangle('ann', 'bob');
    assert.equal((await counts(ann, 'ann')).watchers_count, 2);
    await ann.must('PUT', '/user/blocks/bob');
    assert.deepEqual(await counts(ann, 'ann'), NOTHING);
    assert.deepEqual(await counts(bob, 'bob'), NOTHING);
    assert.equal((await ann.get('/repos/ann/ann/collaborators/bob')).status, 404);
    assert.equal((await bob.post('/repos/ann/ann/transfer/accept')).status >= 400, true);
    assert.equal((await ann.must('GET', '/repos/ann/ann/issues/1')).assignees, null);
    const [row] = await t.context.db.selectFrom('repositories').select('id').where('is_transferring', '=', true).execute();
    assert.equal(row, undefined);
  });
});

describe('deleting an account', () => {
  it('with all that it owns takes it out of every count and list', async () => {
    const [cat] = await entangle('cat', 'dan');
    await t.user('eve');
    assert.equal((await t.admin.delete('/admin/users/dan')).status, 422);
    assert.equal((await t.admin.delete('/admin/users/dan?purge=true')).status, 204);
    assert.deepEqual(await counts(cat, 'cat'), NOTHING);
    assert.equal((await cat.get('/repos/dan/dan')).status, 404);
    await t.user('dan', { email: 'new@example.com' });
    assert.equal((await t.anonymous.get('/repos/dan/dan')).status, 404, 'nothing of the old repository is there');
    await cat.must('POST', '/repos/cat/cat/transfer', { new_owner: 'eve' });
  });

  it('counts it off for more people than one statement changes', async () => {
    const { db } = t.context;
    const star = await t.user('star');
    await star.must('POST', '/user/repos', { name: 'star' });
    const { id: _id, ...row } = await db.selectFrom('users').selectAll().where('lower_name', '=', 'star').executeTakeFirstOrThrow();
    const { id: repositoryId } = await star.must('GET', '/repos/star/star');
    const fans = Array.from({ length: 1203 }, (_, at) => `fan${at}`);
    for (let at = 0; at < fans.length; at += 50) {
      const some = fans
        .slice(at, at + 50)
        .map((name) => ({ ...row, name, lower_name: name, email: `${name}@example.com`, following_count: 1 }));
      const added = await db.insertInto('users').values(some).returning('id').execute();
      const links = added.map(({ id }) => ({ follower_id: id, followed_id: _id, created_at: 1 }));
      await db.insertInto('follows').values(links).execute();
      const watches = added.map(({ id }) => ({ repository_id: repositoryId, user_id: id, mode: 'normal' as const, created_at: 1 }));
      await db.insertInto('watches').values(watches).execute();
    }
    assert.equal((await t.admin.delete('/admin/users/star?purge=true')).status, 204);
    const left = db.selectFrom('users').select('name').where('lower_name', 'like', 'fan%').where('following_count', '!=', 0);
    assert.deepEqual(await left.execute(), []);
    assert.deepEqual(await db.selectFrom('watches').select('id').where('repository_id', '=', repositoryId).execute(), []);
  });
});
