import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { secretsOf } from '../../src/actions/secrets/secrets.ts';
import { variablesOf } from '../../src/actions/variables/variables.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'demo' });
await alice.must('POST', '/orgs', { username: 'team' });
await alice.must('PUT', '/repos/alice/demo/collaborators/bob', { permission: 'admin' });
const { id: repositoryId } = await alice.must('GET', '/repos/alice/demo');
const { id: ownerId } = await alice.must('GET', '/user');
const LEVELS = ['/repos/alice/demo/actions', '/orgs/team/actions', '/user/actions'];
const BAD_NAMES = ['1ST', 'with-dash', 'with.dot', 'GITHUB_TOKEN', 'gitea_x', 'CI', 'ci', 'sp%20ace', '%C3%BC', `A${'a'.repeat(255)}`];

describe('secrets', () => {
  it('are made, changed and removed alike at each level, by a name in capitals', async () => {
    for (const place of LEVELS) {
      const statuses = [];
      for (const [name, data] of [
        ['deploy_key', 'first'],
        ['DEPLOY_KEY', 'second'],
      ])
        statuses.push((await alice.put(`${place}/secrets/${name}`, { data, description: 'of a test' })).status);
      assert.deepEqual(statuses, [201, 204], place);
      if (place !== '/user/actions') {
        const { json, headers, text } = await alice.get(`${place}/secrets`);
        assert.deepEqual([json[0].name, json[0].description, headers.get('x-total-count')], ['DEPLOY_KEY', 'of a test', '1']);
        assert.doesNotMatch(text, /first|second/);
      }
      assert.equal((await alice.delete(`${place}/secrets/Deploy_Key`)).status, 204);
      assert.equal((await alice.delete(`${place}/secrets/Deploy_Key`)).status, 404);
    }
    assert.equal((await alice.get('/user/actions/secrets')).status, 404);
  });

  it('are kept encrypted, each for its own place and name', async () => {
    for (const place of LEVELS) await alice.must('PUT', `${place}/secrets/SEALED`, { data: 'deep-secret' });
    const rows = await t.context.db.selectFrom('action_secrets').selectAll().where('name', '=', 'SEALED').orderBy('id').execute();
    assert.equal(new Set(rows.map(({ sealed_value }) => sealed_value)).size, 3);
    assert.doesNotMatch(JSON.stringify(rows), /deep-secret/);
    const [one, , other] = rows;
    assert.ok(one && other);
    await t.context.db.updateTable('action_secrets').set({ sealed_value: other.sealed_value }).where('id', '=', one.id).execute();
    const values = await secretsOf(t.context, { repositoryId, ownerId: 0 });
    assert.deepEqual([...values], [], 'a value that was moved to another row is not given out');
    for (const place of LEVELS) await alice.must('DELETE', `${place}/secrets/SEALED`);
  });

  it('are listed by name', async () => {
    await alice.must('POST', '/user/repos', { name: 'named' });
    for (const name of ['_C', 'B', 'A']) {
      await alice.must('PUT', `/repos/alice/named/actions/secrets/${name}`, { data: 'x' });
      await alice.must('POST', `/repos/alice/named/actions/variables/${name}`, { value: 'x' });
    }
    for (const kind of ['secrets', 'variables']) {
      const list: { name: string }[] = await alice.must('GET', `/repos/alice/named/actions/${kind}?limit=2`);
      assert.deepEqual(
        list.map(({ name }) => name),
        ['A', 'B'],
      );
    }
  });

  it('of a repository win over those of its owner', async () => {
    for (const [place, data] of [
      ['/user/actions', 'of the owner'],
      ['/repos/alice/demo/actions', 'of the repository'],
      ['/orgs/team/actions', 'of somebody else'],
    ])
      await alice.must('PUT', `${place}/secrets/BOTH`, { data });
    await alice.must('PUT', '/user/actions/secrets/OWN', { data: 'line one\nline two' });
    const values = await secretsOf(t.context, { repositoryId, ownerId });
    assert.deepEqual(Object.fromEntries(values), { BOTH: 'of the repository', OWN: 'line one\nline two' });
  });

  it('refuse names and values that are not allowed, and callers who are not the owner', async () => {
    const path = '/repos/alice/demo/actions/secrets';
    for (const name of BAD_NAMES) assert.equal((await alice.put(`${path}/${name}`, { data: 'x' })).status, 400, name);
    assert.equal((await alice.put(`${path}/LONG`, { data: 'x'.repeat(65536) })).status, 201);
    const long = await alice.put(`${path}/LONG`, { data: 'ü'.repeat(32769) });
    assert.deepEqual([long.status, long.json.message], [400, 'data too long']);
    for (const json of [{}, { data: '' }, { data: 5 }]) assert.equal((await alice.put(`${path}/NONE`, json)).status, 422);
    for (const client of [bob, await bob.token()]) assert.equal((await client.put(`${path}/X`, { data: 'x' })).status, 403);
    assert.equal((await t.anonymous.get(path)).status, 401);
    const limited = await alice.token(['all', 'public-only']);
    assert.equal((await limited.put('/user/actions/secrets/X', { data: 'x' })).status, 403);
  });

  it('end with their place, and are no more than a bound', async () => {
    await alice.must('POST', '/user/repos', { name: 'full' });
    for (let number = 0; number < 50; number++) {
      const { status } = await alice.put(`/repos/alice/full/actions/secrets/S${number}`, { data: 'x'.repeat(65536) });
      if (status === 400) break;
      assert.ok(number < 49, 'there is no bound');
    }
    await alice.must('DELETE', '/repos/alice/full');
    await t.settled();
    const { count } = await t.context.db
      .selectFrom('action_secrets')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('name', 'like', 'S%')
      .executeTakeFirstOrThrow();
    assert.equal(Number(count), 0);
  });
});

describe('variables', () => {
  it('are made, read, changed, renamed and removed alike at each level', async () => {
    for (const place of LEVELS) {
      const path = `${place}/variables`;
      assert.equal((await alice.post(`${path}/region`, { value: 'line one\r\nline two', description: 'where' })).status, 201);
      const taken = await alice.post(`${path}/Region`, { value: 'x' });
      assert.deepEqual([taken.status, taken.json.message], [409, 'variable name Region already exists']);
      const made = await alice.must('GET', `${path}/REGION`);
      assert.deepEqual([made.name, made.data, made.description], ['REGION', 'line one\nline two', 'where']);
      assert.equal((await alice.put(`${path}/region`, { name: 'zone', value: 'eu' })).status, 204);
      assert.equal((await alice.get(`${path}/region`)).status, 404);
      const { json, headers } = await alice.get(path);
      assert.deepEqual([json.length, json[0].name, json[0].data, headers.get('x-total-count')], [1, 'ZONE', 'eu', '1']);
      await alice.must('POST', `${path}/other`, { value: 'x' });
      assert.equal((await alice.put(`${path}/other`, { name: 'zone', value: 'x' })).status, 409);
      for (const name of ['zone', 'other']) assert.equal((await alice.delete(`${path}/${name}`)).status, 204);
      assert.equal((await alice.delete(`${path}/zone`)).status, 404);
    }
  });

  it('of a repository win over those of its owner, and these over those of the instance', async () => {
    const global = { owner_id: null, repository_id: null, value: 'of the instance', created_at: 1, updated_at: 1 };
    for (const name of ['ONE', 'TWO', 'THREE'])
      await t.context.db
        .insertInto('action_variables')
        .values({ ...global, name })
        .execute();
    for (const name of ['TWO', 'THREE']) await alice.must('POST', `/user/actions/variables/${name}`, { value: 'of the owner' });
    await alice.must('POST', '/repos/alice/demo/actions/variables/THREE', { value: 'of the repository' });
    const values = await variablesOf(t.context, { repositoryId, ownerId });
    assert.deepEqual(Object.fromEntries(values), { ONE: 'of the instance', TWO: 'of the owner', THREE: 'of the repository' });
  });

  it('refuse names and values that are not allowed, and callers who are not the owner', async () => {
    const path = '/repos/alice/demo/actions/variables';
    for (const name of BAD_NAMES) assert.equal((await alice.post(`${path}/${name}`, { value: 'x' })).status, 400, name);
    assert.equal((await alice.post(`${path}/LONG`, { value: 'ü'.repeat(65536) })).status, 201);
    assert.equal((await alice.put(`${path}/LONG`, { value: 'x'.repeat(65537) })).status, 400);
    assert.equal((await alice.put(`${path}/LONG`, { name: 'CI', value: 'x' })).status, 400);
    for (const json of [{}, { value: '' }, { value: true }, { value: 'a\0b' }])
      assert.equal((await alice.post(`${path}/NONE`, json)).status, 422);
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      assert.equal((await bob.send(method, `${path}/LONG`, method === 'GET' ? {} : { json: { value: 'x' } })).status, 403);
    assert.equal((await bob.get('/user/actions/variables/TWO')).status, 404);
  });
});
