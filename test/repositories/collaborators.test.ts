// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const [alice, admin, writer, reader, stranger] = await Promise.all(
  ['alice', 'adminned', 'writer', 'reader', 'stranger'].map((name) => t.user(name)),
);
assert.ok(alice && admin && writer && reader && stranger);
await alice.must('POST', '/user/repos', { name: 'demo', private: true });
const path = '/repos/alice/demo/collaborators';
await alice.must('PUT', `${path}/adminned`, { permission: 'admin' });
await alice.must('PUT', `${path}/writer`, {});
await alice.must('PUT', `${path}/reader`, { permission: 'read' });
const logins = async (client: Client, of: string) => (await client.must('GET', of)).map(({ login }: { login: string }) => login);

describe('collaborators', () => {
  it('may do what they were given', async () => {
    for (const [client, permission, flags] of [
      [admin, 'admin', [true, true, true]],
      [writer, 'write', [false, true, true]],
      [reader, 'read', [false, false, true]],
    ] as const) {
      const { permissions } = await client.must('GET', '/repos/alice/demo');
      assert.deepEqual([permissions.admin, permissions.push, permissions.pull], flags);
      const told = await client.must('GET', `${path}/${client.name}/permission`);
      assert.deepEqual([told.permission, told.role_name, told.user.login], [permission, permission, client.name]);
    }
    assert.deepEqual(await logins(reader, path), ['adminned', 'writer', 'reader']);
    assert.equal((await reader.get(`${path}/writer`)).status, 204);
    assert.equal((await reader.get(`${path}/stranger`)).status, 404);
    assert.equal((await reader.get(`${path}/nobody`)).status, 422);
  });

  it('readers and writers change nothing about them', async () => {
    for (const client of [reader, writer]) {
      assert.equal((await client.put(`${path}/${client.name}`, { permission: 'admin' })).status, 403);
      assert.equal((await client.put(`${path}/stranger`, {})).status, 403);
      assert.equal((await client.delete(`${path}/adminned`)).status, 403);
      assert.equal((await client.post('/repos/alice/demo/transfer', { new_owner: client.name })).status, 403);
      assert.equal((await client.post('/repos/alice/demo/avatar', { image: 'eA==' })).status, 403);
    }
    assert.equal((await admin.post('/repos/alice/demo/transfer', { new_owner: 'adminned' })).status, 403);
    assert.equal((await admin.delete('/repos/alice/demo')).status, 403);
  });

  it('are shown to nobody outside, and permissions of others to administrators only', async () => {
    for (const client of [stranger, t.anonymous]) {
      for (const of of [
        path,
        `${path}/reader`,
        `${path}/reader/permission`,
        '/repos/alice/demo/assignees',
        '/repos/alice/demo/reviewers',
      ]) {
        assert.equal((await client.get(of)).status, 404, of);
      }
    }
    assert.equal((await writer.get(`${path}/reader/permission`)).status, 403);
    assert.equal((await admin.get(`${path}/reader/permission`)).json.permission, 'read');
  });

  it('are people with an account, not blocked', async () => {
    const status = async (name: string, permission = 'read') => (await alice.put(`${path}/${name}`, { permission })).status;
    assert.equal(await status('nobody'), 422);
    assert.equal(await status('alice'), 204);
    assert.equal((await alice.get(`${path}/alice`)).status, 204);
    assert.equal((await alice.get(`${path}/alice/permission`)).json.permission, 'owner');
    await alice.must('DELETE', `${path}/alice`);
    for (const permission of ['owner', 'none', 'x', '']) assert.equal(await status('stranger', permission), 422, permission);
    await stranger.must('PUT', '/user/blocks/alice');
    assert.equal(await status('stranger'), 403);
    await stranger.must('DELETE', '/user/blocks/alice');
    await t.user('asleep', { is_active: false });
    assert.equal(await status('asleep'), 422);
  });

  it('can be assigned and asked for reviews', async () => {
    assert.deepEqual(await logins(reader, '/repos/alice/demo/assignees'), ['adminned', 'writer', 'alice']);
    assert.deepEqual(await logins(reader, '/repos/alice/demo/reviewers'), ['adminned', 'reader', 'writer', 'alice']);
    await alice.must('PUT', `${path}/alice`, { permission: 'write' });
    assert.deepEqual(await logins(reader, '/repos/alice/demo/assignees'), ['adminned', 'alice', 'writer']);
    assert.deepEqual(await logins(reader, '/repos/alice/demo/reviewers'), ['adminned', 'alice', 'reader', 'writer']);
    await alice.must('DELETE', `${path}/alice`);
  });

  it('end', async () => {
    assert.equal((await alice.delete(`${path}/reader`)).status, 204);
    assert.equal((await alice.delete(`${path}/reader`)).status, 204);
    assert.equal((await reader.get('/repos/alice/demo')).status, 404);
  });
});

describe('an administrator who is removed', () => {
  it('does not come back by requests of the same moment', async () => {
    await alice.must('POST', '/user/repos', { name: 'kept', private: true });
    const mallory = await t.user('mallory');
    const path = '/repos/alice/kept/collaborators/mallory';
    for (let round = 0; round < 10; round++) {
      await alice.must('PUT', path, { permission: 'admin' });
      const again = () => mallory.put(path, { permission: 'admin' });
      await Promise.all([again(), again(), alice.delete(path), again(), again()]);
      assert.equal((await mallory.get('/repos/alice/kept')).status, 404, `round ${round}`);
    }
  });
});

describe('teams of a repository', () => {
  it('get and lose it, by its name in the organization', async () => {
    await t.admin.must('POST', '/admin/users/alice/orgs', { username: 'guild' });
    await t.admin.must('POST', '/admin/users/stranger/orgs', { username: 'other' });
    await alice.must('POST', '/orgs/guild/repos', { name: 'hall', private: true });
    for (const [client, org] of [
      [alice, 'guild'],
      [stranger, 'other'],
    ] as const) {
      await client.must('POST', `/orgs/${org}/teams`, { name: `${org}-team`, permission: 'read', units: ['repo.code'] });
    }
    const teams = '/repos/guild/hall/teams';
    assert.equal((await alice.put(`${teams}/guild-team`)).status, 204);
    assert.equal((await alice.put(`${teams}/GUILD-TEAM`)).status, 422);
    // A team of another organization is not found by its name.
    assert.equal((await alice.put(`${teams}/other-team`)).status, 404);
    const names = (await alice.must('GET', teams)).map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ['Owners', 'guild-team']);
    assert.equal((await alice.get(`${teams}/guild-team`)).json.name, 'guild-team');
    assert.equal((await alice.delete(`${teams}/guild-team`)).status, 204);
    assert.equal((await alice.delete(`${teams}/guild-team`)).status, 422);
    assert.equal((await alice.get('/repos/alice/demo/teams')).status, 405);
    assert.equal((await stranger.get(teams)).status, 404);
  });
});
