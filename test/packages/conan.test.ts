// On SQLite alone: the tests of the registry itself run on both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConanfile } from '../../src/packages/conan/documents.ts';
import { Client } from '../support/client.ts';
import { PASSWORD, testServer } from '../support/server.ts';
import { digestsOf, registry } from './support/registry.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const packages = registry('alice');
const HELLO = 'conan/v2/conans/hello/1.0/_/_';
const recipe = 'class Recipe:\n    license = "MIT"\n    topics = ("a", "b")\n';
const info = '[settings]\n    os=Linux\n[options]\n[env]\n    A=[x,y]\n';
const put = async (path: string, content = '', caller = alice) => (await packages.put(caller, path, content)).status;
const read = async (path: string, caller = t.anonymous) => {
  const { status, json } = await packages.get(caller, path);
  return status === 200 ? json : [status, json?.message];
};
const remove = async (path: string) => (await packages.delete(alice, path)).status;

describe('a Conan registry', () => {
  it('has recipes and packages in revisions', async () => {
    for (const revision of ['aaa', 'bbb']) assert.equal(await put(`${HELLO}/revisions/${revision}/files/conanfile.py`, recipe), 201);
    for (const revision of ['r1', 'r2'])
      assert.equal(await put(`${HELLO}/revisions/bbb/packages/p1/revisions/${revision}/files/conaninfo.txt`, info), 201);
    assert.equal((await read(`${HELLO}/latest`)).revision, 'bbb');
    const revisions = (await read(`${HELLO}/revisions`)).revisions as { revision: string }[];
    assert.deepEqual(
      revisions.map(({ revision }) => revision),
      ['bbb', 'aaa'],
    );
    assert.equal((await read(`${HELLO}/revisions/bbb/packages/p1/latest`)).revision, 'r2');
    assert.deepEqual(await read(`${HELLO}/revisions/bbb/packages/p1/revisions/r1/files`), { files: { 'conaninfo.txt': null } });
    const { p1, ...others } = await read(`${HELLO}/search`);
    assert.deepEqual([p1.settings, p1.options, p1.environment, others], [{ os: 'Linux' }, null, { A: ['[x', 'y]'] }, {}]);
    assert.deepEqual(await read(`${HELLO}/revisions/aaa/search`), {});
    const conanfile = await packages.get(t.anonymous, `${HELLO}/revisions/aaa/files/conanfile.py`);
    assert.equal(conanfile.text, recipe);
    assert.deepEqual(await read('conan/v2/conans/none/1.0/_/_/latest'), [404, 'recipe reference does not exist']);
  });

  it('exchanges a password for a token that is good for packages alone', async () => {
    const url = '//api/packages/alice/conan/v2/users';
    const { text: token } = await alice.get(`${url}/authenticate`);
    const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });
    assert.equal((await t.anonymous.send('GET', `${url}/check_credentials`, bearer(token))).status, 200);
    const path = `//api/packages/alice/${HELLO}/revisions/ccc/files/conanfile.py`;
    assert.equal((await t.anonymous.send('PUT', path, { raw: recipe, ...bearer(token) })).status, 201);
    for (const wrong of ['x', `${token}x`, token.replace(/\..*\./, '.eA.')]) {
      assert.equal((await t.anonymous.send('GET', `${url}/check_credentials`, bearer(wrong))).status, 401);
    }
    assert.equal((await t.anonymous.send('GET', '/user', bearer(token))).status, 401);
    assert.equal((await t.anonymous.get(`${url}/authenticate`)).status, 400);
    await t.admin.must('PATCH', '/admin/users/alice', { source_id: 0, login_name: 'alice', password: 'Another-Passw0rd' });
    assert.equal((await t.anonymous.send('GET', `${url}/check_credentials`, bearer(token))).status, 401);
    const now = new Client(() => t.url, { name: 'alice', password: 'Another-Passw0rd' });
    await t.admin.must('PATCH', '/admin/users/alice', {
      source_id: 0,
      login_name: 'alice',
      password: PASSWORD,
      must_change_password: false,
    });
    assert.equal((await now.get('/user')).status, 401);
  });

  it('serves the older protocol', async () => {
    const greet = 'conan/v1/conans/greet/2.0/team/testing';
    const posted = await packages.post(alice, `${greet}/upload_urls`, JSON.stringify({ 'conanfile.py': 1, other: 1 }));
    const url = `${t.url}api/packages/alice/conan/v1/files/greet/2.0/team/testing/0/recipe/conanfile.py`;
    assert.deepEqual(posted.json, { 'conanfile.py': url });
    assert.equal(await put('conan/v1/files/greet/2.0/team/testing/0/recipe/conanfile.py', recipe), 201);
    assert.equal(await put('conan/v1/files/greet/2.0/team/testing/0/package/p7/0/conaninfo.txt', info), 201);
    assert.deepEqual(await read(greet), { 'conanfile.py': digestsOf(recipe).md5 });
    assert.deepEqual(await read(`${greet}/download_urls`), { 'conanfile.py': url });
    assert.deepEqual(Object.keys(await read(`${greet}/search`)), ['p7']);
    for (const [q, results] of [
      ['gr*t', ['greet/2.0@team/testing']],
      ['*/*@te*/t*g', ['greet/2.0@team/testing']],
      ['HELLO/1.*', ['hello/1.0']],
      ['ello', []],
      ['hello*lo', []],
    ] as const) {
      assert.deepEqual((await read(`conan/v2/conans/search?q=${encodeURIComponent(q)}`)).results, results, q);
    }
    assert.equal((await packages.post(alice, `${greet}/packages/delete`, '{"package_ids": []}')).status, 200);
    assert.deepEqual(await read(`${greet}/packages/p7`), [404, '']);
    assert.deepEqual([await remove(greet), await remove(greet)], [200, 404]);
  });

  it('describes packages by their newest revisions, also many of them', async () => {
    const many = 'conan/v2/conans/many/1.0/_/_';
    assert.equal(await put(`${many}/revisions/r/files/conanfile.py`, recipe), 201);
    const ids = Array.from({ length: 70 }, (_, number) => `p${number}`);
    for (const id of ids) {
      const files = `${many}/revisions/r/packages/${id}/revisions/1/files`;
      assert.equal(await put(`${files}/conaninfo.txt`, `[settings]\nid=${id}\n`), 201);
      assert.equal(await put(`${files}/conanmanifest.txt`, '1\n'), 201);
    }
    assert.equal(await put(`${many}/revisions/r/packages/p1/revisions/2/files/conaninfo.txt`, '[settings]\nid=newer\n'), 201);
    assert.equal(await put(`${many}/revisions/r/packages/p2/revisions/2/files/conanmanifest.txt`, '2\n'), 201);
    const found = (await read(`${many}/search`)) as Record<string, { settings: { id: string } } | null>;
    const named = Object.fromEntries(Object.entries(found).map(([id, info]) => [id, info?.settings.id ?? null]));
    assert.deepEqual(named, { ...Object.fromEntries(ids.map((id) => [id, id])), p1: 'newer', p2: null });
    const listed = JSON.stringify({ package_ids: [...ids.slice(1), ...Array.from({ length: 50_000 }, (_, number) => `x${number}`)] });
    assert.equal((await packages.post(alice, 'conan/v1/conans/many/1.0/_/_/packages/delete', listed)).status, 200);
    assert.deepEqual(Object.keys(await read(`${many}/search`)), ['p0']);
    assert.equal(await remove(many), 200);
  });

  it('refuses what is not a recipe', async () => {
    const files = `${HELLO}/revisions/aaa/files`;
    for (const path of [
      `${files}/readme.md`,
      `${HELLO}/revisions/a-b/files/conanfile.py`,
      'conan/v2/conans/hello/1.0/_/stable/revisions/a/files/conanfile.py',
    ]) {
      assert.equal(await put(path, recipe), 400, path);
    }
    for (const name of ['a', '-a', 'a'.repeat(52), 'a%7Cb']) {
      assert.equal(await put(`conan/v2/conans/${name}/1.0/_/_/revisions/a/files/conanfile.py`, recipe), 400, name);
    }
    assert.equal(await put(`${HELLO}/revisions/bbb/packages/p1/revisions/r3/files/conaninfo.txt`, 'no section'), 400);
    assert.equal(await put(`${files}/conanfile.py`, 'x'.repeat(1024 * 1024 + 1)), 400);
    assert.equal(await put(`${HELLO}/revisions/bbb/packages/p1/revisions/r3/files/conaninfo.txt`, `[env]\n${'x'.repeat(140_000)}`), 400);
    for (const caller of [bob, t.anonymous]) assert.equal(await put(`${files}/conanfile.py`, recipe, caller), 401);
  });

  it('deletes what the path names, and no more', async () => {
    const packagesOf = `${HELLO}/revisions/bbb/packages`;
    assert.deepEqual([await remove(`${packagesOf}/p1/revisions/r2`), await remove(`${packagesOf}/p1/revisions/r2`)], [200, 404]);
    assert.equal((await read(`${packagesOf}/p1/latest`)).revision, 'r1');
    assert.deepEqual([await remove(packagesOf), await remove(packagesOf)], [200, 404]);
    assert.equal(await remove(`${HELLO}/revisions/ccc`), 200);
    assert.equal((await read(`${HELLO}/latest`)).revision, 'bbb');
    assert.deepEqual([await remove(HELLO), await remove(HELLO)], [200, 404]);
  });

  it('reads attributes of recipes without running them', () => {
    const text = `author = 'Ann'\n url='https://x'\nlicense = ("MIT", 'X')\ntopics = ("a", 'b',)\ndescription = no\nname = "${'('.repeat(100_000)}`;
    const wanted = { author: 'Ann', repository_url: 'https://x', license: 'MIT, X', keywords: ['a', 'b'] };
    assert.deepEqual(parseConanfile(text), wanted);
  });
});
