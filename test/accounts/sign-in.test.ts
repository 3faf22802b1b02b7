import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import { createPasswords } from '../../src/accounts/passwords.ts';
import { signIn } from '../../src/accounts/sign-in/sign-in.ts';
import { createToken } from '../../src/accounts/tokens/tokens.ts';
import { secretContext } from '../../src/accounts/two-factor/check.ts';
import { createLogger } from '../../src/log.ts';
import { PASSWORD, testServer } from '../support/server.ts';

const t = await testServer({
  access: { requireTwoFactor: true },
  registration: { allowedEmailDomains: ['example.com'] },
  reverseProxy: { apiEnabled: true, register: true },
  throttle: { freePerAccount: 2, refusedPerAccount: 3, firstDelay: 1 },
});
const basic = (name: string, password: string) => ({ authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` });

async function enrol(name: string): Promise<void> {
  const user = await findUser(t.context.db, name);
  assert.ok(user);
  const secret = t.context.secrets.encrypt(Buffer.alloc(20, 1), secretContext(user.id));
  await t.context.db.insertInto('two_factors').values({ user_id: user.id, secret, recovery_hash: '', created_at: 1 }).execute();
}

describe('an instance that requires two-factor sign-in', () => {
  it('refuses accounts without it, by token too', async () => {
    const alice = await t.user('alice');
    const response = await alice.get('/version');
    assert.equal(response.status, 403);
    assert.match(response.json.message, /two-factor/);
    const user = await findUser(t.context.db, 'alice');
    assert.ok(user);
    const { value } = await createToken(t.context, user, { name: 'x', scopes: ['all'] });
    const headers = { authorization: `token ${value}` };
    assert.equal((await t.anonymous.get('/user', { headers })).status, 403);
    await enrol('alice');
    assert.equal((await t.anonymous.get('/user', { headers })).status, 200);
  });
});

describe('a token in the query', () => {
  it('signs nobody in, and the log says once which setting allows it', async () => {
    const lines: string[] = [];
    const log = createLogger({ ...t.context.settings.log, level: 'warn' }, { write: (line) => void lines.push(line) });
    const credentials = { headers: {}, ip: '', peer: '', search: new URLSearchParams({ token: 'hunter2' }) };
    for (let i = 0; i < 2; i++) assert.equal((await signIn({ ...t.server.services, log }, credentials)).actor, null);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /COPSE_ACCESS_QUERY_TOKENS=true/);
    assert.doesNotMatch(lines[0] ?? '', /hunter2/);
  });
});

describe('failed sign-ins', () => {
  it('are refused above a bound, also with the right password, and only for that account', async () => {
    await t.user('bob');
    for (let i = 0; i < 3; i++) assert.equal((await t.anonymous.get('/user', { headers: basic('bob', `wrong${i}`) })).status, 401);
    const response = await t.anonymous.get('/user', { headers: basic('bob', PASSWORD) });
    assert.equal(response.status, 429);
    assert.ok(Number(response.headers.get('retry-after')) > 0);
    assert.equal((await t.anonymous.get('/user', { headers: basic('nobody', PASSWORD) })).status, 401);
  });

  it('of nobody at all are not an attempt', async () => {
    const response = await t.anonymous.get('/user', { headers: basic('', '') });
    assert.deepEqual([response.status, response.json.message], [401, 'token is required']);
  });
});

describe('a password hashed with older parameters', () => {
  it('is hashed again when its user signs in', async () => {
    await t.user('carol');
    await enrol('carol');
    const { settings, secrets, db } = t.context;
    const old = await createPasswords({ ...settings.passwords, hashIterations: 2 }, secrets).hash(PASSWORD);
    await db.updateTable('users').set({ password_hash: old }).where('lower_name', '=', 'carol').execute();
    // The code is wrong: what was not a sign-in changes nothing.
    assert.equal((await t.anonymous.get('/user', { headers: basic('carol', PASSWORD) })).status, 401);
    assert.equal((await findUser(db, 'carol'))?.password_hash, old);
    await db.deleteFrom('two_factors').execute();
    assert.equal((await t.anonymous.get('/user', { headers: basic('carol', PASSWORD) })).status, 403);
    const renewed = (await findUser(db, 'carol'))?.password_hash ?? '';
    assert.notEqual(renewed, old);
    assert.ok(await t.context.passwords.verify(PASSWORD, renewed));
  });
});

describe('a trusted proxy', () => {
  it('brings users, but none of a mail domain that may not register', async () => {
    const bad = await t.anonymous.get('/user', { headers: { 'x-webauth-user': 'dan', 'x-webauth-email': 'dan@evil.example' } });
    assert.equal(bad.status, 422);
    assert.equal(await findUser(t.context.db, 'dan'), undefined);
    await t.anonymous.get('/user', { headers: { 'x-webauth-user': 'eve', 'x-webauth-email': 'eve@example.com' } });
    assert.equal((await findUser(t.context.db, 'eve'))?.email, 'eve@example.com');
  });

  it('is believed only for people', async () => {
    await t.context.db
      .insertInto('users')
      .values({ type: 'organization', name: 'org', lower_name: 'org', created_at: 1, updated_at: 1 })
      .execute();
    assert.equal((await t.anonymous.get('/user', { headers: { 'x-webauth-user': 'org' } })).status, 401);
  });
});
