import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import { saveBadge } from '../../src/accounts/badges/badges.ts';
import { createUser } from '../../src/accounts/create.ts';
import { now } from '../../src/clock.ts';
import { Client } from '../support/client.ts';
import { PASSWORD, testServer } from '../support/server.ts';

const t = await testServer();
const fields = (username: string, more = {}) => ({
  username,
  email: `${username}@example.com`,
  password: PASSWORD,
  must_change_password: false,
  ...more,
});
const edit = (name: string, more: object) => t.admin.patch(`/admin/users/${name}`, { source_id: 0, login_name: name, ...more });

describe('two creations of one name', () => {
  it('leave one account, whatever the case', async () => {
    const responses = await Promise.all(
      ['Twin', 'twin', 'TWIN'].map((name, i) => t.admin.post('/admin/users', fields(name, { email: `t${i}@example.com` }))),
    );
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 422, 422]);
  });

  it('leave one owner of an address', async () => {
    const responses = await Promise.all(
      ['one', 'two'].map((name) => t.admin.post('/admin/users', fields(name, { email: 'shared@example.com' }))),
    );
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 422]);
    const left = await Promise.all(['one', 'two'].map((name) => findUser(t.context.db, name)));
    assert.equal(left.filter(Boolean).length, 1);
  });
});

describe('an administrator', () => {
  it('requires a new password unless the request says otherwise', async () => {
    await t.admin.must('POST', '/admin/users', { username: 'fresh', email: 'fresh@example.com', password: PASSWORD });
    const headers = { authorization: `Basic ${Buffer.from(`fresh:${PASSWORD}`).toString('base64')}` };
    const response = await t.anonymous.get('/version', { headers });
    assert.equal(response.status, 403);
    assert.match(response.json.message, /You must change your password/);
  });

  it('gets the address of a new account in lower case, and reads it as it was written', async () => {
    const address = 'Mixed.Case@Example.com';
    assert.equal((await t.admin.must('POST', '/admin/users', fields('mixed', { email: address }))).email, address.toLowerCase());
    assert.equal((await t.admin.must('GET', '/users/mixed')).email, address);
  });

  it('changes all that is given or nothing', async () => {
    const ann = await t.user('ann');
    await t.user('ben');
    assert.equal((await edit('ann', { full_name: 'Changed', email: 'ben@example.com' })).status, 400);
    assert.equal((await ann.must('GET', '/user')).full_name, '');
    assert.equal((await edit('ann', { full_name: 'Changed', password: 'short' })).json.message, 'password must be at least 8 characters');
    assert.equal((await edit('ann', { full_name: 'Changed', source_id: 7 })).status, 422);
    assert.equal((await ann.must('GET', '/user')).full_name, '');
  });

  it('replaces the primary address and frees the old one', async () => {
    const cat = await t.user('cat');
    assert.equal((await edit('cat', { email: 'cat@new.example' })).json.email, 'cat@new.example');
    assert.deepEqual(
      (await cat.must('GET', '/user/emails')).map(({ email }: { email: string }) => email),
      ['cat@new.example'],
    );
    await t.user('dog', { email: 'cat@example.com' });
  });

  it('ends the old password with the new one', async () => {
    const eve = await t.user('eve');
    assert.equal((await eve.get('/user')).status, 200);
    assert.equal((await edit('eve', { password: 'Another-Passw0rd' })).status, 200);
    assert.equal((await eve.get('/user')).status, 401);
  });

  it('cannot take the role from the last one', async () => {
    const response = await edit('admin', { admin: false });
    assert.equal(response.status, 400);
    assert.match(response.json.message, /^can not delete the last admin user/);
  });

  it('does not turn an organization into an account', async () => {
    const time = now();
    await t.context.db
      .insertInto('users')
      .values({ type: 'organization', name: 'org', lower_name: 'org', created_at: time, updated_at: time })
      .execute();
    assert.equal((await edit('org', { admin: true })).status, 422);
    assert.equal((await t.admin.delete('/admin/users/org')).status, 422);
    assert.equal((await t.admin.post('/admin/users/org/rename', { new_username: 'other' })).status, 422);
  });

  it('is nobody else', async () => {
    const ann = await findUser(t.context.db, 'ann');
    assert.ok(ann);
    const client = new Client(() => t.url, { name: 'ann', password: PASSWORD });
    for (const [method, path] of [
      ['GET', '/admin/users'],
      ['POST', '/admin/users'],
      ['PATCH', '/admin/users/ben'],
      ['DELETE', '/admin/users/ben'],
      ['POST', '/admin/users/ben/rename'],
      ['GET', '/admin/users/ben/badges'],
      ['GET', '/admin/emails'],
      ['GET', '/admin/emails/search'],
    ] as const) {
      assert.equal((await client.send(method, path)).status, 403, `${method} ${path}`);
      assert.equal((await t.anonymous.send(method, path)).status, 401, `${method} ${path}`);
    }
  });
});

describe('renaming', () => {
  it('leads from the old name to the new one until somebody takes it', async () => {
    await t.user('old');
    assert.equal((await t.admin.post('/admin/users/old/rename', { new_username: 'new' })).status, 204);
    const moved = await t.anonymous.get('/users/old?x=1');
    assert.deepEqual([moved.status, moved.headers.get('location')], [307, '/api/v1/users/new?x=1']);
    await t.user('old', { email: 'other@example.com' });
    assert.equal((await t.anonymous.get('/users/old')).json.login, 'old');
  });

  it('to several names at the same moment gives one of them', async () => {
    await t.user('torn');
    const names = ['torn-a', 'torn-b', 'torn-c', 'torn-d'];
    // Not by the client of other tests: a request that comes later is redirected.
    const authorization = `Basic ${Buffer.from(`${t.admin.name}:${t.admin.password}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const rename = (new_username: string) =>
      fetch(`${t.url}/api/v1/admin/users/torn/rename`, {
        method: 'POST',
        redirect: 'manual',
        headers,
        body: JSON.stringify({ new_username }),
      });
    const statuses = (await Promise.all(names.map(rename))).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 204).length, 1, `${statuses}`);
    assert.ok(
      statuses.every((status) => status < 500),
      `${statuses}`,
    );
    assert.equal((await t.anonymous.get('/users/torn')).status, 307);
  });

  it('of case alone leaves no redirect', async () => {
    await t.user('casey');
    assert.equal((await t.admin.post('/admin/users/casey/rename', { new_username: 'CaseY' })).status, 204);
    assert.equal((await t.anonymous.get('/users/casey')).json.login, 'CaseY');
  });

  it('there and back leaves no redirect to itself', async () => {
    await t.user('here');
    await t.admin.must('POST', '/admin/users/here/rename', { new_username: 'there' });
    await t.admin.must('POST', '/admin/users/there/rename', { new_username: 'here' });
    assert.equal((await t.anonymous.get('/users/here')).status, 200);
    assert.equal((await t.anonymous.get('/users/there')).status, 307);
  });

  it('does not reveal the new name of a private user', async () => {
    await t.user('shy', { visibility: 'private' });
    await t.admin.must('POST', '/admin/users/shy/rename', { new_username: 'shier' });
    const response = await t.anonymous.get('/users/shy');
    assert.equal(response.status, 404);
    assert.ok(!response.text.includes('shier'));
  });
});

describe('deleting', () => {
  it('takes the account out of the counts of others', async () => {
    const [star, fan] = [await t.user('star'), await t.user('fan')];
    await fan.must('PUT', '/user/following/star');
    await star.must('PUT', '/user/following/fan');
    assert.equal((await t.admin.delete('/admin/users/fan')).status, 204);
    const { followers_count, following_count } = await star.must('GET', '/user');
    assert.deepEqual([followers_count, following_count], [0, 0]);
    assert.equal((await fan.get('/user')).status, 401);
  });

  it('is refused for oneself', async () => {
    assert.equal((await t.admin.delete('/admin/users/admin')).json.message, 'you cannot delete yourself');
  });

  it('is refused while the account is in an organization', async () => {
    await t.user('member');
    const [org, member] = [await findUser(t.context.db, 'org'), await findUser(t.context.db, 'member')];
    assert.ok(org && member);
    await t.context.db.insertInto('organization_members').values({ organization_id: org.id, user_id: member.id }).execute();
    const response = await t.admin.delete('/admin/users/member');
    assert.deepEqual([response.status, response.json.message], [422, `user still has membership of organizations [uid: ${member.id}]`]);
    assert.ok(await findUser(t.context.db, 'member'));
  });
});

describe('badges', () => {
  it('are given all or none, and taken away', async () => {
    for (const slug of ['gold', 'silver']) await saveBadge(t.context, { slug, description: `a ${slug} one`, image_url: '' });
    assert.equal((await t.admin.post('/admin/users/ben/badges', { badge_slugs: ['gold', 'iron'] })).status, 422);
    assert.deepEqual(await t.admin.must('GET', '/admin/users/ben/badges'), []);
    await t.admin.must('POST', '/admin/users/ben/badges', { badge_slugs: ['gold', 'silver'] });
    assert.equal((await t.admin.post('/admin/users/ben/badges', { badge_slugs: ['gold'] })).status, 422);
    await t.admin.must('DELETE', '/admin/users/ben/badges', { badge_slugs: ['gold', 'iron'] });
    const [left, ...more] = await t.admin.must('GET', '/admin/users/ben/badges');
    assert.deepEqual([left.slug, left.description, more], ['silver', 'a silver one', []]);
    assert.equal((await t.admin.post('/admin/users/ben/badges', {})).status, 422);
  });
});

describe('sign-in', () => {
  it('gives the reason to a prohibited account only with its token', async () => {
    const kim = await t.user('kim');
    const token = await kim.token();
    await edit('kim', { prohibit_login: true });
    assert.equal((await kim.get('/user')).status, 401);
    assert.equal((await token.get('/user')).status, 403);
  });

  it('is by a confirmed address too, but not by one that is not', async () => {
    await createUser(t.context, { name: 'lee', email: 'lee@example.com', password: PASSWORD });
    const by = (name: string) =>
      t.anonymous.get('/user', { headers: { authorization: `Basic ${Buffer.from(`${name}:${PASSWORD}`).toString('base64')}` } });
    assert.equal((await by('LEE@example.com')).status, 200);
    await t.context.db.updateTable('email_addresses').set({ is_activated: false }).where('lower_email', '=', 'lee@example.com').execute();
    assert.equal((await by('lee@example.com')).status, 401);
  });
});
