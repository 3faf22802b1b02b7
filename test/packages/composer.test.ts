// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { testServer } from '../support/server.ts';
import { type ArchivedFiles, tar, zip } from './support/archives.ts';
import { digestsOf, inShort, registry } from './support/registry.ts';

const t = await testServer({ packages: { limitSizeComposer: 100_000 } });
const alice = await t.user('alice');
const bob = await t.user('bob');
const composer = registry('alice');

const manifest = (fields: Record<string, unknown>) => JSON.stringify({ name: 'acme/tool', version: '1.0.0', ...fields });
const put = async (files: ArchivedFiles, query = '') => inShort(await composer.put(alice, `composer${query}`, zip(files)));
const document = async (name: string, caller = t.anonymous) => (await composer.get(caller, `composer/p2/${name}.json`)).json;
const refusal = (status: number, message: string) => [status, JSON.stringify({ errors: [{ status, message }] })];

/** What Composer makes of a document in its short form: a version has what the one before has. */
function expand(versions: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  let current: Record<string, unknown> = {};
  return versions.map((version) => {
    current = { ...current, ...version };
    for (const [key, value] of Object.entries(current)) if (value === '__unset') delete current[key];
    return { ...current };
  });
}

describe('a package of Composer', () => {
  it('is published and found by the links of its document', async () => {
    const files = {
      'composer.json': manifest({ license: 'MIT', bin: 'a', autoload: { 'psr-4': { 'A\\': 'src/' } } }),
      'README.MD': 'x'.repeat(20_000),
    };
    assert.deepEqual(await put(files), [201, '']);
    const [version] = (await document('acme/tool')).packages['acme/tool'];
    assert.deepEqual(
      [version.license, version.bin, version.autoload, version.type],
      [['MIT'], ['a'], { 'psr-4': { 'A\\': 'src/' } }, 'library'],
    );
    assert.equal(version.readme.length, 10 * 1024);
    const file = await composer.get(t.anonymous, `composer/${version.dist.url.split('/composer/')[1]}`);
    assert.ok(file.bytes.equals(zip(files)));
    assert.equal(version.dist.shasum, digestsOf(file.bytes).sha1);
  });

  it('has what clients say of it after the installation', async () => {
    const funding = [{ type: 'web', url: 'https://example.com' }, { type: 'web', url: 'javascript:1' }, 'x'];
    const fields = { abandoned: 'acme/new', funding, support: { issues: 'https://example.com/issues' }, 'include-path': ['lib'] };
    await put({ 'composer.json': manifest({ name: 'acme/old', ...fields, 'target-dir': 'a', 'php-ext': { 'extension-name': 'old' } }) });
    await put({ 'composer.json': manifest({ name: 'acme/old', version: '1.0.1', abandoned: true }) });
    await put({ 'composer.json': manifest({ name: 'acme/old', version: '1.0.2', abandoned: false, funding: 'x' }) });
    const [newest, newer, old] = expand((await document('acme/old')).packages['acme/old']);
    assert.deepEqual([newest?.abandoned, newest?.funding, newer?.abandoned, newer?.support], [undefined, undefined, true, undefined]);
    const { abandoned, support, 'include-path': path, 'target-dir': folder, 'php-ext': extension } = old ?? {};
    assert.deepEqual([abandoned, old?.funding, support], ['acme/new', [{ type: 'web', url: 'https://example.com' }], fields.support]);
    assert.deepEqual([path, folder, extension], [['lib'], 'a', { 'extension-name': 'old' }]);
  });

  it('has versions that take nothing from the ones before', async () => {
    const fields = [{ require: { php: '>=8' }, description: 'one' }, { 'require-dev': { x: '1' } }, {}];
    for (const [index, field] of fields.entries())
      await put({ 'composer.json': manifest({ name: 'acme/many', version: `1.0.${index}`, ...field }) });
    const versions = expand((await document('acme/many')).packages['acme/many']);
    const shown = versions.map(({ version, require, description, 'require-dev': dev }) => ({ version, require, description, dev }));
    assert.deepEqual(shown, [
      { version: '1.0.2', require: undefined, description: undefined, dev: undefined },
      { version: '1.0.1', require: undefined, description: undefined, dev: { x: '1' } },
      { version: '1.0.0', require: { php: '>=8' }, description: 'one', dev: undefined },
    ]);
    await alice.must('DELETE', '/packages/alice/composer/acme%2Fmany/1.0.2');
    assert.equal((await document('acme/many~dev')).packages['acme/many'].length, 2);
  });

  it('may be a tar archive, with the version in the URL', async () => {
    const bytes = gzipSync(await tar({ './composer.json': JSON.stringify({ name: 'acme/tar' }) }));
    assert.equal((await composer.put(alice, 'composer?version=0.1', bytes)).status, 201);
    const [version] = (await document('acme/tar')).packages['acme/tar'];
    assert.match(version.dist.url, /\/acme%2Ftar\/0\.1\/acme-tar\.0\.1\.tar\.gz$/);
  });

  it('tells the source to those who see the repository', async () => {
    await put({ 'composer.json': manifest({ name: 'acme/linked' }) });
    await alice.must('POST', '/user/repos', { name: 'secret', private: true });
    const source = async (caller = t.anonymous) => (await document('acme/linked', caller)).packages['acme/linked'][0].source.url;
    assert.equal(await source(), '');
    await alice.must('POST', '/packages/alice/composer/acme%2Flinked/-/link/secret');
    assert.deepEqual([await source(), await source(bob)], ['', '']);
    assert.match(await source(alice), /\/alice\/secret$/);
    await alice.must('PATCH', '/repos/alice/secret', { name: 'renamed' });
    assert.match(await source(alice), /\/alice\/renamed$/);
  });

  it('is searched for by its name and type', async () => {
    await put({ 'composer.json': manifest({ name: 'find/one', type: 'project', description: 'One' }) });
    await put({ 'composer.json': manifest({ name: 'find/two' }) });
    const { total, results, next } = (await composer.get(t.anonymous, 'composer/search.json?q=FIND&type=project')).json;
    assert.deepEqual([total, results, next], [1, [{ name: 'find/one', description: 'One', downloads: 0 }], undefined]);
    const first = (await composer.get(t.anonymous, 'composer/search.json?q=find&per_page=1')).json;
    assert.match(first.next, /\/composer\/search\.json\?page=2&per_page=1&q=find&type=$/);
    const past = (await composer.get(t.anonymous, `composer/search.json?q=find&per_page=1&page=${'9'.repeat(20)}`)).json;
    assert.deepEqual([past.total, past.results, past.next], [2, [], undefined]);
    const { packageNames } = (await composer.get(t.anonymous, 'composer/list.json')).json;
    assert.ok(packageNames.includes('find/two'));
    await put({ 'composer.json': manifest({ name: 'find/later' }) });
    const names: string[] = (await composer.get(t.anonymous, 'composer/list.json')).json.packageNames;
    assert.deepEqual(
      names.filter((name) => name.startsWith('find/')),
      ['find/later', 'find/one', 'find/two'],
    );
  });
});

describe('the Composer repository', () => {
  it('refuses what is not a package', async () => {
    assert.deepEqual(await put({ a: '' }), refusal(400, 'composer.json file is missing'));
    assert.deepEqual(await put({ 'sub/composer.json': manifest({}) }), refusal(400, 'composer.json file is missing'));
    assert.deepEqual(await put({ 'composer.json': '{' }), refusal(400, 'composer.json is not JSON'));
    assert.deepEqual(await put({ 'composer.json': manifest({ name: 'tool' }) }), refusal(400, 'package name is invalid'));
    assert.deepEqual(
      await put({ 'composer.json': manifest({ name: `a/${'a'.repeat(50_000)}!` }) }),
      refusal(400, 'package name is invalid'),
    );
    assert.deepEqual(await put({ 'composer.json': manifest({ version: '' }) }), refusal(400, 'package version is invalid'));
    const deep = `{"name":"a/b","version":"1.0.0","extra":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`;
    assert.deepEqual(
      await put({ 'composer.json': deep }),
      refusal(400, 'composer.json has more than 50 objects and lists within each other'),
    );
    assert.deepEqual(inShort(await composer.put(alice, 'composer', 'no archive')), refusal(400, 'not a valid package file'));
    const form = new FormData();
    form.append('file', new Blob([Uint8Array.from(zip({ 'composer.json': manifest({ version: '7.0.0' }) }))]), 'tool.zip');
    assert.deepEqual(inShort(await alice.send('PUT', '//api/packages/alice/composer', { form })), refusal(400, 'not a valid package file'));
    assert.deepEqual(inShort(await composer.put(alice, 'composer', 'x')), refusal(400, 'not a valid package file'));
    assert.equal((await composer.put(alice, 'composer', gzipSync('no tar'))).status, 400);
    assert.equal((await composer.put(bob, 'composer', zip({ 'composer.json': manifest({}) }))).status, 401);
    assert.deepEqual(inShort(await composer.get(alice, 'composer/p2/acme/none.json')), refusal(404, 'package does not exist'));
  });
});
