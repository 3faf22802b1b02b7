// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { zip } from './support/archives.ts';
import { inShort, registry } from './support/registry.ts';

const t = await testServer({ packages: { limitSizeGo: 2_000_000 } });
const alice = await t.user('alice');
const bob = await t.user('bob');
const modules = registry('alice');
const NAME = 'example.com/Acme/tool';

const moduleOf = (version: string, files: Record<string, string> = { 'go.mod': `module ${NAME}\n` }, name = NAME) =>
  zip(Object.fromEntries(Object.entries(files).map(([path, text]) => [`${name}@${version}/${path}`, text])));
const upload = async (content: Buffer, caller = alice) => inShort(await modules.put(caller, 'go/upload', content));
const read = async (path: string, name = 'example.com/!acme/tool') => inShort(await modules.get(t.anonymous, `go/${name}/${path}`));

describe('a module of Go', () => {
  it('is uploaded once, listed and downloaded, under its name with capitals encoded', async () => {
    const content = moduleOf('v1.0.0-RC1');
    assert.deepEqual(await upload(content), [201, '']);
    assert.deepEqual(await upload(content), [409, 'package version already exists']);
    await upload(moduleOf('v1.0.0', { 'sub/go.mod': 'module other', 'tool.go': 'package tool' }));
    assert.deepEqual(await read('@v/list'), [200, 'v1.0.0-RC1\nv1.0.0\n']);
    const { Version, Time } = JSON.parse((await read('@latest'))[1]);
    assert.deepEqual([Version, Date.parse(Time) > 0], ['v1.0.0', true]);
    assert.equal(JSON.parse((await read('@v/v1.0.0-!r!c1.info'))[1]).Version, 'v1.0.0-RC1');
    assert.equal(JSON.parse((await read('@v/latest.info'))[1]).Version, 'v1.0.0');
    assert.deepEqual(await read('@v/v1.0.0-!r!c1.mod'), [200, `module ${NAME}\n`]);
    assert.deepEqual(await read('@v/v1.0.0.mod'), [200, `module ${NAME}`]);
    assert.deepEqual((await modules.get(bob, 'go/example.com/!acme/tool/@v/v1.0.0-!r!c1.zip')).bytes, content);
  });

  it('has a list that is read again only when it has changed', async () => {
    const list = (headers: Record<string, string> = {}) => modules.get(t.anonymous, 'go/example.com/listed/@v/list', headers);
    const publish = (version: string) => upload(moduleOf(version, { 'go.mod': 'module example.com/listed' }, 'example.com/listed'));
    await publish('v1.0.0');
    const before = await list();
    const known = { 'if-none-match': before.headers.get('etag') ?? '' };
    assert.deepEqual([before.text, (await list(known)).status], ['v1.0.0\n', 304]);
    await publish('v0.1.0');
    const after = await list(known);
    assert.deepEqual([after.status, after.text], [200, 'v1.0.0\nv0.1.0\n']);
    await t.settled();
    assert.equal((await list()).text, after.text);
    for (const version of ['v1.0.0', 'v0.1.0'])
      await alice.must('DELETE', `/packages/alice/go/${encodeURIComponent('example.com/listed')}/${version}`);
    assert.equal((await list()).status, 404);
  });

  it('is not found under what it is not', async () => {
    assert.deepEqual(await read('@v/list', 'example.com/none'), [404, '']);
    assert.deepEqual(await read('@v/v2.0.0.mod'), [404, 'package does not exist']);
    assert.deepEqual(await read('@v/v1.0.0.zip', 'example.com/!Acme/tool'), [404, 'package does not exist']);
    assert.equal((await read('supported', 'sumdb/sum.golang.org'))[0], 404);
  });

  it('is refused where its archive is none', async () => {
    for (const content of [zip({ 'readme.md': '' }), moduleOf('v1\nv2'), moduleOf('', {}), moduleOf('v1.0.0', { 'go.mod': '' }, 'a b')]) {
      assert.equal((await upload(content))[0], 400);
    }
    assert.deepEqual(await upload(zip({ 'a/readme.md': '' })), [400, 'package has invalid structure']);
    assert.deepEqual(await upload(moduleOf('v3.0.0', { 'go.mod': ' '.repeat(1024 * 1024 + 1) })), [400, 'go.mod file is too large']);
    assert.equal((await upload(Buffer.from('no archive')))[0], 400);
    assert.equal((await upload(Buffer.alloc(2_000_001)))[0], 403);
    assert.equal((await read('@v/list'))[1], 'v1.0.0-RC1\nv1.0.0\n');
  });

  it('is uploaded by nobody else', async () => {
    for (const caller of [bob, t.anonymous]) assert.equal((await upload(moduleOf('v4.0.0'), caller))[0], 401);
  });
});
