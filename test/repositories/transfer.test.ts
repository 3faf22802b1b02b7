import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const [alice, bob, carol] = await Promise.all([t.user('alice'), t.user('bob'), t.user('carol')]);
await t.admin.must('POST', '/admin/users/alice/orgs', { username: 'guild' });
await t.admin.must('POST', '/admin/users/bob/orgs', { username: 'hidden', visibility: 'private' });
const create = (name: string, fields: object = {}) => alice.must('POST', '/user/repos', { name, ...fields });
const reposOf = async (name: string) =>
  (await t.context.db.selectFrom('users').select('repos_count').where('lower_name', '=', name).executeTakeFirstOrThrow()).repos_count;

describe('transferring a repository to a user', () => {
  it('waits until the user accepts', async () => {
    await create('demo', { private: true });
    await alice.must('PUT', '/repos/alice/demo/collaborators/carol', { permission: 'write' });
    const before = [await reposOf('alice'), await reposOf('bob')] as const;
    const { status, json } = await alice.post('/repos/alice/demo/transfer', { new_owner: 'bob' });
    assert.equal(status, 201);
    assert.deepEqual([json.full_name, json.repo_transfer.doer.login, json.repo_transfer.recipient.login], ['alice/demo', 'alice', 'bob']);
    assert.equal((await alice.post('/repos/alice/demo/transfer', { new_owner: 'carol' })).status, 409);
    await carol.must('POST', '/repos/alice/demo/forks', { name: 'copy-of-demo' });
    assert.equal((await carol.must('GET', '/repos/carol/copy-of-demo')).parent.repo_transfer.recipient.login, 'bob');
    // Who is asked can look at it.
    assert.equal((await bob.get('/repos/alice/demo')).status, 200);
    for (const client of [alice, carol]) {
      assert.equal((await client.post('/repos/alice/demo/transfer/accept')).status, 403);
      assert.equal((await client.post('/repos/alice/demo/transfer/reject')).status, 403);
    }
    const accepted = await bob.post('/repos/alice/demo/transfer/accept');
    assert.deepEqual([accepted.status, accepted.json.full_name, accepted.json.repo_transfer], [202, 'bob/demo', undefined]);
    assert.deepEqual([await reposOf('alice'), await reposOf('bob')], [before[0] - 1, before[1] + 1]);
    assert.equal((await carol.get('/repos/bob/demo')).json.permissions.push, true);
    assert.equal((await bob.get('/repos/alice/demo')).status, 301);
    // Who lost access is not led to it, and does not watch it any more.
    assert.equal((await alice.get('/repos/alice/demo')).status, 404);
    await t.settled();
    assert.deepEqual(await alice.must('GET', '/user/subscriptions'), []);
    assert.deepEqual((await bob.must('GET', '/repos/bob/demo/collaborators')).length, 1);
  });

  it('ends when it is rejected', async () => {
    await create('stays');
    await alice.must('POST', '/repos/alice/stays/transfer', { new_owner: 'bob' });
    assert.equal((await bob.post('/repos/alice/stays/transfer/reject')).json.repo_transfer, undefined);
    assert.equal((await bob.post('/repos/alice/stays/transfer/reject')).status, 404);
    assert.equal((await bob.post('/repos/alice/stays/transfer/accept')).status, 404);
    assert.equal((await alice.get('/repos/alice/stays')).json.repo_transfer, undefined);
  });

  it('is refused where it cannot be', async () => {
    const status = async (body: object) => (await alice.post('/repos/alice/stays/transfer', body)).status;
    assert.equal(await status({ new_owner: 'nobody' }), 404);
    assert.equal(await status({}), 404);
    assert.equal(await status({ new_owner: 'hidden' }), 404);
    assert.equal(await status({ new_owner: 'bob', team_ids: [1] }), 422);
    assert.equal(await status({ new_owner: 'alice' }), 422);
    await bob.must('POST', '/user/repos', { name: 'STAYS' });
    assert.equal(await status({ new_owner: 'bob' }), 422);
    const full = await t.user('full', { max_repo_creation: 0 });
    // Whether there is room matters when it is accepted.
    assert.equal(await status({ new_owner: full.name }), 201);
    assert.equal((await full.post('/repos/alice/stays/transfer/accept')).status, 403);
    await full.must('POST', '/repos/alice/stays/transfer/reject');
    await carol.must('PUT', '/user/blocks/alice');
    assert.equal(await status({ new_owner: 'carol' }), 403);
    assert.equal((await alice.get('/repos/alice/stays')).json.repo_transfer, undefined);
  });

  it('is at once for administrators', async () => {
    await create('given');
    const { status, json } = await t.admin.post('/repos/alice/given/transfer', { new_owner: 'bob' });
    assert.deepEqual([status, json.full_name], [202, 'bob/given']);
  });
});

describe('transferring a repository to an organization', () => {
  it('is at once for who may make repositories there, with its teams', async () => {
    const team = await alice.must('POST', '/orgs/guild/teams', { name: 'writers', permission: 'write', units: ['repo.code'] });
    await create('moved');
    const { status, json } = await alice.post('/repos/alice/moved/transfer', { new_owner: 'guild', team_ids: [team.id] });
    assert.deepEqual([status, json.full_name], [202, 'guild/moved']);
    const names = async () => (await alice.must('GET', '/repos/guild/moved/teams')).map(({ name }: { name: string }) => name);
    assert.deepEqual(await names(), ['Owners', 'writers']);
    // The organization's labels stay with it, those of the repository go along.
    const theirs = await alice.must('POST', '/orgs/guild/labels', { name: 'theirs', color: '#123456' });
    const own = await alice.must('POST', '/repos/guild/moved/labels', { name: 'own', color: '#123456' });
    for (const closed of [true, false])
      await alice.must('POST', '/repos/guild/moved/issues', { title: 'Labelled', labels: [theirs.id, own.id], closed });
    const back = await alice.post('/repos/guild/moved/transfer', { new_owner: 'alice' });
    assert.deepEqual([back.status, back.json.full_name], [202, 'alice/moved']);
    const labelNames = (labels: { name: string }[]) => labels.map(({ name }) => name);
    assert.deepEqual(labelNames(await alice.must('GET', '/repos/alice/moved/issues/1/labels')), ['own']);
    const timeline: { type: string; label: { name: string } }[] = await alice.must('GET', '/repos/alice/moved/issues/2/timeline');
    assert.deepEqual(labelNames(timeline.map(({ label }) => label)), ['own']);
    const counted = t.context.db.selectFrom('labels').select(['issues_count', 'closed_issues_count']);
    assert.deepEqual({ ...(await counted.where('id', '=', theirs.id).executeTakeFirst()) }, { issues_count: 0, closed_issues_count: 0 });
    assert.deepEqual({ ...(await counted.where('id', '=', own.id).executeTakeFirst()) }, { issues_count: 2, closed_issues_count: 1 });
    const left = await t.context.db.selectFrom('team_repositories').select('team_id').where('repository_id', '=', json.id).execute();
    assert.deepEqual(left, []);
  });

  it('takes no teams of another organization', async () => {
    const foreign = await bob.must('POST', '/orgs/hidden/teams', { name: 'foreign', permission: 'read', units: ['repo.code'] });
    assert.equal((await alice.post('/repos/alice/stays/transfer', { new_owner: 'guild', team_ids: [foreign.id] })).status, 403);
    assert.equal((await alice.post('/repos/alice/stays/transfer', { new_owner: 'guild', team_ids: [999999] })).status, 422);
    assert.equal((await alice.get('/repos/alice/stays')).status, 200);
  });

  it('waits for somebody of the organization otherwise', async () => {
    await bob.must('POST', '/user/repos', { name: 'offer' });
    assert.equal((await bob.post('/repos/bob/offer/transfer', { new_owner: 'guild' })).status, 201);
    assert.equal((await carol.post('/repos/bob/offer/transfer/accept')).status, 403);
    assert.equal((await alice.post('/repos/bob/offer/transfer/accept')).status, 202);
    assert.equal((await alice.get('/repos/guild/offer')).json.permissions.admin, true);
  });

  it('leaves no access behind when it is refused', async () => {
    const create = (name: string) => bob.must('POST', '/user/repos', { name, private: true });
    for (const [name, given] of [
      ['refused', ''],
      ['befriended', 'write'],
    ] as const) {
      await create(name);
      await bob.must('POST', `/repos/bob/${name}/transfer`, { new_owner: 'carol' });
      assert.equal((await carol.get(`/repos/bob/${name}`)).status, 200, 'the recipient sees what the decision is about');
      if (given) await bob.must('PUT', `/repos/bob/${name}/collaborators/carol`, { permission: given });
      await carol.must('POST', `/repos/bob/${name}/transfer/reject`);
      assert.equal((await carol.get(`/repos/bob/${name}`)).status, given ? 200 : 404, name);
    }
    await create('blocked');
    await bob.must('POST', '/repos/bob/blocked/transfer', { new_owner: 'carol' });
    await bob.must('PUT', '/user/blocks/carol');
    assert.equal((await carol.get('/repos/bob/blocked')).status, 404);
    await bob.must('DELETE', '/user/blocks/carol');
  });
});

describe('decisions about one transfer at once', () => {
  /** Which of the requests did something; the repository may have moved before others arrive. */
  async function post(client: typeof alice, requests: readonly (readonly [path: string, body?: object])[]): Promise<number[]> {
    const authorization = `Basic ${Buffer.from(`${client.name}:${client.password}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const options = { method: 'POST', headers, redirect: 'manual' } as const;
    const sent = requests.map(([path, body = {}]) => fetch(`${t.url}/api/v1${path}`, { ...options, body: JSON.stringify(body) }));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    for (const status of statuses) assert.ok(status < 500, `${status}`);
    return statuses.filter((status) => status < 300);
  }

  it('count a repository once when it is accepted many times', async () => {
    await create('many-times');
    await alice.must('POST', '/repos/alice/many-times/transfer', { new_owner: 'bob' });
    const before = [await reposOf('alice'), await reposOf('bob')] as const;
    const path = '/repos/alice/many-times/transfer/accept';
    assert.deepEqual(await post(bob, [[path], [path], [path], [path], [path]]), [202]);
    assert.deepEqual([await reposOf('alice'), await reposOf('bob')], [before[0] - 1, before[1] + 1]);
  });

  it('are one: accepted, rejected or the repository deleted', async () => {
    await create('either');
    await alice.must('POST', '/repos/alice/either/transfer', { new_owner: 'bob' });
    const ways = ['accept', 'reject', 'accept', 'reject'].map((way) => [`/repos/alice/either/transfer/${way}`] as const);
    assert.equal((await post(bob, ways)).length, 1);
    await create('gone');
    await alice.must('POST', '/repos/alice/gone/transfer', { new_owner: 'bob' });
    const before = (await reposOf('alice')) + (await reposOf('bob'));
    await Promise.all([post(bob, [['/repos/alice/gone/transfer/accept']]), alice.delete('/repos/alice/gone')]);
    const left = (await bob.get('/repos/bob/gone')).status === 200 ? 1 : 0;
    assert.equal((await reposOf('alice')) + (await reposOf('bob')), before - 1 + left);
  });

  it('go to one of two new owners', async () => {
    await t.admin.must('POST', '/admin/users/alice/orgs', { username: 'left' });
    await t.admin.must('POST', '/admin/users/alice/orgs', { username: 'right' });
    await create('torn');
    const before = await reposOf('alice');
    const wishes = ['left', 'right', 'left', 'right'].map((new_owner) => ['/repos/alice/torn/transfer', { new_owner }] as const);
    assert.deepEqual(await post(alice, wishes), [202]);
    assert.deepEqual([await reposOf('alice'), (await reposOf('left')) + (await reposOf('right'))], [before - 1, 1]);
  });

  it('keep to the limit of the new owner', async () => {
    const small = await t.user('smaller', { max_repo_creation: 1 });
    const names = ['first', 'second', 'third'];
    for (const name of names) {
      await create(name);
      await alice.must('POST', `/repos/alice/${name}/transfer`, { new_owner: 'smaller' });
    }
    assert.deepEqual(
      await post(
        small,
        names.map((name) => [`/repos/alice/${name}/transfer/accept`]),
      ),
      [202],
    );
    assert.equal(await reposOf('smaller'), 1);
  });
});
