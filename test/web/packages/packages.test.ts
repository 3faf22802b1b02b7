import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { PACKAGE_TYPES } from '../../../src/database/tables/package-types.ts';
import { dependenciesOf } from '../../../src/web/packages/dependencies.ts';
import { instructionsFor } from '../../../src/web/packages/install.ts';
import { registry } from '../../packages/support/registry.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

// On SQLite alone: the queries are those of the API.

const t = await testServer();
const alice = await t.user('alice');
const hidden = await t.user('hidden', { visibility: 'private' });
await t.user('bob');
const browser = new Browser(t.url);
const bob = new Browser(t.url);
const stranger = new Browser(t.url);
const LIST = '/alice/-/packages';
const TOOL = `${LIST}/generic/tool`;

before(async () => {
  for (const path of ['tool/1.0', 'tool/1.1', 'box/1<b>'])
    await registry('alice').put(alice, `generic/${encodeURI(path)}/a%20file.txt`, path);
  await registry('hidden').put(hidden, 'generic/secret/1.0/file', 'x');
  await alice.must('POST', '/user/repos', { name: 'demo', private: true });
  await browser.signIn('alice', PASSWORD);
  await bob.signIn('bob', PASSWORD);
});

it('packages of an owner are listed, filtered by type and name', async () => {
  const { text } = await stranger.get(LIST);
  assert.ok(text.includes(`href="${TOOL}/1.1"`) && !text.includes(`href="${TOOL}/1.0"`) && !text.includes('<b>'));
  assert.ok(!(await stranger.get(`${LIST}?q=BOX`)).text.includes(TOOL));
  assert.match((await stranger.get(`${LIST}?type=npm`)).text, /No package matches/);
  assert.match((await bob.get('/bob/-/packages')).text, /no packages yet/);
});

it('a version is shown with its files, which are downloaded, and the other versions', async () => {
  assert.equal((await stranger.get(TOOL)).location, `${TOOL}/1.1`);
  const { text, status } = await stranger.get(`${TOOL}/1.0`);
  assert.ok(status === 200 && text.includes(`href="${TOOL}/1.1"`) && !text.includes('/settings"'), text);
  assert.match(text, /curl -OJ &#34;http[^ ]*\/api\/packages\/alice\/generic\/tool\/1\.0\/a%20file\.txt|curl -OJ "http/);
  const file = /href="([^"]*\/files\/\d+)"/.exec(text)?.[1] ?? '';
  const served = await stranger.get(file);
  assert.deepEqual([served.text, served.headers.get('content-disposition')?.startsWith('attachment')], ['tool/1.0', true]);
  assert.equal((await stranger.get(file.replace('1.0', '1.1'))).status, 404);
  assert.ok((await stranger.get(`${TOOL}/versions`)).text.includes(`href="${TOOL}/1.0"`));
});

it('a package is linked to a repository, unlinked and deleted by who may', async () => {
  const path = `${TOOL}/1.0/settings`;
  const send = async (fields: Record<string, string>) => browser.submit(await browser.get(path), fields, path);
  assert.equal((await bob.get(path)).status, 403);
  assert.match((await stranger.get(path)).location, /^\/user\/login/);
  assert.equal((await browser.send('POST', path, { fields: { do: 'delete', confirm: 'tool' } })).status, 403);
  const refused = await send({ do: 'link', repository: '<none>' });
  assert.ok(refused.status === 422 && refused.text.includes('value="&lt;none&gt;"'));
  assert.equal((await send({ do: 'link', repository: 'demo' })).status, 303);
  assert.ok((await browser.get('/alice/demo/packages')).text.includes(`href="${TOOL}/1.1"`));
  assert.ok(!(await stranger.get(LIST)).text.includes('alice/demo'));
  assert.equal((await bob.get('/alice/demo/packages')).status, 404);
  assert.equal((await send({ do: 'unlink' })).status, 303);
  assert.match((await browser.get('/alice/demo/packages')).text, /No packages are linked/);
  assert.equal((await send({ do: 'delete', confirm: 'other' })).status, 422);
  assert.equal((await send({ do: 'delete', confirm: 'tool' })).location, LIST);
  assert.equal((await browser.get(`${TOOL}/1.0`)).status, 404);
  assert.equal((await browser.get(`${TOOL}/1.1`)).status, 200);
});

it('packages of hidden owners are not found', async () => {
  for (const rest of ['', '/generic/secret', '/generic/secret/1.0', '/generic/secret/versions', '/generic/secret/1.0/files/1'])
    for (const who of [bob, stranger]) assert.equal((await who.get(`/hidden/-/packages${rest}`)).status, 404, rest);
});

it('each type names the package and the registry', () => {
  for (const type of PACKAGE_TYPES) {
    const files = [{ name: 'file', place: 'main|extra|amd64' }];
    const { setUp, use } = instructionsFor(type, { name: 'tool', version: '1.0', owner: 'Al', root: 'https://x.y/z', metadata: {}, files });
    assert.match(setUp + use, type === 'container' ? /x\.y\/al\/tool:1\.0/ : RegExp(`https://x\\.y/z/api/packages/Al/${type}`), type);
    assert.match(setUp + use, /tool/, type);
  }
});

it('dependencies are read from the metadata of all formats, whatever it holds', () => {
  const read = (metadata: object) =>
    [...dependenciesOf(metadata as Record<string, unknown>)].map(([use, all]) => [
      use,
      ...all.map(({ name, range }) => `${name} ${range}`),
    ]);
  assert.deepEqual(read({ dependencies: { a: '^1' }, devDependencies: { b: '2' }, peerDependencies: { c: '*' } }), [
    ['run', 'a ^1'],
    ['develop', 'b 2'],
    ['peer', 'c *'],
  ]);
  assert.deepEqual(read({ dependencies: { 'net8.0': [{ id: 'N', version: '[1,2)' }] } }), [['run', 'N [1,2)']]);
  assert.deepEqual(
    read({
      dependencies: [
        { name: 'serde', req: '^1' },
        { group_id: 'org.x', artifact_id: 'y', version: '3' },
      ],
    }),
    [['run', 'serde ^1', 'org.x:y 3']],
  );
  assert.deepEqual(read({ dependencies: [{ name: 'rake', version: [{ restriction: '>=', version: '1' }] }] }), [['run', 'rake >= 1']]);
  assert.deepEqual(read({ depends: ['glibc>=2', 7, null, {}], imports: 'none' }), [['run', 'glibc>=2 ']]);
  assert.deepEqual(read({ dependencies: null, require: 3 }), []);
});
