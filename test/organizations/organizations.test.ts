import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
  });

  it('refuses names that are taken, by users too, and whatever their case', async () => {
    for (const name of ['acme', 'ACME', 'alice', 'Alice']) {
      const answer = await bob.post('/orgs', { username: name });
      assert.deepEqual([answer.status, answer.json.message], [422, `user already exists [name: ${name}]`]);
    }
  });

  it('lesson 31: lets only one of two names that differ in case through', async () => {
    const answers = await Promise.all(['Twice', 'twice', 'TWICE', 'tWice'].map((username) => bob.post('/orgs', { username })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422, 422]);
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
