import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRepository } from '../../src/repositories/create.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');

describe('creating an organization', () => {
  it('makes it with its maker as the only owner', async () => {
    const made = await alice.post('/orgs', { username: 'Acme', full_name: 'Acme Works', email: 'office@example.com' });
    assert.equal(made.status, 201);
    const { id, avatar_url, ...rest } = made.json;
    assert.ok(id > 0);
    assert.match(avatar_url, /\/avatars\//);
    assert.deepEqual(rest, {
      name: 'Acme',
      full_name: 'Acme Works',
      email: 'office@example.com',
      description: '',
      website: '',
      location: '',
      visibility: 'public',
      repo_admin_change_team_access: false,
      username: 'Acme',
    });
    assert.equal((await bob.get('/orgs/ACME')).json.name, 'Acme');
  });

  it('hides the e-mail address from who has not signed in', async () => {
    assert.equal((await t.anonymous.get('/orgs/acme')).json.email, '');
    const { json } = await t.anonymous.get('/orgs');
    assert.equal(json.find(({ name }: { name: string }) => name === 'Acme').email, 'office@example.com', 'lists show it');
  });

  it('refuses names that are taken, by users too, and whatever their case', async () => {
    for (const name of ['acme', 'ACME', 'alice', 'Alice']) {
      const response = await bob.post('/orgs', { username: name });
      assert.deepEqual([response.status, response.json.message], [422, `user already exists [name: ${name}]`]);
    }
  });

  it('lets only one of two names that differ in case through', async () => {
    const responses = await Promise.all(['Twice', 'twice', 'TWICE', 'tWice'].map((username) => bob.post('/orgs', { username })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 422, 422, 422]);
  });

  it('refuses who may not create any', async () => {
    const carol = await t.user('carol', { allow_create_organization: false });
    assert.equal((await carol.post('/orgs', { username: 'carols' })).status, 403);
    assert.equal((await t.anonymous.post('/orgs', { username: 'nobodys' })).status, 401);
  });
});

describe('the visibility of an organization', () => {
  it('decides who gets it', async () => {
    const restricted = await t.user('restricted', { is_restricted: true });
    for (const visibility of ['public', 'limited', 'private'])
      await alice.must('POST', '/orgs', { username: `org-${visibility}`, visibility });
    const statuses = async (client: typeof alice) =>
      Promise.all(['public', 'limited', 'private'].map(async (visibility) => (await client.get(`/orgs/org-${visibility}`)).status));
    assert.deepEqual(await statuses(t.anonymous), [200, 404, 404]);
    assert.deepEqual(await statuses(bob), [200, 200, 404]);
    assert.deepEqual(await statuses(restricted), [200, 404, 404]);
    assert.deepEqual(await statuses(alice), [200, 200, 200]);
    assert.deepEqual(await statuses(t.admin), [200, 200, 200]);
    const hidden = await t.anonymous.get('/orgs/org-private');
    assert.deepEqual([hidden.json.message, hidden.json.errors], ['HasOrgOrUserVisible', null]);
  });
});

describe('changing an organization', () => {
  it('changes what is given and nothing else', async () => {
    await alice.must('POST', '/orgs', { username: 'changing', full_name: 'Before', location: 'Oslo' });
    const changed = await alice.must('PATCH', '/orgs/changing', { full_name: '', email: 'a@example.com', visibility: 'limited' });
    assert.deepEqual([changed.full_name, changed.email, changed.location, changed.visibility], ['', 'a@example.com', 'Oslo', 'limited']);
    assert.equal((await alice.patch('/orgs/changing', { email: 'no address' })).status, 422);
    assert.equal((await alice.must('PATCH', '/orgs/changing', { email: '' })).email, '');
  });

  it('is for its owners and site administrators', async () => {
    const refused = await bob.patch('/orgs/changing', { full_name: 'Mine' });
    assert.deepEqual([refused.status, refused.json.message], [403, 'Must be an organization owner']);
    assert.equal((await t.anonymous.patch('/orgs/changing', { full_name: 'Mine' })).status, 401);
    assert.equal((await t.admin.patch('/orgs/changing', { full_name: 'Ours' })).status, 200);
  });

  it('leaves a redirect behind when it is the name', async () => {
    assert.equal((await alice.post('/orgs/changing/rename', { new_name: 'changed' })).status, 204);
    const led = await bob.get('/orgs/changing?limit=1');
    assert.deepEqual([led.status, led.headers.get('location')], [307, '/api/v1/orgs/changed?limit=1']);
    for (const name of ['acme', 'alice', 'api', 'has space', 'a..b']) {
      assert.equal((await alice.post('/orgs/changed/rename', { new_name: name })).status, 422, name);
    }
    assert.equal((await alice.post('/orgs/changed/rename', { new_name: 'Changed' })).status, 204);
    assert.equal((await alice.get('/orgs/changed')).json.name, 'Changed');
    await bob.must('POST', '/orgs', { username: 'changing' });
    assert.equal((await alice.get('/orgs/changing')).json.name, 'changing');
  });

  it('does not reveal the new name of one that is hidden', async () => {
    await alice.must('POST', '/orgs', { username: 'secret', visibility: 'private' });
    await alice.must('POST', '/orgs/secret/rename', { new_name: 'more-secret' });
    assert.equal((await bob.get('/orgs/secret')).status, 404);
    assert.equal((await alice.get('/orgs/secret')).status, 307);
  });
});

describe('deleting an organization', () => {
  it('removes it for good', async () => {
    await alice.must('POST', '/orgs', { username: 'short-lived' });
    assert.equal((await bob.delete('/orgs/short-lived')).status, 403);
    assert.equal((await alice.delete('/orgs/short-lived')).status, 204);
    assert.equal((await alice.get('/orgs/short-lived')).status, 404);
    assert.deepEqual(
      (await alice.get('/user/orgs')).json.filter(({ name }: { name: string }) => name === 'short-lived'),
      [],
    );
  });
});

describe('administrators', () => {
  it('create organizations that others own', async () => {
    const ofOwners = { email: 'bobs@example.com', repo_admin_change_team_access: true };
    const made = await t.admin.post('/admin/users/bob/orgs', { username: 'bobs', visibility: 'private', ...ofOwners });
    const { visibility, email, repo_admin_change_team_access: changeTeams } = made.json;
    assert.deepEqual([made.status, visibility, email, changeTeams], [201, 'private', '', false]);
    assert.equal((await bob.get('/orgs/bobs')).status, 200);
    assert.equal((await alice.post('/admin/users/bob/orgs', { username: 'bobs2' })).status, 403);
    assert.equal((await t.admin.post('/admin/users/acme/orgs', { username: 'nested' })).status, 422);
  });
});

describe('whom an organization blocks', () => {
  it('is for its owners to say and to know', async () => {
    await t.user('pest');
    assert.equal((await alice.put('/orgs/acme/blocks/pest?note=spam')).status, 204);
    assert.equal((await alice.get('/orgs/acme/blocks/pest')).status, 204);
    const [shown] = await t.admin.must('GET', '/orgs/acme/blocks');
    assert.deepEqual([shown.login_name, shown.active], ['', false], 'as the organization sees the user');
    assert.deepEqual(
      (await alice.must('GET', '/orgs/acme/blocks')).map(({ login }: { login: string }) => login),
      ['pest'],
    );
    for (const [name, status] of [
      ['alice', 400],
      ['acme', 400],
      ['nobody', 404],
      ['pest', 400],
    ] as const) {
      assert.equal((await alice.put(`/orgs/acme/blocks/${name}`)).status, status, name);
    }
    // Listed by their ids, and found by their present names alone.
    await t.user('gone');
    for (const name of ['gone', 'bob']) await alice.must('PUT', `/orgs/acme/blocks/${name}`);
    const blocked = await alice.must('GET', '/orgs/acme/blocks');
    assert.deepEqual(
      blocked.map(({ login }: { login: string }) => login),
      ['bob', 'pest', 'gone'],
    );
    await t.admin.must('POST', '/admin/users/gone/rename', { new_username: 'moved' });
    for (const method of ['GET', 'PUT', 'DELETE']) assert.equal((await alice.send(method, '/orgs/acme/blocks/gone')).status, 404, method);
    await alice.must('DELETE', '/orgs/acme/blocks/bob');
    assert.equal((await bob.get('/orgs/acme/blocks')).status, 403);
    assert.equal((await alice.delete('/orgs/acme/blocks/pest')).status, 204);
    assert.equal((await alice.get('/orgs/acme/blocks/pest')).status, 404);
  });
});

describe('the picture of an organization', () => {
  const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

  it('is uploaded, served and taken away by owners', async () => {
    const before = (await alice.must('GET', '/orgs/acme')).avatar_url;
    assert.equal((await bob.post('/orgs/acme/avatar', { image: PIXEL })).status, 403);
    assert.equal((await alice.post('/orgs/acme/avatar', { image: PIXEL })).status, 204);
    const { avatar_url: custom } = await alice.must('GET', '/orgs/acme');
    assert.notEqual(custom, before);
    assert.equal((await t.anonymous.get(`/${new URL(custom).pathname}`)).status, 200);
    assert.equal((await alice.post('/orgs/acme/avatar', { image: 'bm8gcGljdHVyZQ==' })).status, 422);
    assert.equal((await alice.delete('/orgs/acme/avatar')).status, 204);
    assert.equal((await alice.must('GET', '/orgs/acme')).avatar_url, before);
  });
});

describe('an organization with repositories', () => {
  it('stays until they are gone', async () => {
    await alice.must('POST', '/orgs', { username: 'full' });
    const { db } = t.context;
    const full = await db.selectFrom('users').selectAll().where('lower_name', '=', 'full').executeTakeFirstOrThrow();
    await createRepository(t.context, full, { name: 'demo' });
    const refused = await alice.delete('/orgs/full');
    assert.equal(refused.status, 422);
    assert.match(refused.json.message, /^user still has ownership of repositories \[uid: \d+\]$/);
    await alice.must('DELETE', '/repos/full/demo');
    assert.equal((await alice.delete('/orgs/full')).status, 204);
  });
});

describe('an account that is purged', () => {
  it('leaves the organizations that others own, and takes those with it that nobody else does', async () => {
    const dave = await t.user('dave');
    for (const username of ['shared', 'lonely']) {
      await dave.must('POST', '/orgs', { username });
      await dave.must('POST', `/orgs/${username}/repos`, { name: 'demo' });
    }
    const [owners] = await dave.must('GET', '/orgs/shared/teams');
    await dave.must('PUT', `/teams/${owners.id}/members/bob`);
    assert.equal((await t.admin.delete('/admin/users/dave')).status, 422);
    assert.equal((await t.admin.delete('/admin/users/dave?purge=true')).status, 204);
    assert.equal((await bob.get('/repos/shared/demo')).status, 200);
    assert.deepEqual(
      (await bob.must('GET', `/teams/${owners.id}/members`)).map(({ login }: { login: string }) => login),
      ['bob'],
    );
    for (const path of ['/users/dave', '/orgs/lonely', '/repos/lonely/demo']) assert.equal((await t.admin.get(path)).status, 404, path);
    await t.settled();
    assert.equal((await bob.post('/orgs', { username: 'lonely' })).status, 201);
  });
});
