import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Authenticator, type Tricks } from '../../support/authenticator.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';
import { isSignedIn } from './session.ts';

const t = await testServer();
await t.user('alice');
const bob = await t.user('bob');
const SECURITY = '/user/settings/security';
const same = { headers: { origin: new URL(t.url).origin, 'sec-fetch-site': 'same-origin' } };

async function signedIn(name: string): Promise<Browser> {
  const browser = new Browser(t.url);
  assert.equal((await browser.signIn(name, PASSWORD)).status, 303);
  return browser;
}

const post = (browser: Browser, path: string, fields: Record<string, string>) => browser.send('POST', path, { fields, ...same });
const optionsOf = (text: string) => JSON.parse(text).publicKey;

async function register(browser: Browser, name: string, tricks: Tricks = {}, device = new Authenticator(t.url)) {
  const asked = await post(browser, `${SECURITY}/webauthn/request_register`, { name });
  assert.equal(asked.status, 200, asked.text);
  const credential = device.create(optionsOf(asked.text), tricks);
  return { device, credential, made: await post(browser, `${SECURITY}/webauthn/register`, { name, credential }) };
}

async function options(browser: Browser) {
  await browser.get('/user/login');
  return optionsOf((await browser.get('/user/webauthn/passkey/assertion')).text);
}

/** Signs a new browser in without a name. */
async function passkeySignIn(device: Authenticator, tricks: Tricks = {}) {
  const browser = new Browser(t.url);
  const credential = device.get(await options(browser), tricks);
  return { browser, credential, response: await post(browser, '/user/webauthn/passkey/login', { credential }) };
}

const idOf = async (name: string) =>
  String((await t.context.db.selectFrom('passkeys').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id);

const alice = await signedIn('alice');

describe('a passkey', () => {
  it('signs in without a name and a password, whatever attests it', async () => {
    for (const format of ['none', 'packed'] as const) {
      const { device, made } = await register(alice, `by ${format}`, { format });
      assert.equal(made.location, SECURITY, made.text);
      const { browser: fresh, response } = await passkeySignIn(device);
      assert.equal(response.status, 303, response.text);
      assert.ok(await isSignedIn(fresh));
      const { transports, used_at, counter } = await t.context.db
        .selectFrom('passkeys')
        .selectAll()
        .where('credential_id', '=', device.id)
        .executeTakeFirstOrThrow();
      assert.deepEqual([transports, counter], [['internal'], 1]);
      assert.ok(used_at > 0);
    }
    const page = await alice.get(SECURITY);
    assert.match(page.text, /by none[\s\S]*by packed/);
  });

  it('is a second factor: the password alone opens nothing then, a token still does', async () => {
    const browser = await signedIn('bob');
    const token = await bob.must('POST', '/users/bob/tokens', { name: 'before', scopes: ['all'] });
    const { device } = await register(browser, 'key');
    const refused = await bob.get('/user');
    assert.deepEqual([refused.status, refused.json.message], [401, 'basic authorization is not allowed while WebAuthn enrolled']);
    assert.equal((await bob.get('/user', { headers: { 'x-gitea-otp': '123456' } })).status, 401);
    const git = await fetch(`${t.url}bob/x.git/info/refs?service=git-receive-pack`, {
      headers: { authorization: `Basic ${Buffer.from(`bob:${PASSWORD}`).toString('base64')}` },
    });
    assert.equal(git.status, 401);
    const byToken = await fetch(`${t.url}api/v1/user`, { headers: { authorization: `token ${token.sha1}` } });
    assert.equal(byToken.status, 200);
    const fresh = new Browser(t.url);
    const second = await fresh.signIn('bob', PASSWORD);
    assert.equal(second.status, 200);
    assert.ok(!second.text.includes('name="code"'), 'there are no codes');
    assert.ok(!(await isSignedIn(fresh)));
    const firstStep = /name="first_step" value="([^"]+)"/.exec(second.text)?.[1] ?? '';
    const asked = await fresh.get(`/user/webauthn/assertion?${new URLSearchParams({ first_step: firstStep, remember: '' })}`);
    const given = optionsOf(asked.text);
    assert.deepEqual(
      given.allowCredentials.map(({ id }: { id: string }) => id),
      [device.id],
    );
    const answer = { first_step: firstStep, remember: '', credential: device.get(given, { isUnverified: true }) };
    const thief = new Browser(t.url);
    await thief.get('/user/login');
    assert.equal((await post(thief, '/user/webauthn/assertion', answer)).status, 422);
    assert.equal((await thief.get(`/user/webauthn/assertion?first_step=${firstStep}`)).status, 403);
    assert.equal((await post(fresh, '/user/two_factor', { ...answer, code: '123456' })).status, 422);
    assert.equal((await post(fresh, '/user/webauthn/assertion', answer)).status, 303);
    assert.ok(await isSignedIn(fresh));
    const again = await post(fresh, '/user/webauthn/assertion', answer);
    assert.equal(again.status, 422, 'the challenge was used');
  });

  it('is refused when anything is not as it was asked for', async () => {
    const { device } = await register(alice, 'strict');
    const wrong: Record<string, Tricks> = {
      'another origin': { origin: 'https://evil.example' },
      'another host': { rpId: 'evil.example' },
      'a challenge of nobody': { challenge: Buffer.from('9999999999.x.y').toString('base64url') },
      'another account': { userHandle: '_wEAAAAAAAA' },
      'no account': { userHandle: '' },
      'a device that did not ask who uses it': { isUnverified: true },
    };
    for (const [what, tricks] of Object.entries(wrong)) {
      const { browser, response } = await passkeySignIn(device, tricks);
      assert.equal(response.status, 422, what);
      assert.ok(!(await isSignedIn(browser)), what);
    }
    for (const credential of ['', '{}', '[]', '{"id": 1, "response": {}}', '{"id": "x", "response": {}}', '{"id": "x", "response": null}'])
      assert.equal((await post(new Browser(t.url), '/user/webauthn/passkey/login', { credential })).status, 422, credential);
    const stranger = new Authenticator(t.url);
    stranger.create({ challenge: 'x', rp: { id: 'x' }, user: { id: 'AgAAAAAAAAA' } });
    assert.equal((await passkeySignIn(stranger)).response.status, 422, 'it is not registered');
    assert.equal((await passkeySignIn(device)).response.status, 303, 'the failures did not lock it');
  });

  it('answers a challenge once, in its browser, and not with a counter that goes back', async () => {
    const { device } = await register(alice, 'counting');
    const { browser, credential, response } = await passkeySignIn(device);
    assert.equal(response.status, 303);
    assert.equal((await post(browser, '/user/webauthn/passkey/login', { credential })).status, 422);
    const other = new Browser(t.url);
    await other.get('/user/login');
    const stolen = device.get(await options(new Browser(t.url)));
    assert.equal((await post(other, '/user/webauthn/passkey/login', { credential: stolen })).status, 422);
    assert.equal((await passkeySignIn(device, { counter: 1 })).response.status, 422);
    assert.equal((await passkeySignIn(device)).response.status, 303);
  });

  it('comes from no other site', async () => {
    const { device } = await register(alice, 'own site');
    const browser = new Browser(t.url);
    const fields = { credential: device.get(await options(browser)) };
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    assert.equal((await browser.send('POST', '/user/webauthn/passkey/login', { fields, headers })).status, 403);
    const request = { fields: { name: 'x' }, headers };
    assert.equal((await alice.send('POST', `${SECURITY}/webauthn/request_register`, request)).status, 403);
  });

  it('signs in nobody who may not, and leaves its entries in the audit log', async () => {
    await t.user('carol');
    const { device } = await register(await signedIn('carol'), 'carols');
    await t.admin.must('PATCH', '/admin/users/carol', { login_name: 'carol', source_id: 0, prohibit_login: true });
    assert.equal((await passkeySignIn(device)).response.status, 422);
    await t.admin.must('PATCH', '/admin/users/carol', { login_name: 'carol', source_id: 0, prohibit_login: false });
    assert.equal((await passkeySignIn(device)).response.status, 303);
    const actions = (await t.context.db.selectFrom('audit_entries').select('action').where('object_name', '=', 'carol').execute()).map(
      ({ action }) => action,
    );
    assert.ok(actions.includes('passkey.add') && actions.filter((one) => one === 'sign-in').length === 2, String(actions));
    assert.equal((await t.admin.delete('/admin/users/carol/2fa')).status, 204);
    assert.equal((await t.admin.delete('/admin/users/carol/2fa')).status, 404);
    assert.equal((await new Browser(t.url).signIn('carol', PASSWORD)).status, 303);
  });
});

describe('the list of passkeys', () => {
  it('adds one with a name that is free, and not one that is registered', async () => {
    const ask = (name: string) => post(alice, `${SECURITY}/webauthn/request_register`, { name });
    assert.equal((await ask(' ')).status, 422);
    assert.equal((await ask('x'.repeat(101))).status, 422);
    const { device, credential, made } = await register(alice, '<img src=x onerror=alert(1)>');
    assert.equal(made.status, 303);
    assert.ok(!(await alice.get(SECURITY)).text.includes('<img src=x'));
    assert.equal((await ask('<IMG src=x onerror=alert(1)>')).status, 409);
    assert.equal((await post(alice, `${SECURITY}/webauthn/register`, { name: 'replayed', credential })).status, 422);
    assert.equal((await register(alice, 'twice', {}, device)).made.status, 409);
    assert.equal((await register(alice, 'elsewhere', { origin: 'https://evil.example' })).made.status, 422);
    const challenge = optionsOf((await ask('others')).text);
    const { browser: other } = await passkeySignIn(device);
    const foreign = { name: 'others', credential: new Authenticator(t.url).create(challenge) };
    assert.equal((await post(other, `${SECURITY}/webauthn/register`, foreign)).status, 422, 'it was asked of another browser');
  });

  it('renames and removes those of the user alone, and asks for the password some time after signing in', async () => {
    await t.user('dave');
    const browser = await signedIn('dave');
    await register(browser, 'first');
    await register(browser, 'second');
    const id = await idOf('first');
    for (const path of ['rename', 'delete'])
      assert.equal((await post(alice, `${SECURITY}/webauthn/${path}`, { id, name: 'mine' })).status, 404, path);
    assert.equal((await post(browser, `${SECURITY}/webauthn/rename`, { id, name: 'Second' })).status, 409);
    assert.equal((await post(browser, `${SECURITY}/webauthn/rename`, { id, name: 'third' })).status, 303);
    await t.context.db.updateTable('sessions').set({ created_at: 1 }).execute();
    assert.equal((await post(browser, `${SECURITY}/webauthn/request_register`, { name: 'later' })).status, 403);
    assert.equal((await post(browser, `${SECURITY}/webauthn/delete`, { id, password: 'wrong' })).status, 403);
    assert.match((await browser.get(SECURITY)).text, /third/);
    assert.equal((await post(browser, `${SECURITY}/webauthn/delete`, { id, password: PASSWORD })).status, 303);
    assert.ok(!(await browser.get(SECURITY)).text.includes('third'));
  });
});
