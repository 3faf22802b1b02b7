// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { digestsOf, inShort, registry } from './support/registry.ts';

const t = await testServer({ packages: { limitSizeMaven: 2_000_000 } });
const alice = await t.user('alice');
const bob = await t.user('bob');
const maven = registry('alice');

const pom = (version: string, extra = '') =>
  `<project><parent><groupId>org.example</groupId></parent><artifactId>core</artifactId><version>${version}</version>${extra}</project>`;
const put = async (path: string, content: string | Uint8Array) => inShort(await maven.put(alice, `maven/org/example/${path}`, content));
const get = (path: string) => maven.get(t.anonymous, `maven/org/example/${path}`);
const versionsOf = (text: string) => [...text.matchAll(/<(release|latest|version)>([^<]*)/g)].map(([, tag, value]) => `${tag} ${value}`);

describe('a Maven artifact', () => {
  it('is deployed file by file, with checksums that are compared', async () => {
    assert.deepEqual(await put('core/1.0/core-1.0.jar', 'jar'), [201, '']);
    assert.deepEqual(await put('core/1.0/core-1.0.pom', pom('1.0', '<name>Core</name><url>javascript:1</url>')), [201, '']);
    for (const [name, digest] of Object.entries(digestsOf('jar'))) {
      assert.deepEqual(await put(`core/1.0/core-1.0.jar.${name}`, digest), [200, '']);
      assert.equal((await get(`core/1.0/core-1.0.jar.${name}`)).text, digest);
    }
    assert.deepEqual(await put('core/1.0/core-1.0.jar.md5', digestsOf('other').md5), [400, 'hash mismatch']);
    assert.deepEqual(await put('core/1.0/none.jar.md5', 'x'), [404, 'package file does not exist']);
    assert.deepEqual(await put('core/1.0/core-1.0.jar', 'other'), [409, 'package file already exists']);
    assert.equal((await get('core/1.0/core-1.0.jar.SHA1')).text, digestsOf('jar').sha1);
    assert.deepEqual(await put('core/1.0/core-1.0.jar.MD5', 'a file'), [201, '']);
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    assert.equal((await maven.put(alice, 'maven/org/example/core/1.0/form.txt', 'no form', form)).status, 201);
    assert.equal((await get('core/1.0/form.txt')).text, 'no form');
    const jar = await get('core/1.0/core-1.0.jar');
    assert.deepEqual([jar.text, jar.headers.get('content-type')], ['jar', 'application/java-archive']);
    const row = await t.context.db.selectFrom('package_versions').select('metadata').executeTakeFirstOrThrow();
    assert.deepEqual(JSON.parse(row.metadata), { groupId: 'org.example', artifactId: 'core', name: 'Core' });
  });

  it('has metadata of all its versions, with checksums, in the order of their publication', async () => {
    for (const version of ['2.0', '10.0', '11.0-SNAPSHOT']) await put(`list/${version}/list-${version}.pom`, pom(version));
    const { text } = await get('list/maven-metadata.xml');
    assert.deepEqual(versionsOf(text), ['release 10.0', 'latest 11.0-SNAPSHOT', 'version 2.0', 'version 10.0', 'version 11.0-SNAPSHOT']);
    assert.match(text, /<groupId>org\.example<\/groupId><artifactId>list</);
    const modified = async (name: string) => (await get(name)).headers.get('last-modified');
    const changed = await modified('list/maven-metadata.xml');
    assert.ok(changed);
    assert.equal(await modified('list/maven-metadata.xml.sha1'), changed);
    for (const [name, digest] of Object.entries(digestsOf(text))) assert.equal((await get(`list/maven-metadata.xml.${name}`)).text, digest);
    await alice.must('DELETE', '/packages/alice/maven/org.example:list/10.0');
    assert.deepEqual(versionsOf((await get('list/maven-metadata.xml')).text).slice(0, 2), ['release 2.0', 'latest 11.0-SNAPSHOT']);
    assert.deepEqual(await put('list/maven-metadata.xml', '<metadata/>'), [200, '']);
    assert.deepEqual(versionsOf((await get('list/maven-metadata.xml')).text).length, 4);
  });

  it('has metadata of a snapshot that clients replace', async () => {
    await put('snap/1-SNAPSHOT/maven-metadata.xml', 'one');
    assert.equal((await put('snap/1-SNAPSHOT/maven-metadata.xml', 'two'))[0], 201);
    assert.equal((await get('snap/1-SNAPSHOT/maven-metadata.xml')).text, 'two');
    assert.equal((await get('snap/1-SNAPSHOT/maven-metadata.xml.sha1')).text, digestsOf('two').sha1);
  });

  it('reads a POM in the encoding that it declares', async () => {
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?>${pom('1', '<description>caf\u00e9</description>')}`;
    await put('latin/1/latin-1.pom', Buffer.from(text, 'latin1'));
    const row = await t.context.db
      .selectFrom('package_versions')
      .select('metadata')
      .where('metadata', 'like', '%caf%')
      .executeTakeFirstOrThrow();
    assert.equal(JSON.parse(row.metadata).description, 'caf\u00e9');
  });
});

describe('the Maven repository', () => {
  it('refuses what is not an artifact, and keeps nothing of it', async () => {
    const bad = async (content: string) => (await put('bad/1/bad-1.pom', content))[0];
    assert.equal(await bad('no xml <'), 400);
    assert.equal(await bad('<project><artifactId>x</artifactId></project>'), 400);
    assert.equal(await bad('<!DOCTYPE x [<!ENTITY a "b">]><project><groupId>&a;</groupId></project>'), 400);
    assert.equal(await bad(`<project>${'<a>'.repeat(2000)}${'</a>'.repeat(2000)}</project>`), 400);
    assert.equal(await bad(pom('1', ' '.repeat(1_100_000))), 400);
    assert.deepEqual(await put('a%3Ab/1/x.jar', 'x'), [400, 'request parameters are invalid']);
    assert.deepEqual(inShort(await maven.put(alice, 'maven/x.jar', 'x')), [400, 'request parameters are invalid']);
    assert.equal((await maven.put(bob, 'maven/org/example/bad/1/bad-1.jar', 'x')).status, 401);
    assert.deepEqual(inShort(await get('bad/maven-metadata.xml')), [404, 'package does not exist']);
  });
});
