import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeJwt, SignJWT } from 'jose';
import { testServer } from '../../support/server.ts';
import { CALLBACK, challenge, newApp, oauth2Flow, verifier } from './applications.ts';

const t = await testServer();
const alice = await t.user('alice', { full_name: 'Alice Example' });
const { browserOf, authorize, byCode, byRefresh, whoHas } = oauth2Flow(t);

/** The same token, with an end in the past. */
function expiredToken(token: string): Promise<string> {
  const { fam, cnt } = decodeJwt(token);
  return new SignJWT({ fam, cnt })
    .setProtectedHeader({ alg: 'HS256', typ: 'rt+jwt' })
    .setIssuedAt(1000)
    .setExpirationTime(2000)
    .sign(t.context.secrets.hmac('oauth2 tokens'));
}

describe('codes and tokens', () => {
  it('a code is good once, for its client, with its verifier and its redirect URI', async () => {
    const app = await newApp(alice);
    const another = await newApp(alice, { name: 'another' });
    const browser = await browserOf('alice');
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
    const code = await authorize(browser, app, pkce);
    const refused = async (more: Record<string, string>, description: string, client = app) => {
      const { status, json } = await byCode(client, code, more);
      assert.deepEqual([status, json.error_description], [400, description]);
    };
    await refused({}, 'failed PKCE code challenge');
    await refused({ code_verifier: 'x'.repeat(43) }, 'failed PKCE code challenge');
    await refused({ code_verifier: verifier, client_secret: 'wrong' }, 'invalid client secret');
    await refused({ code_verifier: verifier }, 'invalid grant', another);
    await refused({ code_verifier: verifier, redirect_uri: '' }, 'redirect_uri differs from the original authorization request');
    const { status, json } = await byCode(app, code, { code_verifier: verifier });
    assert.equal(status, 200);
    assert.equal((await whoHas(json.access_token)).status, 200);
    await refused({ code_verifier: verifier }, 'authorization code already used');
    // What came of a code that was used twice ends.
    assert.equal((await whoHas(json.access_token)).status, 401);
    // A challenge without a method is a plain one, and no verifier is accepted where there was no challenge.
    const plain = await authorize(browser, app, { code_challenge: verifier });
    assert.equal((await byCode(app, plain)).status, 400);
    assert.equal((await byCode(app, plain, { code_verifier: verifier })).status, 200);
    const bare = await authorize(browser, app);
    assert.equal((await byCode(app, bare, { code_verifier: verifier })).status, 400);
    // After its time it is good no more.
    await t.context.db.updateTable('oauth2_codes').set({ expires_at: 1 }).execute();
    assert.equal((await byCode(app, bare)).json.error_description, 'authorization code expired');
  });

  it('two exchanges of one code at one time do not both succeed', async () => {
    const app = await newApp(alice);
    const code = await authorize(await browserOf('alice'), app);
    const responses = await Promise.all([1, 2, 3, 4].map(() => byCode(app, code)));
    assert.ok(responses.filter(({ status }) => status === 200).length <= 1);
  });

  it('a refresh token is good once and for its client; reuse ends the whole grant', async () => {
    const app = await newApp(alice);
    const another = await newApp(alice, { name: 'another' });
    const browser = await browserOf('alice');
    const first = (await byCode(app, await authorize(browser, app))).json;
    assert.equal((await byRefresh(another, first.refresh_token)).json.error_description, 'refresh token belongs to a different client');
    assert.equal((await byRefresh(app, first.access_token)).json.error_description, 'unable to parse refresh token');
    const other = (await byCode(app, await authorize(browser, app))).json;
    const second = (await byRefresh(app, first.refresh_token)).json;
    assert.equal((await whoHas(second.access_token)).status, 200);
    const reused = await byRefresh(app, first.refresh_token);
    assert.deepEqual([reused.status, reused.json.error_description], [400, 'token was already used']);
    for (const { access_token } of [first, second, other]) assert.equal((await whoHas(access_token)).status, 401);
    assert.equal((await byRefresh(app, second.refresh_token)).json.error_description, 'grant does not exist');
    assert.equal((await byRefresh(app, other.refresh_token)).status, 400);
    // The user is asked again.
    const query = { client_id: app.client_id, redirect_uri: CALLBACK, response_type: 'code' };
    assert.equal((await browser.get(`/login/oauth/authorize?${new URLSearchParams(query)}`)).status, 200);
    // After its time it is good no more.
    const late = (await byCode(app, await authorize(browser, app))).json;
    const expired = await expiredToken(late.refresh_token);
    assert.equal((await byRefresh(app, expired)).json.error_description, 'unable to parse refresh token');
  });

  it('ends tokens with the application, the grant and the account', async () => {
    const carol = await t.user('carol');
    const app = await newApp(alice);
    const browser = await browserOf('carol');
    const revoked = (await byCode(app, await authorize(browser, app))).json;
    const page = await browser.get('/user/settings/applications');
    assert.match(page.text, /web<[\s\S]{0,200}full access/);
    const [revoke] = /[/]user[/]settings[/]applications[/]oauth2[/]\d+[/]revoke[/]\d+/.exec(page.text) ?? [];
    await browser.submit(page, {}, revoke);
    assert.equal((await whoHas(revoked.access_token)).status, 401);
    const kept = (await byCode(app, await authorize(browser, app))).json;
    await t.admin.must('PATCH', '/admin/users/carol', { source_id: 0, login_name: 'carol', prohibit_login: true });
    assert.equal((await whoHas(kept.access_token)).status, 403);
    assert.equal((await byRefresh(app, kept.refresh_token)).json.error, 'invalid_grant');
    await t.admin.must('PATCH', '/admin/users/carol', { source_id: 0, login_name: 'carol', prohibit_login: false });
    const mine = await newApp(carol);
    const own = (await byCode(mine, await authorize(await browserOf('carol'), mine))).json;
    await carol.must('DELETE', `/user/applications/oauth2/${(await carol.must('GET', '/user/applications/oauth2'))[0].id}`);
    assert.equal((await whoHas(own.access_token)).status, 401);
    await newApp(carol);
    await t.admin.must('DELETE', '/admin/users/carol');
    const left = await t.context.db
      .selectFrom('oauth2_applications')
      .select('id')
      .where('name', '=', 'web')
      .where('user_id', 'is', null)
      .execute();
    assert.deepEqual(left, []);
  });

  it('keeps no secret, code or token as it is', async () => {
    const app = await newApp(alice);
    const code = await authorize(await browserOf('alice'), app);
    const stored = JSON.stringify([
      await t.context.db.selectFrom('oauth2_applications').selectAll().execute(),
      await t.context.db.selectFrom('oauth2_codes').selectAll().execute(),
      await t.context.db.selectFrom('oauth2_signing_keys').selectAll().execute(),
    ]);
    assert.ok(!stored.includes(app.client_secret) && !stored.includes(code) && !stored.includes('PRIVATE KEY'));
  });
});
