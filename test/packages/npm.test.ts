// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { collectPackages } from '../../src/packages/blobs/collect.ts';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { inShort, registry } from './support/registry.ts';

const t = await testServer({ packages: { limitSizeNpm: 100_000, unlinkedExpiry: 0 } });
const alice = await t.user('alice');
const bob = await t.user('bob');
const npm = registry('alice');

interface Options {
  data?: Buffer;
  tags?: Record<string, string>;
  manifest?: Record<string, unknown>;
  integrity?: string;
  attachment?: string;
}

/** What `npm publish` sends. */
function publication(name: string, version: string, { data = Buffer.from(`${name} ${version}`), ...options }: Options = {}): string {
  const { tags = { latest: version }, manifest = {}, attachment = data.toString('base64') } = options;
  const integrity = options.integrity ?? `sha512-${createHash('sha512').update(data).digest('base64')}`;
  return JSON.stringify({
    _id: name,
    name,
    'dist-tags': tags,
    versions: { [version]: { name, version, ...manifest, dist: { integrity } } },
    _attachments: { [`${name}-${version}.tgz`]: { content_type: 'application/octet-stream', data: attachment } },
  });
}

const publish = (caller: Client, name: string, version: string, options?: Options) =>
  npm.put(caller, `npm/${encodeURIComponent(name)}`, publication(name, version, options), { 'content-type': 'application/json' });
const read = async (path: string) => (await npm.get(t.anonymous, `npm/${path}`)).json;

describe('an npm package', () => {
  it('is published with its tarball, which clients find by the links of its document', async () => {
    const data = Buffer.alloc(90_000, 'tarball');
    const manifest = {
      license: { type: 'MIT' },
      author: 'Ann',
      dependencies: { b: '1', c: 2 },
      homepage: 'javascript:1',
      bin: { a: 'a.js' },
    };
    assert.deepEqual(inShort(await publish(alice, '@team/left', '1.0.0', { data, manifest })), [201, '']);
    const { versions, ...about } = await read('@team%2fleft');
    assert.deepEqual([about.name, about.license, about['dist-tags']], ['@team/left', 'MIT', { latest: '1.0.0' }]);
    const { dist, dependencies, homepage, bin, author } = versions['1.0.0'];
    assert.deepEqual([dependencies, homepage, bin, author], [{ b: '1' }, undefined, { a: 'a.js' }, { name: 'Ann' }]);
    assert.match(dist.tarball, /\/api\/packages\/alice\/npm\/%40team%2Fleft\/-\/1\.0\.0\/left-1\.0\.0\.tgz$/);
    const tarball = await npm.get(t.anonymous, `npm/${dist.tarball.split('/npm/')[1]}`);
    assert.ok(tarball.bytes.equals(data));
    assert.equal(createHash('sha1').update(tarball.bytes).digest('hex'), dist.shasum);
    assert.ok((await npm.get(t.anonymous, 'npm/@team/left/-/left-1.0.0.tgz')).bytes.equals(data));
  });

  it('says on which machines it is installed, and whether scripts run then', async () => {
    const manifest = {
      engines: { node: '>=22', npm: 1 },
      os: ['linux', 5],
      cpu: 'x64',
      libc: ['glibc'],
      scripts: { postinstall: 'node build.js' },
      funding: [{ type: 'web', url: 'https://example.com/a' }, 'https://example.com/b', { url: 'javascript:1' }],
    };
    await publish(alice, 'native', '1.0.0', { manifest });
    await publish(alice, 'native', '1.1.0', { manifest: { scripts: { test: 'node test.js' }, funding: 'https://example.com/c' } });
    const { versions } = await read('native');
    const { engines, os, cpu, libc, hasInstallScript, funding } = versions['1.0.0'];
    assert.deepEqual([engines, os, cpu, libc, hasInstallScript], [{ node: '>=22' }, ['linux'], ['x64'], ['glibc'], true]);
    assert.deepEqual(funding, [{ type: 'web', url: 'https://example.com/a' }, 'https://example.com/b']);
    assert.deepEqual([versions['1.1.0'].hasInstallScript, versions['1.1.0'].funding], [undefined, 'https://example.com/c']);
  });

  it('has its document built again after each change, from all its versions', async () => {
    for (const version of ['1.9.0', '1.10.0', '1.2.0']) await publish(alice, 'many', version, { manifest: { description: version } });
    assert.equal((await read('many')).description, '1.10.0');
    await publish(alice, 'many', '2.0.0', { tags: { next: '2.0.0' }, manifest: { description: 'two' } });
    const { description, 'dist-tags': tags, versions } = await read('many');
    assert.deepEqual([description, tags], ['two', { latest: '1.2.0', next: '2.0.0' }]);
    assert.deepEqual(Object.keys(versions).sort(), ['1.10.0', '1.2.0', '1.9.0', '2.0.0']);
    await collectPackages(t.context, new AbortController().signal);
    assert.equal((await read('many')).description, 'two');
  });

  it('is read before its attachment has arrived, wherever that is in the document', async () => {
    const data = Buffer.from('attachment');
    const text = publication('order', '1.0.0', { data });
    const { _attachments, ...rest } = JSON.parse(text);
    const first = `{"_attachments":${JSON.stringify(_attachments).replace('=', '\\u003d')},${JSON.stringify(rest).slice(1)}`;
    assert.deepEqual(inShort(await npm.put(alice, 'npm/order', first)), [400, '{"error":"package attachment is invalid"}']);
    const escaped = `{"_attachments":${JSON.stringify(_attachments)},${JSON.stringify(rest).slice(1)}`;
    assert.equal((await npm.put(alice, 'npm/order', escaped)).status, 201);
    assert.equal((await npm.get(alice, 'npm/order/-/1.0.0/order-1.0.0.tgz')).text, 'attachment');
  });

  it('is deprecated, and is so no longer', async () => {
    await publish(alice, 'old', '1.0.0');
    const deprecate = async (message: string) => {
      const document = await read('old');
      document.versions['1.0.0'].deprecated = message;
      return npm.put(alice, 'npm/old', JSON.stringify(document));
    };
    assert.equal((await deprecate('use new')).status, 200);
    assert.equal((await read('old')).versions['1.0.0'].deprecated, 'use new');
    await deprecate('');
    assert.equal((await read('old')).versions['1.0.0'].deprecated, undefined);
    const [known, missing] = ['1.0.0', '9.0.0'].map((version) => ({ name: 'old', version, deprecated: 'x' }));
    const unknown = { name: 'old', versions: { 1: known, 9: missing } };
    assert.deepEqual(inShort(await npm.put(alice, 'npm/old', JSON.stringify(unknown))), [400, '{"error":"package attachment is invalid"}']);
    await publish(alice, 'old', '2.0.0');
    assert.equal((await read('old')).versions['1.0.0'].deprecated, undefined);
  });

  it('goes with its tags', async () => {
    await publish(alice, 'gone', '1.0.0', { tags: { latest: '1.0.0', lts: '1.0.0' } });
    await publish(alice, 'gone', '2.0.0', { tags: { latest: '2.0.0' } });
    assert.equal((await npm.delete(alice, 'npm/gone/-/1.0.0/gone-1.0.0.tgz/-rev/1')).status, 200);
    assert.deepEqual((await read('gone'))['dist-tags'], { latest: '2.0.0' });
    assert.equal((await npm.delete(alice, 'npm/gone/-rev/1')).status, 200);
    assert.deepEqual(inShort(await npm.get(alice, 'npm/gone')), [404, '{"error":""}']);
  });

  it('is unpublished with the path of its tarball below that of the registry, as npm sends it', async () => {
    await publish(alice, '@twice/a', '1.0.0');
    const remove = (owner: string) => npm.delete(alice, `npm/api/packages/${owner}/npm/%40twice%2fa/-/1.0.0/a-1.0.0.tgz/-rev/undefined`);
    assert.equal((await remove('bob')).status, 404);
    assert.equal((await remove('alice')).status, 200);
    assert.equal((await npm.get(alice, 'npm/@twice%2fa')).status, 404);
  });

  it('is linked to the repository of its URL, which tells nothing of those that the caller may not see', async () => {
    await alice.must('POST', '/user/repos', { name: 'code' });
    await bob.must('POST', '/user/repos', { name: 'secret', private: true });
    await bob.must('POST', '/user/repos', { name: 'open' });
    const link = (name: string, path: string) =>
      publish(alice, name, '1.0.0', {
        manifest: { repository: { type: 'git', url: new URL(path, t.context.settings.server.rootUrl).href } },
      });
    assert.equal((await link('linked', 'alice/code.git')).status, 201);
    assert.equal((await link('hidden', 'bob/secret')).status, 201);
    assert.deepEqual(inShort(await link('refused', 'bob/open')), [403, '{"error":"no permission to upload this package"}']);
    const rows = await t.context.db
      .selectFrom('packages')
      .select(['name', 'repository_id'])
      .where('name', 'in', ['linked', 'hidden', 'refused'])
      .execute();
    assert.deepEqual(rows.map(({ name, repository_id }) => `${name} ${repository_id !== null}`).sort(), ['hidden false', 'linked true']);
  });
});

describe('the npm registry', () => {
  it('takes an access token as the password of a login, and gives it back', async () => {
    const logIn = (name: string, password: string) =>
      npm.put(t.anonymous, `npm/-/user/org.couchdb.user:${name}`, JSON.stringify({ name, password }), {
        'content-type': 'application/json',
      });
    const { password: token } = await bob.token(['read:package']);
    const login = await logIn('Bob', token);
    assert.deepEqual([login.status, login.json.ok, login.json.token], [201, true, token]);
    const refusals = [await logIn('bob', bob.password), await logIn('alice', token), await logIn('bob', 'wrong'), await logIn('', '')];
    for (const refusal of refusals) {
      assert.equal(refusal.status, 401);
      assert.ok(!refusal.text.includes('"token"'));
    }
    assert.match(refusals[0]?.text ?? '', /an access token in place of the password/);
    assert.equal((await npm.put(t.anonymous, 'npm/-/user/x', '[]')).status, 400);
  });

  it('deletes the token that a client logs out with', async () => {
    const { password: token } = await bob.token(['read:package']);
    const { password: other } = await alice.token(['read:package']);
    const logOut = (as: string, value: string) =>
      t.anonymous.send('DELETE', `//api/packages/alice/npm/-/user/token/${value}`, { headers: { authorization: `Bearer ${as}` } });
    assert.equal((await npm.delete(t.anonymous, `npm/-/user/token/${token}`)).status, 401);
    assert.equal((await logOut(token, other)).status, 404);
    assert.deepEqual(inShort(await logOut(token, token)), [200, '']);
    assert.equal((await logOut(token, token)).status, 401);
    assert.equal((await logOut(other, other)).status, 200);
  });

  it('says who may read and publish a package', async () => {
    assert.equal((await publish(alice, '@team/open', '1.0.0')).status, 201);
    const about = async (path: string) => (await npm.get(t.anonymous, `npm/-/package/@team%2fopen/${path}`)).json;
    assert.deepEqual([await about('visibility'), await about('collaborators')], [{ public: true }, { alice: 'write' }]);
    assert.equal((await npm.get(t.anonymous, 'npm/-/package/none/visibility')).status, 404);
    assert.equal((await npm.get(t.anonymous, 'npm/-/package/none/collaborators')).status, 404);
  });

  it('says who its caller is', async () => {
    assert.deepEqual((await npm.get(bob, 'npm/-/whoami')).json, { username: 'bob' });
    assert.equal((await npm.get(t.anonymous, 'npm/-/whoami')).status, 401);
    assert.deepEqual(inShort(await npm.get(t.anonymous, 'npm/-/ping')), [200, '{}']);
  });

  it('refuses what is not a package, and keeps nothing of it', async () => {
    const error = async (name: string, version: string, options?: Options) => (await publish(alice, name, version, options)).json.error;
    assert.equal(await error('Upper', '1.0.0'), 'package name is invalid');
    assert.equal(await error('x/../y', '1.0.0'), 'package name is invalid');
    assert.equal(await error('bad', '1'.repeat(300)), 'package version is invalid');
    assert.equal(await error('bad', '1.0.0', { integrity: 'sha256-AAAA' }), 'failed to validate integrity');
    assert.equal(await error('bad', '1.0.0', { attachment: '' }), 'package attachment is invalid');
    assert.equal(await error('bad', '1.0.0', { attachment: 'AA=A' }), 'package attachment is invalid');
    assert.equal(await error('bad', '1.0.0', { tags: { 'v1.2': '1.0.0' } }), 'The tag name is invalid');
    const put = async (body: string) => inShort(await npm.put(alice, 'npm/bad', body));
    assert.deepEqual(await put('{"a":'.repeat(100)), [
      400,
      '{"error":"the document has more than 64 objects and lists within each other"}',
    ]);
    assert.deepEqual(await put('{"_attachments":{"a":{"data":"AAAA'), [400, '{"error":"the document ends within its attachment"}']);
    assert.deepEqual(await put('[]'), [400, '{"error":"the document is not a JSON object"}']);
    const large = await publish(alice, 'bad', '1.0.0', { data: Buffer.alloc(100_001) });
    assert.deepEqual(inShort(large), [403, '{"error":"maximum allowed package type size exceeded"}']);
    assert.equal((await publish(bob, 'bad', '1.0.0')).status, 401);
    assert.deepEqual(await t.context.db.selectFrom('packages').select('id').where('lower_name', 'like', '%bad%').execute(), []);
  });

  it('refuses tags that could be versions, and those of versions that do not exist', async () => {
    await publish(alice, 'tagged', '1.0.0');
    const put = async (tag: string, version: string) => inShort(await npm.put(alice, `npm/-/package/tagged/dist-tags/${tag}`, version));
    assert.deepEqual(await put('1.0', '"1.0.0"'), [400, '{"error":"The tag name is invalid"}']);
    assert.deepEqual(await put('next', '"2.0.0"'), [404, '{"error":"package does not exist"}']);
    assert.deepEqual(await put('__proto__', '"1.0.0"'), [200, '']);
    assert.ok((await npm.get(alice, 'npm/-/package/tagged/dist-tags')).text.includes('"__proto__":"1.0.0"'));
  });

  it('finds packages by a part of their names, newest version first', async () => {
    await publish(alice, '@find/needle', '1.0.0', { manifest: { keywords: ['sharp'] } });
    const { objects, total } = await read('-/v1/search?text=NEED&size=5');
    assert.equal(total, 1);
    const { scope, name, version, keywords } = objects[0].package;
    assert.deepEqual([scope, name, version, keywords], ['@find', '@find/needle', '1.0.0', ['sharp']]);
    assert.deepEqual((await read(`-/v1/search?text=need&from=${'9'.repeat(20)}`)).objects, [], 'past the end');
  });
});
