import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const owner = await t.user('owner');
const anna = await t.user('anna');
const bert = await t.user('bert');
const stranger = await t.user('stranger');
const restricted = await t.user('restricted', { is_restricted: true });

for (const visibility of ['public', 'limited', 'private']) {
  await owner.must('POST', '/orgs', { username: visibility, visibility });
  const team = await owner.must('POST', `/orgs/${visibility}/teams`, { name: 'crew', permission: 'read', units: ['repo.code'] });
  for (const name of ['anna', 'bert']) await owner.must('PUT', `/teams/${team.id}/members/${name}`);
}

const names = (response: { json: { login?: string; username?: string }[] }) =>
  response.json.map(({ login, username }) => login ?? username);

describe('members of an organization', () => {
  it('are on the pages of a list in the order in which they joined, and sorted by name on each', async () => {
    await owner.must('POST', '/orgs', { username: 'paged' });
    const team = await owner.must('POST', '/orgs/paged/teams', { name: 'crew', permission: 'read', units: ['repo.code'] });
    for (const name of ['stranger', 'bert', 'anna']) await owner.must('PUT', `/teams/${team.id}/members/${name}`);
    assert.deepEqual(names(await owner.get('/orgs/paged/members?limit=3')), ['bert', 'owner', 'stranger']);
    assert.deepEqual(names(await owner.get('/orgs/paged/members?limit=3&page=2')), ['anna']);
    assert.deepEqual(names(await owner.get('/orgs/paged/members')), ['anna', 'bert', 'owner', 'stranger']);
    await owner.must('DELETE', '/orgs/paged');
  });

  it('are listed to members, public ones to others', async () => {
    await anna.must('PUT', '/orgs/public/public_members/anna');
    assert.deepEqual(names(await owner.get('/orgs/public/members')), ['anna', 'bert', 'owner']);
    assert.deepEqual(names(await t.admin.get('/orgs/public/members')), ['anna', 'bert', 'owner']);
    assert.deepEqual(names(await stranger.get('/orgs/public/members')), ['anna']);
    assert.deepEqual(names(await t.anonymous.get('/orgs/public/public_members')), ['anna']);
    assert.deepEqual(names(await owner.get('/orgs/public/public_members')), ['anna']);
    assert.deepEqual(names(await t.admin.get('/orgs/public/public_members')), ['anna', 'bert', 'owner']);
    assert.equal((await t.anonymous.get('/orgs/public/members')).status, 401);
  });

  it('of a hidden organization are shown to nobody outside, public or not', async () => {
    for (const [visibility, client] of [
      ['private', stranger],
      ['private', t.anonymous],
      ['limited', t.anonymous],
    ] as const) {
      await anna.must('PUT', `/orgs/${visibility}/public_members/anna`);
      assert.deepEqual(names(await client.get(`/orgs/${visibility}/public_members`)), []);
      assert.equal((await client.get(`/orgs/${visibility}/public_members/anna`)).status, 404);
    }
    assert.deepEqual(names(await stranger.get('/orgs/limited/public_members')), ['anna']);
  });

  it('are those of the same teams for a restricted member', async () => {
    const team = await owner.must('POST', '/orgs/private/teams', { name: 'few', permission: 'read', units: ['repo.code'] });
    for (const name of ['restricted', 'bert']) await owner.must('PUT', `/teams/${team.id}/members/${name}`);
    await anna.must('DELETE', '/orgs/private/public_members/anna');
    assert.deepEqual(names(await restricted.get('/orgs/private/members')), ['bert', 'restricted']);
    await anna.must('PUT', '/orgs/private/public_members/anna');
    assert.deepEqual(names(await restricted.get('/orgs/private/members')), ['anna', 'bert', 'restricted']);
  });

  it('are requested one by one, by outsiders as public members', async () => {
    assert.equal((await owner.get('/orgs/public/members/anna')).status, 204);
    assert.equal((await owner.get('/orgs/public/members/stranger')).status, 404);
    const led = await stranger.get('/orgs/public/members/anna');
    assert.deepEqual([led.status, led.headers.get('location')], [303, '/api/v1/orgs/public/public_members/anna']);
    assert.equal((await stranger.get('/orgs/public/members/stranger')).status, 404);
  });

  it('who hide themselves are to others like who does not exist', async () => {
    await t.user('hermit', { visibility: 'private' });
    const response = async (client: typeof owner, name: string) => {
      const { status, json } = await client.get(`/orgs/public/public_members/${name}`);
      return [status, json.message, json.errors?.[0].replace(name, 'X')];
    };
    for (const client of [t.anonymous, stranger]) assert.deepEqual(await response(client, 'hermit'), await response(client, 'nobody'));
    const led = await stranger.get('/orgs/public/members/hermit');
    assert.equal(led.status, 404);
  });

  it('decide themselves whether they are shown; owners do for everybody', async () => {
    assert.equal((await anna.put('/orgs/public/public_members/bert')).json.message, 'Cannot change member visibility');
    await owner.must('PUT', '/orgs/public/public_members/bert');
    await bert.must('DELETE', '/orgs/public/public_members/bert');
    assert.equal((await stranger.put('/orgs/public/public_members/stranger')).status, 403);
    assert.equal((await owner.put('/orgs/public/public_members/stranger')).status, 204);
    assert.equal((await t.anonymous.get('/orgs/public/public_members/stranger')).status, 404);
  });
});

describe('the organizations of a user', () => {
  it('are all the user’s own to see, to others public memberships that they may see', async () => {
    for (const visibility of ['public', 'limited', 'private']) await anna.must('PUT', `/orgs/${visibility}/public_members/anna`);
    assert.deepEqual(names(await anna.get('/user/orgs')), ['limited', 'private', 'public']);
    assert.deepEqual(names(await t.admin.get('/users/anna/orgs')), ['limited', 'private', 'public']);
    assert.deepEqual(names(await stranger.get('/users/anna/orgs')), ['limited', 'public']);
    assert.deepEqual(names(await restricted.get('/users/anna/orgs')), ['public']);
    assert.deepEqual(names(await stranger.get('/users/bert/orgs')), []);
  });

  it('to a token for public things are the public ones', async () => {
    const token = await anna.token(['public-only', 'all']);
    assert.deepEqual(names(await token.get('/user/orgs')), ['public']);
    assert.deepEqual(names(await token.get('/users/anna/orgs')), ['public']);
    assert.deepEqual(names(await token.get('/orgs')), ['public']);
    assert.equal((await token.get('/users/anna/orgs/private/permissions')).status, 403);
    assert.equal((await token.get('/users/anna/orgs/public/permissions')).status, 200);
  });

  it('are listed by who may find them', async () => {
    assert.deepEqual(names(await t.anonymous.get('/orgs')), ['public']);
    assert.deepEqual(names(await stranger.get('/orgs')), ['limited', 'public']);
    assert.deepEqual(names(await t.admin.get('/orgs')), ['limited', 'private', 'public']);
    assert.deepEqual(names(await t.admin.get('/admin/orgs?limit=2')), ['limited', 'private']);
    assert.equal((await owner.get('/admin/orgs')).status, 403);
  });

  it('are sorted by name, capitals first, and those of a user with no regard to case', async () => {
    const late = await t.user('Zoe');
    await late.must('POST', '/orgs', { username: 'Zeta' });
    assert.equal(names(await stranger.get('/orgs'))[0], 'Zeta');
    assert.deepEqual(names(await late.get('/user/orgs')), ['Zeta']);
    await late.must('POST', '/orgs', { username: 'eta' });
    assert.deepEqual(names(await late.get('/user/orgs')), ['eta', 'Zeta']);
    const team = (await late.must('GET', '/orgs/Zeta/teams'))[0].id;
    await late.must('PUT', `/teams/${team}/members/anna`);
    assert.deepEqual(
      (await late.must('GET', '/orgs/Zeta/members')).map(({ login }: { login: string }) => login),
      ['Zoe', 'anna'],
    );
  });
});

describe('what a user may do in an organization', () => {
  const rights = async (client: typeof owner, path: string) => {
    const { status, json } = await client.get(path);
    return status === 200 ? Object.keys(json).filter((key) => json[key]) : status;
  };
  const everything = ['is_owner', 'is_admin', 'can_write', 'can_read', 'can_create_repository'];

  it('follows from the teams', async () => {
    const makers = { name: 'makers', permission: 'read', units: ['repo.code'], can_create_org_repo: true };
    const team = await owner.must('POST', '/orgs/public/teams', makers);
    await owner.must('PUT', `/teams/${team.id}/members/bert`);
    assert.deepEqual(await rights(owner, '/users/owner/orgs/public/permissions'), everything);
    assert.deepEqual(await rights(owner, '/users/bert/orgs/public/permissions'), ['can_create_repository']);
    assert.deepEqual(await rights(owner, '/users/anna/orgs/public/permissions'), []);
  });

  it('shows outsiders public members only', async () => {
    assert.deepEqual(await rights(stranger, '/users/owner/orgs/public/permissions'), []);
    await owner.must('PUT', '/orgs/public/public_members/owner');
    assert.deepEqual(await rights(stranger, '/users/owner/orgs/public/permissions'), everything);
    assert.equal(await rights(stranger, '/users/owner/orgs/private/permissions'), 404);
    assert.equal(await rights(t.anonymous, '/users/owner/orgs/public/permissions'), 401);
  });
});
