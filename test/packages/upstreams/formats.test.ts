// On SQLite alone: the test of npm covers both databases
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { digestsOf, registry } from '../support/registry.ts';
import { addUpstream, stubUpstream } from '../support/upstream.ts';

const stub = await stubUpstream();
const t = await testServer({ packages: { upstreams: 'owners' }, outgoing: { allowedHosts: ['localhost'] } });
const alice = await t.user('alice');
const packages = registry('alice');
const terms = { metadata_seconds: 0 };
for (const type of ['pypi', 'cargo', 'go', 'maven']) await addUpstream(alice, 'alice', { type, url: `${stub.url}/${type}`, ...terms });
const get = async (path: string, headers: Record<string, string> = {}) => await packages.get(alice, path, headers);
const JSON_TYPE = 'application/vnd.pypi.simple.v1+json';

describe('a Python project of an upstream', () => {
  const [wheel, metadata] = ['wheel', 'Metadata-Version: 2.1'];
  const list = (files: unknown[]) => JSON.stringify({ meta: { 'api-version': '1.1' }, name: 'My.Tool', files, versions: ['1.0'] });
  const entry = {
    filename: 'my_tool-1.0-py3-none-any.whl',
    url: '../../files/my_tool-1.0-py3-none-any.whl',
    hashes: { sha256: digestsOf(wheel).sha256 },
    'requires-python': '>=3.8,<"4"',
    'core-metadata': { sha256: digestsOf(metadata).sha256 },
    yanked: 'broken <b>',
  };

  it('is listed in both forms, with links to this registry', async () => {
    stub.has('/pypi/my-tool/', list([entry, { ...entry, filename: '../x' }, { ...entry, hashes: {} }, { ...entry, url: 'file:///x' }]));
    stub.has(`/pypi/my-tool/../../files/x`, '');
    const { json } = await get('pypi/simple/My_Tool/', { accept: JSON_TYPE });
    assert.deepEqual([json.name, json.versions, json.files.length], ['my-tool', ['1.0'], 1]);
    assert.match(json.files[0].url, /\/api\/packages\/alice\/pypi\/files\/my-tool\/-\/my_tool-1\.0-py3-none-any\.whl$/);
    const page = await get('pypi/simple/my.tool/');
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(
      page.text,
      /data-requires-python="&gt;=3\.8,&lt;&#34;4&#34;" data-core-metadata="sha256=\w+" data-yanked="broken &lt;b&gt;"/,
    );
  });

  it('is downloaded, with the metadata beside its files', async () => {
    stub.has('/files/my_tool-1.0-py3-none-any.whl', wheel);
    stub.has('/files/my_tool-1.0-py3-none-any.whl.metadata', 'wrong');
    const path = `pypi/files/my-tool/-/${entry.filename}`;
    assert.equal((await get(path)).text, wheel);
    assert.equal((await get(`${path}.metadata`)).status, 502);
    stub.has('/files/my_tool-1.0-py3-none-any.whl.metadata', metadata);
    assert.equal((await get(`${path}.metadata`)).text, metadata);
    assert.equal((await get('pypi/files/my-tool/-/other.whl')).status, 404);
  });

  it('is none that is published here, however its name is written', async () => {
    const form = new FormData();
    const fields = { name: 'Inner_Tool', version: '1.0', sha256_digest: digestsOf('own').sha256 };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('content', new Blob(['own']), 'inner_tool-1.0.tar.gz');
    assert.equal((await alice.send('POST', '//api/packages/alice/pypi/', { form })).status, 201);
    stub.requests.length = 0;
    for (const name of ['inner-tool', 'INNER.tool', 'inner__tool', 'inner.-tool']) await get(`pypi/simple/${name}/`, { accept: JSON_TYPE });
    assert.deepEqual(stub.requests, []);
  });
});

describe('a crate of an upstream', () => {
  it('is listed and downloaded by what the index says', async () => {
    const line = (vers: string, cksum: string, name = 'Left_Pad') =>
      JSON.stringify({ name, vers, cksum, deps: [], features: {}, yanked: false });
    const { sha256 } = digestsOf('crate');
    stub.has('/cargo/config.json', JSON.stringify({ dl: `${stub.url}/dl/{lowerprefix}/{crate}/{version}.crate` }));
    stub.has('/cargo/le/ft/left_pad', [line('1.0.0', sha256), line('1.1.0', 'none'), line('2.0.0', sha256, 'other')].join('\n'));
    stub.has('/dl/le/ft/Left_Pad/1.0.0.crate', 'crate');
    assert.equal((await get('cargo/le/ft/left_pad')).text, `${line('1.0.0', sha256)}\n`);
    assert.equal((await get('cargo/api/v1/crates/left_pad/1.0.0/download')).text, 'crate');
    assert.equal((await get('cargo/api/v1/crates/left_pad/1.1.0/download')).status, 404);
    assert.equal((await get('cargo/no/ne/none')).status, 404);
    stub.has('/cargo/ba/d-/bad-index', 'no JSON');
    assert.equal((await get('cargo/ba/d-/bad-index')).status, 502);
  });
});

describe('a module of an upstream', () => {
  it('is listed and downloaded, and stays as it was when it was first fetched', async () => {
    stub.has('/go/example.com/!tool/@v/list', 'v1.0.0\nv1.1.0+incompatible\n');
    stub.has('/go/example.com/!tool/@latest', '{"Version":"v1.0.0","Time":"2024-01-01T00:00:00Z"}');
    stub.has('/go/example.com/!tool/@v/main.info', '{"Version":"v1.0.0"}');
    stub.has('/go/example.com/!tool/@v/v1.0.0.mod', 'module example.com/Tool\n');
    stub.has('/go/example.com/!tool/@v/v1.0.0.zip', 'archive');
    assert.equal((await get('go/example.com/!tool/@v/list')).text, 'v1.0.0\nv1.1.0+incompatible\n');
    assert.equal((await get('go/example.com/!tool/@latest')).json.Version, 'v1.0.0');
    assert.equal((await get('go/example.com/!tool/@v/main.info')).json.Version, 'v1.0.0');
    assert.equal((await get('go/example.com/!tool/@v/v1.0.0.mod')).text, 'module example.com/Tool\n');
    assert.equal((await get('go/example.com/!tool/@v/v1.0.0.zip')).text, 'archive');
    assert.equal((await get('go/example.com/!tool/@v/main.zip')).status, 404);
    await t.context.db.updateTable('package_upstream_files').set({ blob_id: null }).where('path', 'like', '%v1.0.0.zip').execute();
    stub.has('/go/example.com/!tool/@v/v1.0.0.zip', 'another');
    assert.equal((await get('go/example.com/!tool/@v/v1.0.0.zip')).status, 502);
    stub.has('/go/example.com/list/@v/list', '<html>');
    assert.equal((await get('go/example.com/list/@v/list')).status, 502);
  });

  it('is none at the host of this instance', async () => {
    const { hostname } = new URL(t.context.settings.server.rootUrl);
    stub.requests.length = 0;
    assert.equal((await get(`go/${hostname}/alice/tool/@v/list`)).status, 404);
    assert.deepEqual(stub.requests, []);
  });
});

describe('an artifact of Maven of an upstream', () => {
  const folder = '/maven/org/example/tool';

  it('is downloaded with its checksums, and verified by that of the upstream', async () => {
    stub.has(`${folder}/maven-metadata.xml`, '<metadata/>');
    stub.has(`${folder}/1.0/tool-1.0.jar`, 'jar');
    stub.has(`${folder}/1.0/tool-1.0.jar.sha1`, `${digestsOf('jar').sha1}  tool-1.0.jar\n`);
    stub.has(`${folder}/1.0/tool-1.0.pom`, '<project/>');
    stub.has(`${folder}/1.0/tool-1.0.pom.sha1`, digestsOf('other').sha1);
    assert.equal((await get('maven/org/example/tool/maven-metadata.xml')).text, '<metadata/>');
    assert.equal((await get('maven/org/example/tool/maven-metadata.xml.sha1')).text, digestsOf('<metadata/>').sha1);
    const jar = await get('maven/org/example/tool/1.0/tool-1.0.jar');
    assert.deepEqual([jar.text, jar.headers.get('content-type')], ['jar', 'application/java-archive']);
    assert.equal((await packages.head(alice, 'maven/org/example/tool/1.0/tool-1.0.jar')).status, 200);
    assert.equal((await get('maven/org/example/tool/1.0/tool-1.0.jar.sha256')).text, digestsOf('jar').sha256);
    assert.equal((await get('maven/org/example/tool/1.0/tool-1.0.pom')).status, 502);
    assert.equal((await get('maven/org/example/tool/1.0-SNAPSHOT/tool-1.0-SNAPSHOT.jar')).status, 404);
  });

  it('is none in a group in which something is published here', async () => {
    await packages.put(alice, 'maven/com/acme/own/1.0/own-1.0.jar', 'own');
    stub.requests.length = 0;
    assert.equal((await get('maven/com/acme/other/1.0/other-1.0.jar')).status, 404);
    assert.deepEqual(stub.requests, []);
  });
});
