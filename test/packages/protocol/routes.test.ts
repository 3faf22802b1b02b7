import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { inShort, registry } from '../support/registry.ts';

const t = await testServer();
const alice = await t.user('alice');
const hidden = await t.user('hidden', { visibility: 'private' });
const [open, secret, nobodys] = [registry('alice'), registry('hidden'), registry('nobody')];

describe('a path that no format has a route for', () => {
  it('is a 404, and another method a 405 with those that are served, before anything is checked', async () => {
    for (const packages of [open, secret, nobodys]) {
      assert.deepEqual(inShort(await packages.get(t.anonymous, 'generic/tool')), [404, '404 page not found\n']);
      const other = await packages.post(t.anonymous, 'generic/tool/1.0/file', 'x');
      assert.deepEqual([other.status, other.headers.get('allow')], [405, 'GET, HEAD, PUT, DELETE']);
    }
  });

  it('is a 404 for readers alone where a format takes all paths', async () => {
    for (const path of ['conda/linux-64', 'arch/extra', 'go/module', 'rpm/el9', 'swift/north/Chart/1.0.0/Package.resolved']) {
      for (const [packages, caller] of [
        [open, t.anonymous],
        [secret, hidden],
      ] as const) {
        assert.deepEqual(inShort(await packages.get(caller, path)), [404, '404 page not found\n'], path);
      }
      for (const caller of [t.anonymous, alice]) assert.equal((await secret.get(caller, path)).status, 401, path);
      assert.equal((await nobodys.get(alice, path)).text, 'Not found.\n', path);
    }
    assert.equal((await open.head(t.anonymous, 'swift/north/Chart/1.0.0')).status, 404);
    assert.equal((await open.head(t.anonymous, 'swift/north/Chart')).status, 405);
  });
});

describe('what the registry itself refuses', () => {
  it('is plain text for clients of every format', async () => {
    const limited = await hidden.token(['read:package', 'public-only']);
    for (const path of [
      'pub/api/packages/paint',
      'swift/north/Chart',
      'vagrant/box',
      'chef/api/v1/universe',
      'conan/v2/ping',
      'helm/index.yaml',
      'npm/left',
    ]) {
      const missing = await nobodys.get(alice, path);
      const refused = await secret.get(limited, path);
      const type = 'text/plain; charset=utf-8';
      assert.deepEqual([...inShort(missing), missing.headers.get('content-type')], [404, 'Not found.\n', type], path);
      assert.deepEqual([refused.status, refused.headers.get('content-type')], [403, type], path);
    }
  });
});

describe('a file of a package', () => {
  it('is the same for who has any of it, and whole without bytes', async () => {
    await open.put(alice, 'generic/tool/1.0/file', 'bytes');
    await open.put(alice, 'generic/tool/1.0/void', '');
    assert.equal((await open.get(alice, 'generic/tool/1.0/file', { 'if-none-match': '*' })).status, 304);
    assert.deepEqual(inShort(await open.get(alice, 'generic/tool/1.0/void', { range: 'bytes=0-3' })), [200, '']);
  });
});

describe('a form without its file', () => {
  it('is refused by name', async () => {
    const sent = await alice.send('POST', '//api/packages/alice/chef/api/v1/cookbooks', { form: new FormData() });
    assert.deepEqual([sent.status, sent.json], [400, { error_messages: ['the form has no file tarball'] }]);
  });
});

describe('documents of Conan', () => {
  it('are JSON without a character set, as its clients compare it', async () => {
    const search = await open.get(alice, 'conan/v2/conans/search?q=none');
    assert.deepEqual([search.headers.get('content-type'), search.json], ['application/json', { results: [] }]);
    const missing = await open.get(alice, 'conan/v2/conans/none/1.0/_/_/latest');
    assert.deepEqual([missing.status, missing.headers.get('content-type')], [404, 'application/json']);
  });
});
