import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Secret } from 'otpauth';
import { findUser } from '../../src/access/find-user.ts';
import { secretContext } from '../../src/accounts/two-factor/check.ts';
import { allRoutes } from '../../src/features.ts';
import { oneTimeCode } from '../support/one-time-code.ts';
import { PASSWORD, testServer } from '../support/server.ts';

const t = await testServer();
const [alice, bob] = [await t.user('alice'), await t.user('bob')];
const hidden = await t.user('hidden', { visibility: 'private' });
const basic = (name: string, password: string) => ({ authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` });

describe('access tokens', () => {
  it('show their value once and are stored as a digest', async () => {
    const made = await alice.must('POST', '/users/alice/tokens', { name: 'once', scopes: ['read:user'] });
    assert.match(made.sha1, /^[0-9a-f]{40}$/);
    const [listed] = await alice.must('GET', '/users/alice/tokens');
    assert.equal(listed.sha1, '');
    assert.equal(listed.token_last_eight, made.sha1.slice(-8));
    const rows = await t.context.db.selectFrom('access_tokens').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(made.sha1));
  });

  it('have a name of their own, also when two are requested at once', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => alice.post('/users/alice/tokens', { name: 'same', scopes: ['all'] })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 400, 400]);
  });

  it('are removed by id or name, and only the own ones', async () => {
    const { id } = await bob.must('POST', '/users/bob/tokens', { name: 'his', scopes: ['all'] });
    assert.equal((await alice.delete(`/users/alice/tokens/${id}`)).status, 404);
    assert.equal((await alice.delete('/users/alice/tokens/his')).status, 404);
    await alice.must('POST', '/users/alice/tokens', { name: '123456789', scopes: ['all'] });
    assert.equal((await alice.delete('/users/alice/tokens/123456789')).status, 204);
    assert.equal((await bob.delete(`/users/bob/tokens/${id}`)).status, 204);
  });

  it('cannot be made with a token in a header, so that no token makes a stronger one', async () => {
    const token = await alice.token(['write:user']);
    assert.equal((await token.post('/users/alice/tokens', { name: 'more', scopes: ['all'] })).status, 401);
  });

  it('as the password of basic authorization make none that may do more than they may', async () => {
    const narrow = await t.admin.token(['write:user', 'public-only']);
    const headers = basic('admin', narrow.password);
    for (const name of ['admin', 'bob']) {
      const make = (scopes: string[]) => t.anonymous.post(`/users/${name}/tokens`, { name: `by-${scopes}`, scopes }, { headers });
      for (const scopes of [['all'], ['read:repository'], ['write:user', 'read:admin']]) {
        const refused = await make(scopes);
        assert.equal(refused.status, 403, scopes.join());
        assert.match(refused.json.message, /broader scope/);
      }
      assert.deepEqual((await make(['read:user'])).json.scopes, ['public-only', 'read:user']);
      const names = (await t.admin.must('GET', `/users/${name}/tokens`)).map((token: { name: string }) => token.name);
      assert.deepEqual(
        names.filter((made: string) => made.startsWith('by-')),
        ['by-read:user'],
      );
    }
  });

  it('are of a bounded number', async () => {
    await t.user('hoarder');
    const user = await findUser(t.context.db, 'hoarder');
    assert.ok(user);
    const rows = Array.from({ length: 1000 }, (_, i) => ({
      user_id: user.id,
      name: `t${i}`,
      token_hash: `hash ${i}`,
      token_last_eight: '',
      scope: 'all',
      created_at: 1,
      updated_at: 1,
    }));
    await t.context.db.insertInto('access_tokens').values(rows).execute();
    const response = await t.admin.post('/users/hoarder/tokens', { name: 'more', scopes: ['all'] });
    assert.equal(response.status, 400);
    assert.match(response.json.message, /at most 1000/);
    const listed = await t.admin.must('GET', '/users/hoarder/tokens?limit=2&page=2');
    assert.deepEqual(
      listed.map(({ name }: { name: string }) => name),
      ['t2', 't3'],
    );
  });

  it('note when they were last used', async () => {
    const token = await alice.token(['read:user'], 'noted');
    await t.context.db.updateTable('access_tokens').set({ updated_at: 1000 }).where('name', '=', 'noted').execute();
    await token.must('GET', '/user');
    const listed = await alice.must('GET', '/users/alice/tokens');
    const noted = listed.find(({ name }: { name: string }) => name === 'noted');
    assert.ok(Date.parse(noted.last_used_at) > Date.now() - 60_000);
  });

  it('stop with their account', async () => {
    const gone = await t.user('gone');
    const token = await gone.token();
    await t.admin.must('DELETE', '/admin/users/gone');
    assert.equal((await token.get('/user')).status, 401);
  });
});

describe('tokens for public things only', () => {
  const own = allRoutes.filter(
    ({ path, method }) =>
      method === 'GET' &&
      /^\/user\/(settings|emails|keys|gpg_keys|blocks|gpg_key_token|applications|hooks|teams|times|stopwatches)/.test(path),
  );

  it('do not reach what is never public', async () => {
    const token = await alice.token(['public-only', 'all']);
    assert.ok(own.length > 3);
    for (const { path } of own) {
      const response = await token.get(path.replace(':username', 'bob').replace(/:\w+/g, '1'));
      assert.equal(response.status, 403, path);
      assert.match(response.json.message, /public-only/, path);
    }
  });

  it('find and list no hidden users, even for administrators', async () => {
    const token = await t.admin.token(['public-only', 'all']);
    assert.deepEqual((await token.must('GET', '/users/search?q=hidden')).data, []);
    await hidden.must('PUT', '/user/following/bob');
    assert.deepEqual(await token.must('GET', '/users/bob/followers'), []);
    assert.equal((await token.get('/users/hidden')).status, 403);
  });

  it('are of no use to a user who is not public', async () => {
    const token = await hidden.token(['public-only', 'all']);
    const response = await token.get('/user');
    assert.deepEqual([response.status, response.json.message], [403, 'token scope is limited to public users']);
  });
});

describe('the scope of a token counts whatever header it comes in', () => {
  it('as token, as bearer, and as password or name of basic authorization', async () => {
    const { sha1 } = await alice.must('POST', '/users/alice/tokens', { name: 'narrow', scopes: ['read:repository'] });
    for (const headers of [
      { authorization: `token ${sha1}` },
      { authorization: `Bearer ${sha1}` },
      basic('alice', sha1),
      basic(sha1, 'x-oauth-basic'),
      basic(sha1, ''),
    ]) {
      const response = await t.anonymous.get('/user', { headers });
      assert.equal(response.status, 403, JSON.stringify(headers));
      assert.match(response.json.message, /required=\[read:user\]/);
    }
  });

  it('is that of the token under sudo', async () => {
    const token = await t.admin.token(['read:user']);
    assert.equal((await token.get('/user?sudo=alice')).json.login, 'alice');
    assert.equal((await token.patch('/user/settings?sudo=alice', { location: 'x' })).status, 403);
  });
});

describe('two-factor sign-in', () => {
  const secret = Buffer.from('12345678901234567890');
  const code = (step = 0) => oneTimeCode(Secret.fromLatin1(secret.toString()), step);

  it('needs the code beside the password, and each code is good once', async () => {
    await t.user('careful');
    const user = await findUser(t.context.db, 'careful');
    assert.ok(user);
    await t.context.db
      .insertInto('two_factors')
      .values({
        user_id: user.id,
        secret: t.context.secrets.encrypt(secret, secretContext(user.id)),
        recovery_hash: '',
        created_at: 1,
      })
      .execute();
    const ask = (otp?: string, header = 'x-gitea-otp') =>
      t.anonymous.get('/user', { headers: { ...basic('careful', PASSWORD), ...(otp !== undefined && { [header]: otp }) } });
    assert.equal((await ask()).status, 401);
    assert.equal((await ask('000000x')).status, 401);
    const now = code();
    assert.equal((await ask(now)).status, 200);
    assert.equal((await ask(now)).status, 401);
    assert.equal((await ask(code(1), 'x-service-otp')).status, 200);
    assert.equal((await t.admin.get('/admin/users?is_2fa_enabled=true')).json[0].login, 'careful');
  });
});
