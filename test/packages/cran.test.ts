// On SQLite alone: the tests of the registry itself run on both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { testServer } from '../support/server.ts';
import { tar, zip } from './support/archives.ts';
import { digestsOf, inShort, registry } from './support/registry.ts';

const t = await testServer();
const alice = await t.user('alice');
const packages = registry('alice');
const description = (fields: Record<string, string> = {}) =>
  Object.entries({ Package: 'hello', Version: '1.0', License: 'MIT', Author: 'Ann [aut, cre], Bo (x)', ...fields })
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
const source = async (fields: Record<string, string> = {}) =>
  gzipSync(await tar({ [`${fields.Package ?? 'hello'}/DESCRIPTION`]: description(fields) }));
const publish = async (content: Uint8Array, path = 'cran/src') => inShort(await packages.put(alice, path, content));
const index = async (path: string) => inShort(await packages.get(t.anonymous, `cran/${path}/PACKAGES`));

describe('a CRAN repository', () => {
  it('lists the version that was published last, and serves all', async () => {
    assert.deepEqual(await index('src/contrib'), [404, '']);
    const content = await source({ Depends: 'R (>= 4.1),\n    methods', NeedsCompilation: 'yes' });
    assert.deepEqual(await publish(content), [201, '']);
    assert.deepEqual(await publish(content), [409, 'package file already exists']);
    const stanza = (version: string, more: string, sum: string) =>
      `Package: hello\nVersion: ${version}\nLicense: MIT\n${more}MD5sum: ${sum}\n`;
    const first = stanza('1.0', 'Depends: R (>= 4.1), methods\nNeedsCompilation: yes\n', digestsOf(content).md5);
    assert.deepEqual(await index('src/contrib'), [200, first]);
    const newer = await source({ Version: '0.9' });
    await publish(newer);
    const second = stanza('0.9', 'NeedsCompilation: no\n', digestsOf(newer).md5);
    assert.deepEqual(await index('src/contrib'), [200, second]);
    const compressed = await packages.get(t.anonymous, 'cran/src/contrib/PACKAGES.gz');
    assert.equal(gunzipSync(compressed.bytes).toString(), second);
    assert.deepEqual((await packages.get(t.anonymous, 'cran/src/contrib/Archive/hello/hello_1.0.tar.gz')).bytes, content);
  });

  it('has binary packages apart from sources', async () => {
    const binary = zip({ 'built/DESCRIPTION': description({ Package: 'built' }) });
    assert.deepEqual(await publish(binary, 'cran/bin?platform=windows&rversion=4.4'), [201, '']);
    assert.match((await index('bin/windows/contrib/4.4'))[1], /^Package: built\n/);
    assert.deepEqual((await packages.get(t.anonymous, 'cran/bin/windows/contrib/4.4/built_1.0.zip')).bytes, binary);
    for (const path of ['bin/windows/contrib/4.3/built_1.0.zip', 'src/contrib/built_1.0.zip', 'src/contrib/PACKAGES.rds']) {
      assert.equal((await packages.get(t.anonymous, `cran/${path}`)).status, 404, path);
    }
    assert.deepEqual(await publish(binary, 'cran/bin?platform=windows'), [400, '']);
    // A newer version of another kind hides it, since the last version counts.
    await publish(await source({ Package: 'built', Version: '2.0' }));
    assert.deepEqual(await index('bin/windows/contrib/4.4'), [404, '']);
  });

  it('takes packages of R alone', async () => {
    const refused = async (content: Uint8Array) => (await publish(content))[1];
    assert.equal(await refused(await source({ Package: '2hello' })), 'package name is invalid');
    assert.equal(await refused(await source({ Version: '1' })), 'package version is invalid');
    assert.equal(await refused(gzipSync(await tar({ 'hello/R/DESCRIPTION': description() }))), 'DESCRIPTION file is missing');
    assert.equal(await refused(zip({ 'hello/NAMESPACE': '' })), 'DESCRIPTION file is missing');
    for (const content of ['', 'text', gzipSync('text')]) assert.equal((await publish(Buffer.from(content)))[0], 400);
    // Its brackets are looked at once, not once for each of them.
    const hostile = gzipSync(await tar({ 'a/DESCRIPTION': `${description()}Author: ${'['.repeat(900_000)}\n` }));
    assert.equal((await publish(hostile))[0], 409);
  });
});
