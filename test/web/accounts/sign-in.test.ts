import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { PASSWORD, testServer } from '../../support/server.ts';
import { testSettings } from '../../support/settings.ts';
import { isSignedIn, submitHere } from './session.ts';

const t = await testServer();
await t.user('alice');

describe('sign-in pages', () => {
  it('sign in, lead back, keep the session in a cookie that no script reads, and sign out', async () => {
    const browser = new Browser(t.url);
    const led = await browser.get('/user/settings/security?x=1');
    assert.equal(led.location, '/user/login?redirect_to=%2Fuser%2Fsettings%2Fsecurity%3Fx%3D1');
    const anonymousCookie = browser.cookies.get('copse_session');
    const page = await browser.get(led.location);
    assert.doesNotMatch(page.text, /Forgot your password/, 'no mail is sent here');
    const done = await browser.submit(page, { user_name: 'Alice@example.com', password: PASSWORD });
    assert.equal(done.location, '/user/settings/security?x=1');
    const cookie = done.headers.get('set-cookie') ?? '';
    assert.match(cookie, /HttpOnly; SameSite=Lax$/);
    assert.notEqual(browser.cookies.get('copse_session'), anonymousCookie, 'signing in gives a new key');
    assert.ok(await isSignedIn(browser));
    const stored = JSON.stringify(await t.context.db.selectFrom('sessions').selectAll().execute());
    assert.ok(!stored.includes(browser.cookies.get('copse_session') ?? '?'));
    const old = new Browser(t.url);
    for (const [name, value] of browser.cookies) old.cookies.set(name, value);
    const out = await browser.get('/user/logout');
    await submitHere(browser, out, {}, '/user/logout');
    assert.ok(!(await isSignedIn(browser)));
    assert.ok(!(await isSignedIn(old)), 'the session has ended, not only the cookie');
  });

  it('has a strict policy and is not cached', async () => {
    const { headers } = await new Browser(t.url).get('/user/login');
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; script-src '(nonce-[\w-]+)'; style-src '\1'; img-src \* data:; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'$/,
    );
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('referrer-policy'), 'same-origin');
    assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN');
  });

  it('refuses wrong passwords, unknown names and who may not sign in, all alike', async () => {
    await t.user('barred', { prohibit_login: true });
    for (const [name, password] of [
      ['alice', 'wrong'],
      ['nobody', PASSWORD],
      ['barred', PASSWORD],
      ['', ''],
    ] as const) {
      const response = await new Browser(t.url).signIn(name, password);
      assert.equal(response.status, 422);
      assert.match(response.text, /The user name or password is incorrect/);
    }
    const odd = await new Browser(t.url).signIn('"><script>alert(1)</script>', 'wrong');
    assert.ok(!odd.text.includes('<script>'));
  });

  it('takes no form that another site made', async () => {
    const browser = new Browser(t.url);
    await browser.get('/user/login');
    const fields = { user_name: 'alice', password: PASSWORD };
    assert.equal((await browser.send('POST', '/user/login', { fields })).status, 403);
    assert.equal((await browser.send('POST', '/user/login', { fields: { ...fields, _token: 'x' } })).status, 403);
    const page = await browser.get('/user/login');
    const token = /name="_token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const crossSite = { fields: { ...fields, _token: token }, headers: { 'sec-fetch-site': 'cross-site' } };
    assert.equal((await browser.send('POST', '/user/login', crossSite)).status, 403);
    // Without the cookie the token is worth nothing.
    assert.equal((await new Browser(t.url).send('POST', '/user/login', { fields: { ...fields, _token: token } })).status, 403);
    for (const origin of ['null', 'https://other.example', `${new URL(t.url).origin}.other.example`]) {
      assert.equal((await browser.send('POST', '/user/login', { fields, headers: { origin } })).status, 403, origin);
    }
    const origin = new URL(t.url).origin;
    const asCrossSite = { origin, 'sec-fetch-site': 'cross-site' };
    assert.equal((await browser.send('POST', '/user/login', { fields, headers: asCrossSite })).status, 403);
    assert.equal((await new Browser(t.url).send('POST', '/user/login', { fields, headers: { origin } })).status, 303);
  });

  it('does not sign in to the API by a cookie', async () => {
    const browser = new Browser(t.url);
    await browser.signIn('alice', PASSWORD);
    assert.equal((await browser.get('/api/v1/user')).status, 401);
    assert.equal((await browser.send('POST', '/api/v1/user/repos', { headers: { 'content-type': 'application/json' } })).status, 401);
  });

  it('signs in to downloads outside the API by a cookie, but to nothing that writes', async () => {
    const alice = new Client(() => t.url, { name: 'alice', password: PASSWORD });
    await alice.must('POST', '/user/repos', { name: 'closed', private: true, auto_init: true });
    const path = '/alice/closed/raw/branch/main/README.md';
    const browser = new Browser(t.url);
    assert.equal((await browser.get(path)).status, 404);
    await browser.signIn('alice', PASSWORD);
    assert.equal((await browser.get(path)).status, 200);
    assert.ok((await browser.send('POST', '/alice/closed.git/git-upload-pack')).status >= 400);
    await t.context.db.updateTable('users').set({ is_active: false }).where('name', '=', 'alice').execute();
    assert.equal((await browser.get(path)).status, 404);
    await t.context.db.updateTable('users').set({ is_active: true }).where('name', '=', 'alice').execute();
  });

  it('leads to no other site after signing in', async () => {
    for (const target of ['//evil.example', '/\\evil.example', '/%5cevil.example', 'https://evil.example/']) {
      assert.equal((await new Browser(t.url).signIn('alice', PASSWORD, target)).location, '/', target);
    }
  });

  it('ends other sessions with the password, and on request', async () => {
    await t.user('dora', { must_change_password: true });
    const browser = new Browser(t.url);
    assert.equal((await browser.signIn('dora', PASSWORD)).location, '/user/change_password');
    assert.equal((await browser.get('/user/settings/security')).location, '/user/change_password');
    const other = new Browser(t.url);
    await other.signIn('dora', PASSWORD);
    const page = await browser.get('/user/change_password');
    const change = (fields: Record<string, string>) =>
      browser.submit(page, { old_password: PASSWORD, password: 'An0ther-one', retype: 'An0ther-one', ...fields });
    assert.match((await change({ retype: 'x' })).text, /do not match/);
    assert.match((await change({ old_password: 'x' })).text, /old password is incorrect/);
    assert.match((await change({ password: 'short', retype: 'short' })).text, /at least 8 characters/);
    assert.match((await change({ password: PASSWORD, retype: PASSWORD })).text, /is the same as the old one/);
    assert.equal((await change({})).status, 303);
    assert.ok(await isSignedIn(browser));
    assert.ok(!(await isSignedIn(other)));
    const again = new Browser(t.url);
    await again.signIn('dora', 'An0ther-one');
    const overview = await browser.get('/user/settings/security');
    await browser.submit(overview, {}, '/user/settings/security/sessions/end');
    assert.ok(!(await isSignedIn(again)));
    assert.ok(await isSignedIn(browser));
    await t.context.db.updateTable('users').set({ prohibit_login: true }).where('name', '=', 'dora').execute();
    assert.ok(!(await isSignedIn(browser)));
  });
});

describe('a trusted proxy', () => {
  it('signs nobody in by the name of an organization, nor from an address that is not trusted', async () => {
    const behind = await testServer({
      reverseProxy: { ...testSettings().reverseProxy, enabled: true },
      server: { trustedProxies: ['127.0.0.1'] },
    });
    const owner = await behind.user('owner');
    await owner.must('POST', '/orgs', { username: 'club' });
    const statusOf = async (name: string) =>
      (await behind.anonymous.get('//user/settings/security', { headers: { 'x-webauth-user': name } })).status;
    assert.equal(await statusOf('owner'), 200);
    assert.equal(await statusOf('club'), 303);
    assert.equal(await statusOf('nobody'), 303);
    // The API has a setting of its own.
    assert.equal((await behind.anonymous.get('/user', { headers: { 'x-webauth-user': 'owner' } })).status, 401);
    assert.equal((await new Browser(t.url).send('GET', '/user/settings/security', { headers: { 'x-webauth-user': 'alice' } })).status, 303);
  });
});

describe('pages in a folder of another site', () => {
  it('lead to where the root URL says, whether or not the proxy takes the folder off', async () => {
    const inFolder = await testServer({ server: { rootUrl: 'https://example.com/git/' } });
    const { headers } = await inFolder.anonymous.get('//user/settings/security');
    assert.equal(headers.get('location'), '/git/user/login?redirect_to=%2Fgit%2Fuser%2Fsettings%2Fsecurity');
    const page = await inFolder.anonymous.get('//user/login');
    assert.match(page.text, /action="\/git\/user\/login"/);
    assert.match(page.headers.get('set-cookie') ?? '', /; Path=\/git\/; HttpOnly; Secure; SameSite=Lax$/);
  });
});
