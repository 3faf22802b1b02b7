import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as oidc from 'openid-client';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';
import { type App, CALLBACK, challenge, newApp, oauth2Flow, verifier } from './applications.ts';

const t = await testServer();
const alice = await t.user('alice', { full_name: 'Alice Example' });
const { browserOf, authorize, byCode, whoHas } = oauth2Flow(t);

describe('OAuth2 provider', () => {
  it('signs in with an independent client: discovery, PKCE, identity token, user information, refresh', async () => {
    const org = 'org-of-alice';
    await alice.must('POST', '/orgs', { username: org });
    const team = await alice.must('POST', `/orgs/${org}/teams`, { name: 'Crew', permission: 'read', units: ['repo.code'] });
    await alice.must('PUT', `/teams/${team.id}/members/alice`);
    const app = await newApp(alice);
    const config = await oidc.discovery(
      new URL(t.url.replace(/\/$/, '')),
      app.client_id,
      undefined,
      oidc.ClientSecretBasic(app.client_secret),
      {
        execute: [oidc.allowInsecureRequests],
      },
    );
    const nonce = oidc.randomNonce();
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const address = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid profile email groups',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: 'xyz',
      nonce,
    });
    const browser = new Browser(t.url);
    // Who is nobody does not learn which clients there are.
    assert.equal((await browser.get('/login/oauth/authorize?client_id=unknown')).status, 303);
    const first = await browser.get(address.href);
    assert.equal(first.status, 303);
    assert.match(first.location, /^\/user\/login\?/);
    const login = await browser.get(first.location);
    const back = await browser.submit(login, { user_name: 'alice', password: PASSWORD });
    assert.match(back.location, /^\/login\/oauth\/authorize\?/);
    const consent = await browser.get(back.location);
    assert.match(consent.text, /Authorize web/);
    const done = await browser.submit(consent, { granted: 'true' });
    assert.equal(done.status, 303);
    const tokens = await oidc.authorizationCodeGrant(config, new URL(done.location), {
      pkceCodeVerifier,
      expectedNonce: nonce,
      expectedState: 'xyz',
    });
    const claims = tokens.claims();
    assert.equal(claims?.preferred_username, 'alice');
    assert.equal(claims?.name, 'Alice Example');
    assert.equal(claims?.locale, 'en-US');
    assert.equal(claims?.email, 'alice@example.com');
    assert.deepEqual(claims?.groups, [org, `${org}:owners`, `${org}:crew`]);
    assert.deepEqual(claims?.aud, [app.client_id]);
    const info = await oidc.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '');
    assert.equal(info.preferred_username, 'alice');
    const introspected = await oidc.tokenIntrospection(config, tokens.access_token);
    assert.equal(introspected.active, true);
    assert.equal(introspected.username, 'alice');
    const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
    assert.equal((await whoHas(renewed.access_token)).json.login, 'alice');
    // A user who agreed once is redirected at once, with the same scope.
    const again = await browser.get(address.href);
    assert.equal(again.status, 303);
    assert.ok(new URL(again.location).searchParams.get('code'));
    // Asking for more has to be agreed to again.
    address.searchParams.set('scope', 'openid write:user');
    assert.equal((await browser.get(address.href)).status, 200);
  });

  it('describes a token to the applications of the owner whose application it is for, and to no other', async () => {
    const [app, ofSameOwner] = [await newApp(alice), await newApp(alice, { name: 'resource server' })];
    const stranger = await newApp(await t.user('eve'));
    const { json } = await byCode(app, await authorize(await browserOf('alice'), app, { scope: 'openid read:user' }));
    const describe = async ({ client_id, client_secret }: App, token: string) => {
      const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
      const body = new URLSearchParams({ token });
      const response = await fetch(new URL('login/oauth/introspect', t.url), { method: 'POST', body, headers: { authorization } });
      return (await response.json()) as { active: boolean; aud?: string[] };
    };
    for (const token of [json.access_token, json.refresh_token]) {
      assert.deepEqual(await describe(stranger, token), { active: false });
      for (const client of [app, ofSameOwner]) assert.deepEqual((await describe(client, token)).aud, [app.client_id]);
    }
  });

  it('knows a client by its form-encoded id and secret', async () => {
    const app = await newApp(alice);
    const fields = { grant_type: 'authorization_code', redirect_uri: CALLBACK };
    const encoded = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    for (const [name, secret, status] of [
      [encoded(app.client_id), encoded(app.client_secret), 200],
      [app.client_id, app.client_secret, 200],
      [app.client_id, `${app.client_secret}%`, 400],
    ] as const) {
      const code = await authorize(await browserOf('alice'), app);
      const authorization = `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
      const body = new URLSearchParams({ ...fields, code });
      const response = await fetch(new URL('login/oauth/access_token', t.url), { method: 'POST', body, headers: { authorization } });
      assert.equal(response.status, status, await response.text());
    }
  });

  it('lets a token do what its scope says, as bearer and as basic password', async () => {
    const app = await newApp(alice);
    const browser = await browserOf('alice');
    const { json } = await byCode(app, await authorize(browser, app, { scope: 'openid read:user' }));
    assert.equal((await whoHas(json.access_token)).status, 200);
    const loner = await (await t.user('loner')).token(['read:user']);
    assert.equal((await loner.must('GET', '//login/oauth/userinfo')).groups, null, 'of a user who is in no organization');
    const unknown = await t.anonymous.get('//login/oauth/userinfo', { headers: { authorization: 'Bearer unknown' } });
    assert.deepEqual([unknown.status, unknown.text], [401, 'Failed to authenticate user\n']);
    const authorization = `Bearer ${json.access_token}`;
    const write = await t.anonymous.post('/user/emails', { emails: ['x@example.com'] }, { headers: { authorization } });
    assert.equal(write.status, 403);
    assert.equal((await t.anonymous.get('/notifications', { headers: { authorization } })).status === 200, false);
    const basic = `Basic ${Buffer.from(`alice:${json.access_token}`).toString('base64')}`;
    assert.equal((await t.anonymous.get('/user', { headers: { authorization: basic } })).json.login, 'alice');
    // As the credential helpers of git use it.
    const full = (await byCode(app, await authorize(browser, app))).json;
    await alice.must('POST', '/user/repos', { name: 'private', private: true, auto_init: true });
    const remote = new URL('alice/private.git', t.url);
    Object.assign(remote, { username: 'oauth2', password: full.access_token });
    assert.match((await alice.git(['ls-remote', remote.href], t.folder)).stdout, /refs\/heads\/main/);
    remote.password = json.access_token;
    assert.notEqual((await alice.git(['ls-remote', remote.href], t.folder)).code, 0, 'the scope holds for git too');
    // A refresh token and an identity token are no access tokens.
    assert.equal((await whoHas(json.refresh_token)).status, 401);
    assert.equal((await whoHas(json.id_token)).status, 401);
  });

  it('offers the applications that every instance has, on any port of the loopback, with PKCE', async () => {
    const app = { client_id: 'd57cb8c4-630c-4168-8324-ec79935e18d4', client_secret: '' };
    const browser = await browserOf('alice');
    const redirect_uri = 'http://127.0.0.1:43210/';
    const query = { client_id: app.client_id, redirect_uri, response_type: 'code' };
    const without = await browser.get(`/login/oauth/authorize?${new URLSearchParams(query)}`);
    assert.equal(new URL(without.location).searchParams.get('error_description'), 'PKCE is required for public clients');
    const code = await authorize(browser, app, { redirect_uri, code_challenge: challenge, code_challenge_method: 'S256' });
    const { status, json } = await byCode(app, code, { redirect_uri, code_verifier: verifier });
    assert.equal(status, 200);
    assert.equal((await whoHas(json.access_token)).json.login, 'alice');
    // A public client is asked about each time.
    const asked = await browser.get(`/login/oauth/authorize?${new URLSearchParams({ ...query, code_challenge: challenge })}`);
    assert.equal(asked.status, 200);
  });

  it('refuses without leaving the site when the client or the redirect URI is wrong', async () => {
    const app = await newApp(alice);
    const browser = await browserOf('alice');
    const at = (parameters: Record<string, string>) =>
      browser.get(
        `/login/oauth/authorize?${new URLSearchParams({ client_id: app.client_id, redirect_uri: CALLBACK, response_type: 'code', ...parameters })}`,
      );
    for (const wrong of [
      'https://evil.example/callback',
      `${CALLBACK}/more`,
      'javascript:alert(1)',
      '',
      `${CALLBACK}#x`,
      `${CALLBACK}\\@evil`,
    ]) {
      const response = await at({ redirect_uri: wrong });
      assert.equal(response.status, 400, wrong);
      assert.match(response.text, /Unregistered Redirect URI/);
    }
    assert.match((await at({ client_id: 'nobody' })).text, /Client ID not registered/);
    assert.match((await at({ response_type: 'token' })).location, /error=unsupported_response_type/);
    assert.match((await at({ code_challenge_method: 'S512', code_challenge: challenge })).location, /error=invalid_request/);
    assert.match((await at({ prompt: 'none' })).location, /error=consent_required/);
    assert.match(
      (
        await new Browser(t.url).get(
          `/login/oauth/authorize?${new URLSearchParams({ client_id: app.client_id, redirect_uri: CALLBACK, response_type: 'code', prompt: 'none' })}`,
        )
      ).location,
      /error=login_required/,
    );
    const consent = await at({});
    assert.match((await browser.submit(consent, { granted: 'false' })).location, /error=access_denied/);
    // What was not shown is not agreed to.
    assert.equal((await browser.submit(consent, { granted: 'true', scope: 'all' })).status, 400);
    // Another browser of another user cannot send the form.
    await t.user('mallory');
    const other = await browserOf('mallory');
    assert.equal((await other.submit(consent, { granted: 'true' })).status, 403);
  });
});

describe('OAuth2 applications', () => {
  it('are not for tokens that are limited to what is public', async () => {
    const limited = await alice.token(['public-only', 'write:user']);
    assert.equal((await limited.get('/user/applications/oauth2')).status, 403);
  });

  it('refuse URLs that a browser would run', async () => {
    for (const uri of [
      'javascript:alert(1)',
      'data:text/html,x',
      'nonsense',
      'https://example.com/#fragment',
      'https://example.com\\@evil/',
    ]) {
      const response = await alice.post('/user/applications/oauth2', { name: 'x', redirect_uris: [uri] });
      assert.equal(response.status, 400, uri);
    }
  });

  it('are the business of their owner alone', async () => {
    const bob = await t.user('bob');
    const { id } = (await newApp(alice)) as unknown as { id: number };
    assert.equal((await bob.get(`/user/applications/oauth2/${id}`)).status, 404);
    assert.equal((await bob.patch(`/user/applications/oauth2/${id}`, { name: 'x', redirect_uris: [CALLBACK] })).status, 404);
    assert.equal((await bob.delete(`/user/applications/oauth2/${id}`)).status, 404);
    assert.equal((await alice.get('/user/applications/oauth2/abc')).status, 404);
  });
});
