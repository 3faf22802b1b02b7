// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FIRST_ACCOUNT_COMMAND } from '../../src/accounts/first-account.ts';
import { Browser } from '../support/browser.ts';
import { PASSWORD, testServer } from '../support/server.ts';

const DESCRIPTION = 'Code of <everybody> & friends.';
const t = await testServer({ instance: { name: 'The Grove', description: DESCRIPTION } });

describe('the front page', () => {
  it('says what the instance is and where the API is described', async () => {
    const page = await new Browser(t.url).get('/');
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'nonce-/);
    assert.match(page.text, /<title>The Grove<\/title>/);
    assert.match(page.text, /<p>Code of &lt;everybody&gt; &amp; friends\.<\/p>/);
    for (const path of ['/user/login', '/api/swagger', '/swagger.v1.json']) {
      assert.ok(page.text.includes(`href="${path}"`), path);
      assert.equal((await new Browser(t.url).get(path)).status, 200, path);
    }
    assert.doesNotMatch(page.text, /There is no account|signed in as/i);
    assert.equal((await new Browser(t.url).send('HEAD', '/')).status, 200);
    assert.equal((await new Browser(t.url).send('POST', '/')).status, 405);
  });

  it('shows strangers the public repositories that changed last, and nothing private', async () => {
    assert.match((await new Browser(t.url).get('/')).text, /There is no public repository yet/);
    const carol = await t.user('carol');
    await carol.must('POST', '/user/repos', { name: 'secret', private: true });
    await carol.must('POST', '/user/repos', { name: 'open', description: 'For <all>' });
    const { text } = await new Browser(t.url).get('/');
    assert.ok(text.includes('href="/carol/open"') && text.includes('For &lt;all&gt;') && !text.includes('secret'));
    assert.ok(!text.includes('href="/explore/repos">All'));
    for (let at = 0; at < 8; at++) await carol.must('POST', '/user/repos', { name: `more-${at}` });
    assert.match((await new Browser(t.url).get('/')).text, /href="\/explore\/repos">All 9 repositories</);
  });

  it('is where signing in leads, and shows who is signed in', async () => {
    await t.user('alice');
    const browser = new Browser(t.url);
    const { location } = await browser.signIn('alice', PASSWORD);
    assert.equal(location, '/');
    const page = await browser.get(location);
    assert.match(page.text, /<strong>alice<\/strong>/);
    assert.ok(page.text.includes('href="/user/logout"') && !page.text.includes('href="/user/login"'));
  });

  it('leads who has to do something first to that', async () => {
    await t.user('dora');
    const browser = new Browser(t.url);
    await browser.signIn('dora', PASSWORD);
    await t.context.db.updateTable('users').set({ must_change_password: true }).where('name', '=', 'dora').execute();
    assert.equal((await browser.get('/')).location, '/user/change_password');
  });

  it('shows strangers the way to sign in and nothing else where signing in is required', async () => {
    const closed = await testServer({ access: { requireSignInView: true }, instance: { description: DESCRIPTION } });
    const page = await new Browser(closed.url).get('/');
    assert.equal(page.status, 200);
    assert.deepEqual(
      [...new Set(page.text.matchAll(/ href="([^"#]*)"/g).map(([, path]) => path?.replace(/^\/assets\/.*\//, '')))],
      ['/favicon.ico', 'style.css', '/', '/user/login'],
    );
    assert.doesNotMatch(page.text, /everybody/);
    const browser = new Browser(closed.url);
    await browser.signIn('admin', PASSWORD);
    assert.match((await browser.get('/')).text, /user\/logout.*api\/swagger/s);
  });

  it('says how to make the administrator until there is an account', async () => {
    const fresh = await testServer({ server: { rootUrl: 'https://example.com/git/' }, api: { docsEnabled: false } });
    await fresh.context.db.deleteFrom('users').execute();
    const page = await new Browser(fresh.url).get('/');
    assert.ok(page.text.includes(FIRST_ACCOUNT_COMMAND), page.text);
    assert.ok(page.text.includes('href="/git/user/login"') && !page.text.includes('api/swagger'));
    await fresh.user('first');
    assert.ok(!(await new Browser(fresh.url).get('/')).text.includes(FIRST_ACCOUNT_COMMAND));
  });
});

describe('the icon', () => {
  it('is a picture that browsers keep, and the pages name it', async () => {
    const { status, headers, text } = await new Browser(t.url).get('/favicon.ico');
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml']);
    assert.match(headers.get('cache-control') ?? '', /^public, max-age=\d{6,}$/);
    assert.match(text, /^<svg /);
    const page = await new Browser(t.url).get('/');
    assert.match(page.text, /<link rel="icon" href="\/favicon.ico">/);
    assert.match(page.headers.get('content-security-policy') ?? '', /; img-src \* data:;/);
  });
});
