import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const [alice, bob] = [await t.user('alice', { full_name: 'Alice Doe' }), await t.user('bob')];
const hidden = await t.user('hidden', { visibility: 'private', email: 'secret@hidden.example' });
await t.user('limited', { visibility: 'limited' });
const guest = await t.user('guest', { is_restricted: true });

const logins = async (client: typeof alice, path: string) => {
  const { json } = await client.get(path);
  return (json.data ?? json).map(({ login }: { login: string }) => login);
};

describe('a user', () => {
  it('shows its address to signed-in callers, unless it hides it', async () => {
    const { id } = await alice.must('GET', '/user');
    const placeholder = `${id}+alice@noreply.localhost`;
    const email = async (client: typeof alice) => (await client.get('/users/alice')).json.email;
    assert.equal(await email(t.anonymous), placeholder);
    assert.equal(await email(bob), 'alice@example.com');
    await alice.must('PATCH', '/user/settings', { hide_email: true });
    assert.equal(await email(bob), placeholder);
    assert.equal(await email(alice), 'alice@example.com');
    assert.equal(await email(t.admin), 'alice@example.com');
    await alice.must('PATCH', '/user/settings', { hide_email: false });
  });

  it('shows what concerns the account to itself and administrators alone', async () => {
    const admin = await t.admin.must('GET', '/user');
    assert.equal(admin.is_admin, true);
    assert.equal(admin.username, 'admin');
    const seen = (await alice.get('/users/admin')).json;
    assert.deepEqual([seen.is_admin, seen.active, seen.last_login], [false, false, '0001-01-01T00:00:00Z']);
  });

  it('is hidden by its visibility', async () => {
    assert.equal((await t.anonymous.get('/users/limited')).status, 404);
    assert.equal((await bob.get('/users/limited')).status, 200);
    assert.equal((await guest.get('/users/limited')).status, 404);
    for (const path of ['', '/followers', '/following', '/tokens']) {
      const response = await bob.get(`/users/hidden${path}`);
      assert.deepEqual([response.status, response.json.message], [404, 'Visit Project'], path);
    }
    assert.equal((await hidden.get('/users/hidden')).status, 200);
    assert.equal((await t.admin.get('/users/hidden')).status, 200);
  });

  it('is not shown to callers who have to sign in first', async () => {
    for (const name of ['alice', 'hidden', 'nobody']) assert.equal((await t.anonymous.get(`/users/${name}/followers`)).status, 401);
    assert.equal((await bob.patch('/admin/users/nobody', {})).status, 403);
  });
});

describe('the search for users', () => {
  it('finds by name, full name and address, in any case', async () => {
    assert.deepEqual(await logins(bob, '/users/search?q=ALIC'), ['alice']);
    assert.deepEqual(await logins(bob, '/users/search?q=alice%20doe'), ['alice']);
    assert.deepEqual(await logins(bob, '/users/search?q=bob@example'), ['bob']);
    assert.deepEqual(await logins(bob, '/users/search?q=zzz'), []);
  });

  it('takes a keyword with quotes, backslashes and wildcards as it is meant', async () => {
    for (const q of ["'", '\\', '%5C%25', '"', 'a\\'])
      assert.equal((await bob.get(`/users/search?q=${encodeURIComponent(q)}`)).status, 200, q);
    assert.deepEqual(await logins(bob, '/users/search?q=a_ice'), ['alice']);
  });

  it('keeps the hidden from who may not see them', async () => {
    assert.deepEqual(await logins(t.anonymous, '/users/search?q=i'), ['admin', 'alice']);
    assert.deepEqual(await logins(bob, '/users/search?q=hidden'), []);
    assert.deepEqual(await logins(t.admin, '/users/search?q=hidden'), ['hidden']);
    assert.deepEqual(await logins(guest, '/users/search'), ['guest']);
  });

  it('does not find by an address that is hidden', async () => {
    await bob.must('PATCH', '/user/settings', { hide_email: true });
    assert.deepEqual(await logins(alice, '/users/search?q=bob@exam'), []);
    assert.deepEqual(await logins(bob, '/users/search?q=bob@exam'), ['bob']);
    await bob.must('PATCH', '/user/settings', { hide_email: false });
  });

  it('knows the stand-ins by their ids', async () => {
    assert.deepEqual(await logins(bob, '/users/search?uid=-1'), ['Ghost']);
    assert.deepEqual(await logins(bob, '/users/search?uid=-2'), ['gitea-actions']);
  });

  it('has pages of a bounded size', async () => {
    const response = await t.admin.get('/users/search?limit=100000000');
    assert.equal(response.json.data.length, 6);
    const first = await t.admin.get('/users/search?limit=2');
    assert.equal(first.headers.get('x-total-count'), '6');
    assert.match(first.headers.get('link') ?? '', /rel="next".*rel="last"/);
  });
});

describe('following', () => {
  it('is counted once', async () => {
    for (let i = 0; i < 2; i++) await bob.must('PUT', '/user/following/alice');
    const { json } = await bob.get('/users/alice');
    assert.equal(json.followers_count, 1);
    assert.equal((await bob.get('/user/following/alice')).status, 204);
    await t.user('oldname');
    await t.admin.must('POST', '/admin/users/oldname/rename', { new_username: 'newname' });
    const led = await alice.get('/users/bob/following/oldname');
    assert.deepEqual([led.status, led.headers.get('location')], [307, '/api/v1/users/bob/following/newname']);
    for (let i = 0; i < 2; i++) await bob.must('DELETE', '/user/following/alice');
    assert.equal((await bob.get('/users/alice')).json.followers_count, 0);
    assert.equal((await bob.get('/user/following/alice')).status, 404);
  });

  it('shows only users that the caller may see', async () => {
    await hidden.must('PUT', '/user/following/bob');
    assert.deepEqual(await logins(alice, '/users/bob/followers'), []);
    assert.deepEqual(await logins(bob, '/user/followers'), ['hidden']);
    await hidden.must('DELETE', '/user/following/bob');
  });
});

describe('blocking', () => {
  it('ends what is between the two and keeps it from beginning again', async () => {
    await bob.must('PUT', '/user/following/alice');
    await alice.must('PUT', '/user/blocks/bob?note=rude');
    assert.equal((await bob.get('/user/following/alice')).status, 404);
    const again = await bob.put('/user/following/alice');
    assert.deepEqual([again.status, again.json.message], [403, 'user is blocked']);
    assert.deepEqual(await logins(alice, '/user/blocks'), ['bob']);
    assert.equal((await alice.put('/user/blocks/bob')).status, 400);
    await alice.must('DELETE', '/user/blocks/bob');
    assert.equal((await alice.delete('/user/blocks/bob')).status, 400);
    assert.equal((await bob.get('/user/following/alice')).status, 404);
  });

  it('does not keep administrators out, and can be ended for them', async () => {
    await alice.must('PUT', '/user/blocks/admin');
    assert.equal((await t.admin.put('/user/following/alice')).status, 204);
    await alice.must('DELETE', '/user/blocks/admin');
    await t.admin.must('DELETE', '/user/following/alice');
  });

  it('refuses a note without end', async () => {
    assert.equal((await alice.put(`/user/blocks/bob?note=${'x'.repeat(256)}`)).status, 422);
    assert.equal((await alice.get('/user/blocks/bob')).status, 404);
  });
});

describe('settings', () => {
  it('are changed where given, in bounds', async () => {
    await alice.must('PATCH', '/user/settings', { location: 'Ulm' });
    assert.equal((await alice.patch('/user/settings', { location: 'x'.repeat(51), full_name: 'No' })).status, 422);
    const settings = await alice.must('GET', '/user/settings');
    assert.deepEqual([settings.location, settings.full_name], ['Ulm', 'Alice Doe']);
  });

  it('do not take a script for a website', async () => {
    const response = await alice.patch('/user/settings', { website: 'javascript:alert(1)' });
    assert.deepEqual([response.status, response.json.message], [422, '[Website]: Url']);
  });
});

describe('addresses', () => {
  it('are added all or none', async () => {
    assert.equal((await alice.post('/user/emails', { emails: ['new@example.com', 'bob@example.com'] })).status, 422);
    assert.equal((await alice.must('GET', '/user/emails')).length, 1);
  });

  it('are of one user, whatever their case', async () => {
    await alice.must('POST', '/user/emails', { emails: ['Second@example.com'] });
    assert.equal((await bob.post('/user/emails', { emails: ['second@EXAMPLE.com'] })).status, 422);
  });

  it('cannot be removed or replaced by another user', async () => {
    assert.equal((await bob.delete('/user/emails', { emails: ['second@example.com'] })).status, 404);
    assert.equal((await bob.delete('/user/emails', { emails: ['alice@example.com'] })).status, 404);
    assert.equal((await findUser(t.context.db, 'alice'))?.email, 'alice@example.com');
  });

  it('keep the primary one', async () => {
    assert.equal((await alice.delete('/user/emails', { emails: ['second@example.com', 'alice@example.com'] })).status, 400);
    assert.equal((await alice.must('GET', '/user/emails')).length, 2);
  });

  it('are of a bounded number', async () => {
    const emails = Array.from({ length: 100 }, (_, i) => `many${i}@example.com`);
    assert.equal((await bob.post('/user/emails', { emails })).status, 422);
  });
});
