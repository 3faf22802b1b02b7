import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const [alice, bob, carol] = await Promise.all([t.user('alice'), t.user('bob'), t.user('carol')]);
await alice.must('POST', '/user/repos', { name: 'open' });
await alice.must('POST', '/user/repos', { name: 'closed', private: true });
const names = (list: { name: string }[]) => list.map(({ name }) => name);

describe('stars', () => {
  it('count once, however often they are given', async () => {
    for (let i = 0; i < 2; i++) assert.equal((await bob.put('/user/starred/alice/open')).status, 204);
    assert.equal((await alice.must('GET', '/repos/alice/open')).stars_count, 1);
    assert.equal((await bob.must('GET', '/user')).starred_repos_count, 1);
    assert.equal((await bob.get('/user/starred/alice/open')).status, 204);
    assert.deepEqual(
      (await t.anonymous.must('GET', '/repos/alice/open/stargazers')).map(({ login }: { login: string }) => login),
      ['bob'],
    );
    await Promise.all([1, 2, 3].map(() => bob.must('DELETE', '/user/starred/alice/open')));
    assert.equal((await alice.must('GET', '/repos/alice/open')).stars_count, 0);
    assert.equal((await bob.get('/user/starred/alice/open')).status, 404);
  });

  it('and watches are listed in the order in which they came', async () => {
    for (const order of [
      [bob, carol],
      [carol, bob],
    ]) {
      for (const who of order) {
        await who.must('PUT', '/user/starred/alice/open');
        await who.must('PUT', '/repos/alice/open/subscription');
      }
      const logins = async (list: string) =>
        (await alice.must('GET', `/repos/alice/open/${list}`)).map(({ login }: { login: string }) => login);
      assert.deepEqual(
        await logins('stargazers'),
        order.map(({ name }) => name),
      );
      assert.deepEqual(await logins('subscribers'), ['alice', ...order.map(({ name }) => name)]);
      for (const who of order) {
        await who.must('DELETE', '/user/starred/alice/open');
        await who.must('DELETE', '/repos/alice/open/subscription');
      }
    }
  });

  it('of what one has no access to any more are listed no longer', async () => {
    await alice.must('PUT', '/repos/alice/closed/collaborators/bob', { permission: 'read' });
    await bob.must('PUT', '/user/starred/alice/closed');
    assert.deepEqual(names(await bob.must('GET', '/user/starred')), ['closed']);
    await t.context.db.updateTable('stars').set({ created_at: 1 }).execute();
    await bob.must('PUT', '/user/starred/alice/open');
    assert.deepEqual(names(await bob.must('GET', '/user/starred')), ['open', 'closed'], 'the oldest repository first');
    await bob.must('DELETE', '/user/starred/alice/open');
    assert.deepEqual(await t.admin.must('GET', '/users/bob/starred'), []);
    await alice.must('DELETE', '/repos/alice/closed/collaborators/bob');
    assert.deepEqual(await bob.must('GET', '/user/starred'), []);
    assert.equal((await bob.get('/user/starred/alice/closed')).status, 404);
  });

  it('of what is hidden meanwhile are neither listed nor counted', async () => {
    const [dora, erin] = [await t.user('dora'), await t.user('erin')];
    await dora.must('POST', '/user/repos', { name: 'veiled' });
    await erin.must('PUT', '/user/starred/dora/veiled');
    await erin.must('PUT', '/user/starred/alice/open');
    await t.context.db.updateTable('users').set({ visibility: 'private' }).where('name', '=', 'dora').execute();
    for (const [client, path] of [
      [erin, '/user/starred'],
      [alice, '/users/erin/starred'],
    ] as const) {
      const { json, headers } = await client.get(path);
      assert.deepEqual([names(json), headers.get('x-total-count')], [['open'], '1'], path);
    }
    await erin.must('DELETE', '/user/starred/alice/open');
  });

  it('are not for who is blocked, or may not see the repository', async () => {
    await alice.must('PUT', '/user/blocks/carol');
    const { status, json } = await carol.put('/user/starred/alice/open');
    assert.deepEqual([status, json.message], [403, 'user is blocked']);
    assert.equal((await carol.put('/repos/alice/open/subscription')).status, 403);
    assert.equal((await carol.put('/user/starred/alice/closed')).status, 404);
    await alice.must('DELETE', '/user/blocks/carol');
  });
});

describe('watches', () => {
  it('count once, and end', async () => {
    for (let i = 0; i < 2; i++) assert.equal((await bob.put('/repos/alice/open/subscription')).json.subscribed, true);
    assert.equal((await alice.must('GET', '/repos/alice/open')).watchers_count, 2);
    assert.deepEqual(names(await bob.must('GET', '/user/subscriptions')), ['open']);
    assert.deepEqual(names(await bob.must('GET', '/users/alice/subscriptions')), ['open']);
    for (let i = 0; i < 2; i++) assert.equal((await bob.delete('/repos/alice/open/subscription')).status, 204);
    assert.equal((await alice.must('GET', '/repos/alice/open')).watchers_count, 1);
    assert.equal((await bob.get('/repos/alice/open/subscription')).status, 404);
  });

  it('count once when many come and go at the same moment', async () => {
    const before = (await alice.must('GET', '/repos/alice/open')).watchers_count;
    const path = '/repos/alice/open/subscription';
    await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? bob.put(path) : bob.delete(path))));
    await bob.must('DELETE', path);
    assert.equal((await alice.must('GET', '/repos/alice/open')).watchers_count, before);
  });

  it('end with the access', async () => {
    await alice.must('PUT', '/repos/alice/closed/collaborators/bob', { permission: 'read' });
    await bob.must('PUT', '/repos/alice/closed/subscription');
    await alice.must('DELETE', '/repos/alice/closed/collaborators/bob');
    assert.deepEqual(await bob.must('GET', '/user/subscriptions'), []);
    assert.equal((await alice.must('GET', '/repos/alice/closed')).watchers_count, 1);
  });
});

describe('topics', () => {
  const topics = async () => (await alice.must('GET', '/repos/alice/open/topics')).topics;

  it('are set, added and taken away, each once and in lower case', async () => {
    await t.context.db.updateTable('repositories').set({ updated_at: 1 }).execute();
    await alice.must('PUT', '/repos/alice/open/topics', { topics: ['Go', ' api ', 'go', ''] });
    assert.ok(Date.parse((await alice.must('GET', '/repos/alice/open')).updated_at) > 1000);
    assert.deepEqual(await topics(), ['api', 'go']);
    await t.context.db.updateTable('repositories').set({ updated_at: 1 }).execute();
    await alice.must('PUT', '/repos/alice/open/topics', { topics: ['api', 'go'] });
    assert.ok(Date.parse((await alice.must('GET', '/repos/alice/open')).updated_at) > 1000, 'also by what it has');
    await alice.must('PUT', '/repos/alice/open/topics/FORGE');
    await alice.must('PUT', '/repos/alice/open/topics/forge');
    await alice.must('DELETE', '/repos/alice/open/topics/api');
    assert.deepEqual(await topics(), ['forge', 'go']);
    assert.equal((await alice.delete('/repos/alice/open/topics/api')).status, 404);
    assert.deepEqual((await alice.must('GET', '/repos/alice/open')).topics, ['forge', 'go']);
  });

  it('are refused when malformed or too many, and nothing changes', async () => {
    const invalid = await alice.put('/repos/alice/open/topics', { topics: ['fine', '-bad', 'also bad'] });
    assert.deepEqual([invalid.status, invalid.json], [422, { message: 'Topic names are invalid', invalidTopics: ['-bad', 'also bad'] }]);
    const many = Array.from({ length: 26 }, (_, i) => `t${i}`);
    assert.equal((await alice.put('/repos/alice/open/topics', { topics: many })).status, 422);
    assert.equal((await alice.put(`/repos/alice/open/topics/${'l'.repeat(36)}`)).status, 422);
    assert.deepEqual(await topics(), ['forge', 'go']);
    assert.equal((await bob.put('/repos/alice/open/topics', { topics: [] })).status, 403);
  });

  it('are counted over all repositories', async () => {
    await alice.must('PUT', '/repos/alice/closed/topics', { topics: ['go', 'gone'] });
    const found = async (q: string) =>
      (await t.anonymous.must('GET', `/topics/search?q=${q}`)).topics.map(({ topic_name, repo_count }: Record<string, unknown>) => [
        topic_name,
        repo_count,
      ]);
    assert.deepEqual(await found('GO'), [
      ['go', 2],
      ['gone', 1],
    ]);
    await alice.must('DELETE', '/repos/alice/closed');
    assert.deepEqual(await found('go'), [
      ['go', 1],
      ['gone', 0],
    ]);
  });
});
