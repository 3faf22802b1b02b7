// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const [alice, troll, helper] = await Promise.all([t.user('alice'), t.user('troll'), t.user('helper')]);
await alice.must('POST', '/orgs', { username: 'acme' });
for (const [path, body] of [
  ['/user/repos', { name: 'demo', auto_init: true }],
  ['/user/repos', { name: 'secret', auto_init: true, private: true }],
  ['/orgs/acme/repos', { name: 'tool', auto_init: true }],
] as const) {
  await alice.must('POST', path, body);
}
await troll.must('POST', '/user/repos', { name: 'cave', auto_init: true });
const numbers = (list: { full_name: string }[]) => list.map(({ full_name }) => full_name);
const repositoriesOf = async (client: Client, path: string) => numbers(await client.must('GET', path));

describe('a block by a user', () => {
  it('ends the relations between the two, in both directions', async () => {
    await troll.must('PUT', '/user/following/alice');
    await alice.must('PUT', '/user/following/troll');
    await alice.must('PUT', '/repos/alice/secret/collaborators/troll', { permission: 'write' });
    await troll.must('PUT', '/repos/troll/cave/collaborators/alice', { permission: 'write' });
    for (const [client, path] of [
      [troll, 'alice/demo'],
      [troll, 'alice/secret'],
      [alice, 'troll/cave'],
    ] as const) {
      await client.must('PUT', `/user/starred/${path}`);
      await client.must('PUT', `/repos/${path}/subscription`);
    }
    const { number } = await alice.must('POST', '/repos/alice/secret/issues', { title: 'Assigned', body: '@troll', assignees: ['troll'] });
    await troll.must('PUT', `/repos/alice/secret/issues/${number}/subscriptions/troll`);
    await troll.must('POST', `/repos/alice/secret/issues/${number}/stopwatch/start`);
    await alice.must('POST', '/repos/alice/demo/transfer', { new_owner: 'troll' });
    await t.settled();
    assert.equal((await troll.must('GET', '/notifications')).length > 0, true);

    await alice.must('PUT', '/user/blocks/troll');
    await t.settled();
    assert.deepEqual([(await troll.get('/user/following/alice')).status, (await alice.get('/user/following/troll')).status], [404, 404]);
    assert.deepEqual(await repositoriesOf(troll, '/user/starred'), []);
    assert.deepEqual(await repositoriesOf(alice, '/user/starred'), []);
    assert.deepEqual(await repositoriesOf(troll, '/user/subscriptions'), ['troll/cave']);
    assert.equal((await repositoriesOf(alice, '/user/subscriptions')).includes('troll/cave'), false);
    assert.equal((await troll.get('/repos/alice/secret')).status, 404);
    assert.deepEqual(await alice.must('GET', '/repos/troll/cave/collaborators').catch(() => []), []);
    assert.deepEqual((await alice.must('GET', `/repos/alice/secret/issues/${number}`)).assignees, null);
    const last = (await alice.must('GET', `/repos/alice/secret/issues/${number}/timeline`)).at(-1);
    assert.deepEqual([last.type, last.user.login, last.removed_assignee], ['assignees', 'troll', true]);
    assert.deepEqual(await troll.must('GET', '/user/stopwatches'), []);
    assert.deepEqual(
      (await troll.must('GET', '/notifications?all=true')).filter(
        ({ subject }: { subject: { title: string } }) => subject.title === 'Assigned',
      ),
      [],
    );
    const watching = await alice.must('GET', `/repos/alice/secret/issues/${number}/subscriptions`);
    assert.deepEqual(watching.map(({ login }: { login: string }) => login).includes('troll'), false);
    const demo = await alice.must('GET', '/repos/alice/demo');
    assert.deepEqual([demo.stars_count, demo.watchers_count], [0, 1]);
    const rows = await t.context.db.selectFrom('repository_transfers').selectAll().execute();
    assert.deepEqual(rows, [], 'the transfer is called off');
  });

  it('keeps the blocked one from whatever reaches the blocker', async () => {
    const issue = await alice.must('POST', '/repos/alice/demo/issues', { title: 'Quiet' });
    const elsewhere = await alice.must('POST', '/repos/acme/tool/issues', { title: 'By Alice' });
    await alice.must('PUT', '/repos/acme/tool/collaborators/troll', { permission: 'write' });
    const comment = await alice.must('POST', `/repos/alice/demo/issues/${issue.number}/comments`, { body: 'Hello' });
    const refused: [string, string, object?][] = [
      ['PUT', '/user/following/alice'],
      ['PUT', '/user/starred/alice/demo'],
      ['PUT', '/repos/alice/demo/subscription'],
      ['POST', '/repos/alice/demo/forks', {}],
      ['POST', '/repos/alice/demo/issues', { title: 'Spam' }],
      ['POST', `/repos/alice/demo/issues/${issue.number}/comments`, { body: 'Spam' }],
      ['POST', `/repos/alice/demo/issues/${issue.number}/reactions`, { content: 'heart' }],
      ['POST', `/repos/alice/demo/issues/comments/${comment.id}/reactions`, { content: 'heart' }],
      ['POST', `/repos/acme/tool/issues/${elsewhere.number}/comments`, { body: 'Spam' }],
      ['POST', '/repos/acme/tool/issues', { title: 'Spam', assignees: ['alice'] }],
      ['POST', '/repos/troll/cave/transfer', { new_owner: 'alice' }],
      ['PUT', '/repos/troll/cave/collaborators/alice', { permission: 'read' }],
    ];
    for (const [method, path, json] of refused) {
      const response = await troll.send(method, path, { json });
      assert.deepEqual([response.status, response.json?.message], [403, 'user is blocked'], `${method} ${path}`);
    }
    const collaborator = await alice.put('/repos/alice/demo/collaborators/troll', { permission: 'read' });
    assert.deepEqual([collaborator.status, collaborator.json.message], [403, 'user is blocked']);
  });

  it('lets no mention reach the blocker', async () => {
    const { number } = await helper.must('POST', '/repos/troll/cave/issues', { title: 'Mentions' });
    await troll.must('POST', `/repos/troll/cave/issues/${number}/comments`, { body: 'Hey @alice and @helper' });
    await t.settled();
    const told = async (client: Client) =>
      (await client.must('GET', '/notifications')).some(({ subject }: { subject: { title: string } }) => subject.title === 'Mentions');
    assert.deepEqual([await told(alice), await told(helper)], [false, true]);
    await helper.must('POST', `/repos/troll/cave/issues/${number}/comments`, { body: 'Hey @alice' });
    await t.settled();
    assert.equal(await told(alice), true, 'others may mention them');
  });
});

describe('a block by an organization', () => {
  it('keeps the blocked one from its repositories and teams', async () => {
    await alice.must('PUT', '/orgs/acme/blocks/troll');
    await t.settled();
    for (const [method, path, json] of [
      ['PUT', '/user/starred/acme/tool'],
      ['PUT', '/repos/acme/tool/subscription'],
      ['POST', '/repos/acme/tool/forks', {}],
      ['POST', '/repos/acme/tool/issues', { title: 'Spam' }],
      ['PUT', '/user/following/acme'],
    ] as const) {
      assert.equal((await troll.send(method, path, { json })).status, 403, `${method} ${path}`);
    }
    const { id } = await alice.must('POST', '/orgs/acme/teams', { name: 'crew', permission: 'read', units: ['repo.code'] });
    assert.equal((await alice.put(`/teams/${id}/members/troll`)).status, 403);
    assert.equal((await alice.put('/repos/acme/tool/collaborators/troll', { permission: 'read' })).status, 403);
  });
});
