import assert from 'node:assert/strict';
import { createVerify, generateKeyPairSync } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { emptyTarget, recordedSource } from './support.ts';

const source = await recordedSource();
const target = await emptyTarget();
let served: Awaited<ReturnType<typeof target.serve>>;
let said = '';
const registry = '//api/packages/Alice';

source.change("insert into package (id, owner_id, repo_id, type, name, lower_name) values (90, 2, 0, 'odd', 'left', 'left')");
source.change('update package_version set metadata_json = \'{"description": 5, "keywords": {}, "dependencies": [1]}\' where id = 2');
source.change("update package_version set metadata_json = '{' where id = 3");
const rule =
  'insert into package_cleanup_rule (enabled, owner_id, type, keep_count, remove_pattern, created_unix) values (1, 2, ?, 5, ?, 7)';
source.change(rule, 'npm', 'rc');
source.change(rule, 'pypi', '(');
const { publicKey: chefKey } = generateKeyPairSync('rsa', { modulusLength: 1024, publicKeyEncoding: { type: 'spki', format: 'pem' } });
source.change("insert into user_setting (user_id, setting_key, setting_value) values (2, 'chef.public_pem', ?)", String(chefKey));
source.change("insert into user_setting (user_id, setting_key, setting_value) values (3, 'rpm.key.private', 'no key')");
// The jar of core 1.0.
await rm(join(source.folder, 'data/packages/cf'), { recursive: true, force: true });

describe('an import of packages', () => {
  before(async () => {
    said = (await target.run('--config', source.config)).stdout;
    served = await target.serve();
  });

  it('keeps versions with their ids, times, links and files', async () => {
    const alice = served.as('Alice');
    const { json } = await alice.get('/packages/Alice');
    assert.deepEqual(
      json.map(({ id, type, name, version }: Record<string, unknown>) => [id, type, name, version]),
      [
        [12, 'container', 'shop/app', 'v1'],
        [10, 'generic', 'Tool', '1.0'],
        [8, 'alpine', 'hello', '2.12-r0'],
        [6, 'debian', 'tool', '1.0-1'],
        [5, 'cargo', 'my-crate', '1.0.0'],
        [4, 'maven', 'org.example:core', '1.0'],
        [3, 'pypi', 'My-Tool', '1.0'],
        [2, 'npm', 'left', '1.1.0-rc.1'],
        [1, 'npm', 'left', '1.0.0'],
      ],
    );
    assert.deepEqual(
      [json[8].repository.full_name, json[8].creator.login, json[7].repository.full_name],
      ['Alice/Demo', 'Alice', 'Alice/Demo'],
    );
    assert.equal((await alice.get(`${registry}/generic/tool/1.0/tool.txt`)).text, 'a tool\n');
    const { db } = served.server.services.database;
    const row = await db.selectFrom('packages').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
    assert.deepEqual([row.created_at, row.semver_compatible], [json[8].created_at ? Date.parse(json[8].created_at) / 1000 : 0, true]);
    assert.match(said, /package 90 \(odd left\): packages of this type are not known here/);
  });

  it('shows them to the clients of their formats', async () => {
    const alice = served.as('Alice');
    const { json: packument } = await alice.get(`${registry}/npm/left`);
    assert.deepEqual(packument['dist-tags'], { latest: '1.0.0', next: '1.1.0-rc.1' });
    assert.deepEqual(
      [packument.versions['1.0.0'].homepage, packument.versions['1.0.0'].devDependencies],
      ['https://left.example', { test: '*' }],
    );
    const simple = (await alice.get(`${registry}/pypi/simple/my-tool`)).text;
    assert.match(simple, /my_tool-1\.0\.tar\.gz/);
    const [dependency] = (await alice.get(`${registry}/cargo/my/-c/my-crate`)).json.deps;
    assert.deepEqual([dependency.name, dependency.features, dependency.optional, dependency.target], ['dep', ['std'], true, null]);
    assert.equal((await alice.get(`${registry}/cargo/my/-c/my-crate`)).json.yanked, true);
    assert.match((await alice.get(`${registry}/maven/org/example/core/maven-metadata.xml`)).text, /<release>1\.0<\/release>/);
    const packages = (await alice.get(`${registry}/debian/dists/bookworm/main/binary-amd64/Packages`)).text;
    assert.match(packages, /^Package: tool\nVersion: 1\.0-1\n(?:.*\n)*Filename: pool\/bookworm\/main\/tool_1\.0-1_amd64\.deb\n/);
    const { json: tags } = await alice.get('//v2/alice/shop/app/tags/list');
    assert.deepEqual(tags, { name: 'alice/shop/app', tags: ['v1'] });
    const { json: manifest } = await alice.get('//v2/alice/shop/app/manifests/v1');
    assert.equal((await alice.get(`//v2/alice/shop/app/blobs/${manifest.layers[0].digest}`)).text, 'a layer');
  });

  it('keeps the keys that indexes are signed with', async () => {
    const alice = served.as('Alice');
    const { text: key } = await alice.get(`${registry}/alpine/key`);
    const { bytes } = await alice.get(`${registry}/alpine/v3.20/main/x86_64/APKINDEX.tar.gz`);
    const plain = gunzipSync(bytes);
    assert.match(plain.toString('latin1'), /P:hello\nV:2\.12-r0/);
    // The archive of the signature ends where the next member of gzip begins.
    const second = bytes.indexOf(Buffer.from([0x1f, 0x8b, 8]), 10);
    const signature = plain.subarray(512, 512 + 512);
    assert.ok(createVerify('sha1').update(bytes.subarray(second)).verify(key, signature));
    const recorded = await alice.get(`${registry}/debian/repository.key`);
    assert.match(recorded.text, /^-----BEGIN PGP PUBLIC KEY BLOCK-----/);
    assert.equal((await alice.get(`${registry}/debian/dists/bookworm/InRelease`)).status, 200);
    const { db } = served.server.services.database;
    assert.deepEqual(await db.selectFrom('chef_keys').select(['user_id', 'public_key']).execute(), [
      { user_id: 2, public_key: String(chefKey) },
    ]);
    assert.match(said, /key for rpm packages of account 3: it cannot be read/);
  });

  it('keeps cleanup rules that can be read', async () => {
    const { db } = served.server.services.database;
    const rules = await db.selectFrom('package_cleanup_rules').select(['type', 'enabled', 'keep_count', 'remove_pattern']).execute();
    assert.deepEqual(rules, [{ type: 'npm', enabled: true, keep_count: 5, remove_pattern: 'rc' }]);
    assert.match(said, /cleanup rule 2 for pypi packages of account 2: .*it is left out/);
  });

  it('takes only what can be read of broken metadata, and leaves out lost files', async () => {
    const alice = served.as('Alice');
    const { json } = await alice.get(`${registry}/npm/left`);
    const { description, dependencies } = json.versions['1.1.0-rc.1'];
    assert.deepEqual([description, dependencies], ['', undefined]);
    assert.match(said, /version 3 \(1\.0\) of package 2: what Gitea notes of it cannot be read/);
    assert.equal((await alice.get(`${registry}/maven/org/example/core/1.0/core-1.0.jar`)).status, 404);
    assert.match(said, /file 5 \(core-1\.0\.jar\) of a package: it is missing/);
  });
});
