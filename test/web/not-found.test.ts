// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser, lasting } from '../support/browser.ts';
import { PASSWORD, testServer } from '../support/server.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const t = await testServer();
const ask = (path: string, accept?: string, method = 'GET') =>
  new Browser(t.url).send(method, path, accept === undefined ? {} : { headers: { accept } });

describe('the page of an address at which nothing is', () => {
  it('is shown to browsers, and leads to the front page', async () => {
    const { status, headers, text } = await ask('/nothing/at/all', BROWSER);
    assert.equal(status, 404);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src/);
    assert.match(text, /<h1>Not found<\/h1>\n<p>.*<a href="\/">/s);
    const head = await ask('/nothing/at/all', BROWSER, 'HEAD');
    assert.deepEqual([head.status, head.headers.get('content-type'), head.text], [404, 'text/html; charset=utf-8', '']);
  });

  it('is not for package managers, although pip names HTML', async () => {
    const pip = 'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html; q=0.1, text/html; q=0.01';
    for (const path of ['/api/packages/admin/pypi/simple/none/', '/api/packages/admin/none', '/v2/admin/none/tags/list']) {
      for (const accept of [pip, BROWSER]) {
        const { headers, text } = await ask(path, accept);
        assert.doesNotMatch(headers.get('content-type') ?? '', /html/, path);
        assert.doesNotMatch(text, /<html/, path);
      }
    }
  });

  it('is the same for what is private as for what is not there', async () => {
    await t.admin.must('POST', '/user/repos', { name: 'closed', private: true, auto_init: true });
    // The way to sign in leads back to the address.
    const same = (text: string) => lasting(text).replaceAll(/\?redirect_to=[^"]*/g, '');
    const missing = same((await ask('/nobody/nothing', BROWSER)).text);
    assert.match(missing, /<h1>Not found<\/h1>/);
    for (const path of ['/admin/closed', '/admin/closed/raw/branch/main/README.md', '/admin/open/raw/branch/main/x', '/nobody.keys']) {
      const { status, text } = await ask(path, BROWSER);
      assert.deepEqual([status, same(text)], [404, missing], path);
    }
  });

  it('has around it what the reader has around every page', async () => {
    await t.user('alice');
    const browser = new Browser(t.url);
    await browser.signIn('alice', PASSWORD);
    const { status, text } = await browser.send('GET', '/nothing/at/all', { headers: { accept: BROWSER } });
    assert.deepEqual([status, /href="\/alice"/.test(text), text.includes('user/login')], [404, true, false]);
  });

  it('is for browsers only: programs get plain text, the API its own form', async () => {
    for (const accept of [undefined, '*/*', 'application/json']) {
      const { status, text } = await ask('/nothing/at/all', accept);
      assert.deepEqual([status, text], [404, 'Not found.\n'], String(accept));
    }
    assert.equal((await ask('/nothing/at/all', BROWSER, 'POST')).text, 'Not found.\n');
    for (const path of ['/api/v1/nothing', '/api/v1', '/api/v1/settings', '/api/v1/packages', '/api/v1/issues'])
      assert.equal((await ask(path, BROWSER)).text, '404 page not found\n');
    assert.match((await ask('/api/v1/repos/nobody/nothing', BROWSER)).text, /^\{/);
  });
});
