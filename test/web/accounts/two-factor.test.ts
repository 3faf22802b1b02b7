// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { after, describe, it, mock } from 'node:test';
import { Secret } from 'otpauth';
import { Browser } from '../../support/browser.ts';
import { oneTimeCode } from '../../support/one-time-code.ts';
import { PASSWORD, testServer } from '../../support/server.ts';
import { isSignedIn, submitHere } from './session.ts';

// A code of two-factor sign-in is not to grow old on its way.
mock.timers.enable({ apis: ['Date'], now: Date.now() });
after(() => mock.timers.reset());
const t = await testServer();

/** Turns two-factor sign-in on; returns its secret and recovery code. The last time step is used up. */
async function enrol(browser: Browser): Promise<{ secret: Secret; recovery: string }> {
  const page = await browser.get('/user/settings/security/two_factor/enroll');
  const key = (/<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
  const secret = Secret.fromBase32(key);
  assert.match(page.text, /<svg class="qr-code"/);
  // A user who mistypes the code goes on with the key that the app has already.
  const again = await submitHere(browser, page, { code: '000000' }, '/user/settings/security/two_factor/enroll');
  assert.deepEqual([again.status, again.text.includes(`<code>${key.replace(/.{4}(?=.)/g, '$& ')}</code>`)], [422, true]);
  const done = await submitHere(browser, again, { code: oneTimeCode(secret, -1) }, '/user/settings/security/two_factor/enroll');
  const recovery = /<code>([a-z0-9-]+)<\/code>/.exec(done.text)?.[1];
  assert.ok(recovery, done.text);
  return { secret, recovery };
}

describe('two-factor sign-in', () => {
  it('is set up by who has just signed in, or knows the password', async () => {
    await t.user('olga');
    const browser = new Browser(t.url);
    await browser.signIn('olga', PASSWORD);
    await t.context.db.updateTable('sessions').set({ created_at: 1 }).execute();
    const path = '/user/settings/security/two_factor/enroll';
    const page = await browser.get(path);
    const key = (/<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
    const code = oneTimeCode(Secret.fromBase32(key));
    assert.equal((await submitHere(browser, page, { code }, path)).status, 403);
    assert.equal((await submitHere(browser, page, { code, password: 'wrong' }, path)).status, 403);
    assert.equal((await submitHere(browser, page, { code, password: PASSWORD }, path)).status, 200);
  });

  it('needs the code, in the browser and with basic authentication, and takes each once', async () => {
    const erin = await t.user('erin');
    const browser = new Browser(t.url);
    await browser.signIn('erin', PASSWORD);
    const { secret } = await enrol(browser);
    const code = oneTimeCode(secret);
    // The message does not confirm that the password is right.
    const refused = await erin.get('/user');
    assert.deepEqual([refused.status, refused.json.message], [401, 'invalid username, password or token']);
    assert.equal((await erin.get('/user', { headers: { 'x-gitea-otp': '000000' } })).status, 401);
    assert.equal((await erin.get('/user', { headers: { 'x-service-otp': code } })).status, 200);
    assert.equal((await erin.get('/user', { headers: { 'x-service-otp': code } })).status, 401);
    // The password alone opens no session.
    const fresh = new Browser(t.url);
    const second = await fresh.signIn('erin', PASSWORD);
    assert.equal(second.status, 200);
    assert.ok(!(await isSignedIn(fresh)));
    assert.equal((await fresh.submit(second, { code })).status, 422, 'a used code');
    const next = oneTimeCode(secret, 1);
    // The first step is bound to its browser.
    const thief = new Browser(t.url);
    await thief.get('/user/login');
    assert.equal((await thief.submit(second, { code: next })).status, 403);
    assert.equal((await fresh.submit(second, { code: next, first_step: '1.9999999999.x' })).status, 422);
    assert.equal((await fresh.submit(second, { code: next })).status, 303);
    assert.ok(await isSignedIn(fresh));
  });

  it('signs in once with the recovery code', async () => {
    await t.user('frank');
    const browser = new Browser(t.url);
    await browser.signIn('frank', PASSWORD);
    const { recovery } = await enrol(browser);
    const fresh = new Browser(t.url);
    const second = await fresh.signIn('frank', PASSWORD);
    assert.equal((await fresh.submit(second, { code: 'abcde-abcde-abcde-abcde' })).status, 422);
    assert.equal((await fresh.submit(second, { code: recovery.toUpperCase() })).location, '/user/settings/security');
    assert.match((await fresh.get('/user/settings/security')).text, /recovery code was used/);
    const again = new Browser(t.url);
    assert.equal((await again.submit(await again.signIn('frank', PASSWORD), { code: recovery })).status, 422);
    const overview = await fresh.get('/user/settings/security');
    assert.equal((await fresh.submit(overview, { password: 'wrong' }, '/user/settings/security/two_factor/disable')).status, 403);
    await fresh.submit(overview, { password: PASSWORD }, '/user/settings/security/two_factor/disable');
    assert.equal((await new Browser(t.url).signIn('frank', PASSWORD)).status, 303);
  });

  it('stops listening after too many wrong codes', async () => {
    const gina = await t.user('gina');
    const browser = new Browser(t.url);
    await browser.signIn('gina', PASSWORD);
    const { secret } = await enrol(browser);
    for (let i = 0; i < 10; i++) assert.equal((await gina.get('/user', { headers: { 'x-gitea-otp': '123456' } })).status, 401);
    const right = { headers: { 'x-gitea-otp': oneTimeCode(secret) } };
    const refused = await gina.get('/user', right);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    await t.context.db.updateTable('two_factors').set({ failed_at: 1 }).execute();
    assert.equal((await gina.get('/user', right)).status, 200);
  });
});
