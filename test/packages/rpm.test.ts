// On SQLite alone: the tests of the registry itself run on both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createMessage, readKey, readSignature, verify } from 'openpgp';
import { testServer } from '../support/server.ts';
import { digestsOf, inShort, registry } from './support/registry.ts';
import { type RpmFields, rpm } from './support/rpm.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const packages = registry('alice');
const tool = (fields: RpmFields = {}) => rpm({ 1000: ['tool'], 1001: ['1.0'], 1002: ['1'], 1022: ['x86_64'], ...fields });
const upload = async (content: Uint8Array, group = 'el9') => inShort(await packages.put(alice, `rpm/${group}/upload`, content));
const read = (path: string) => packages.get(t.anonymous, `rpm/${path}`);
const document = async (name: string) => gunzipSync((await read(`el9/repodata/${name}.xml.gz`)).bytes).toString();

describe('an RPM repository', () => {
  it('signs what it lists', async () => {
    const content = tool({
      1004: ['<tools> & more\u0001'],
      1117: ['run', 'log'],
      1118: ['/usr/bin/'],
      1116: [0, 0],
      1030: [0o100755, 0o100644],
    });
    assert.deepEqual(await upload(content), [201, '']);
    assert.deepEqual(await upload(content), [409, 'package file already exists']);
    const primary = await document('primary');
    for (const part of [
      'packages="1"',
      '<summary>&lt;tools&gt; &amp; more</summary>',
      digestsOf(content).sha256,
      '<file>/usr/bin/run</file>',
    ]) {
      assert.ok(primary.includes(part), part);
    }
    assert.ok(!primary.includes('/usr/bin/log'));
    assert.ok((await document('filelists')).includes('<file>/usr/bin/log</file>'));
    const { bytes: binary } = await read('el9/repodata/repomd.xml');
    assert.ok(binary.toString().includes(digestsOf((await read('el9/repodata/primary.xml.gz')).bytes).sha256));
    const key = await read('repository.key');
    const headers = ['accept-ranges', 'content-disposition', 'access-control-expose-headers'].map((name) => key.headers.get(name));
    assert.deepEqual(headers, ['bytes', 'attachment; filename=repository.key', 'Content-Disposition']);
    const verificationKeys = await readKey({ armoredKey: key.text });
    const signature = await readSignature({ armoredSignature: (await read('el9/repodata/repomd.xml.asc')).text });
    const [verified] = (await verify({ message: await createMessage({ binary }), signature, verificationKeys })).signatures;
    assert.ok(await verified?.verified);
    assert.deepEqual((await read('el9/package/tool/1.0-1/x86_64/whatever.rpm')).bytes, content);
    assert.match((await read('el9.repo')).text, /^baseurl=http.*\/api\/packages\/alice\/rpm\/el9$/m);
    for (const path of ['rpm.repo', 'rpm/.repo']) {
      assert.match((await packages.get(t.anonymous, path)).text, /^baseurl=http.*\/alice\/rpm$/m);
    }
  });

  it('tells epochs, relations and packages for all apart', async () => {
    const fields = { 1003: [2], 1022: ['noarch'], 1049: ['a', 'b', 'c'], 1048: [12, 10, 0], 1050: ['1:2-3', '4', ''] };
    assert.deepEqual(await upload(tool(fields)), [201, '']);
    assert.equal((await read('el9/package/tool/2-1.0-1/x86_64')).status, 200);
    const primary = await document('primary');
    for (const part of [
      '<version epoch="2" ver="1.0" rel="1">',
      '<rpm:entry name="a" flags="GE" ver="2" epoch="1" rel="3">',
      '<rpm:entry name="b" flags="LE" ver="4" epoch="0">',
      '<rpm:entry name="c">',
    ]) {
      assert.ok(primary.includes(part), part);
    }
  });

  it('says why there are updates', async () => {
    const errata = (version: string, body: unknown, caller = alice) =>
      packages.post(caller, `rpm/el9/package/tool/${version}/errata`, JSON.stringify(body));
    const update = (name: string) => [
      { id: 'U-1', title: '<x>', pkg_list: [{ short: 'el9', packages: [{ name, arch: 'x86_64' }] }] },
      null,
    ];
    for (const name of ['tool', 'other', 'tool']) assert.equal((await errata('1.0-1', update(name))).status, 200);
    const text = await document('updateinfo');
    assert.deepEqual([text.match(/<update /g)?.length, text.match(/<package /g)?.length, text.includes('&lt;x&gt;')], [1, 2, true]);
    assert.deepEqual(inShort(await errata('9', [])), [404, 'package does not exist']);
    for (const body of ['x', {}, null, ['x'], [{ id: 5 }]]) assert.equal((await errata('1.0-1', body)).status, 400);
    for (const caller of [bob, t.anonymous]) assert.equal((await errata('1.0-1', [], caller)).status, 401);
  });

  it('takes so many updates as fit into one document', async () => {
    const errata = (version: number, id: string, size: number) =>
      packages.post(alice, `rpm/many/package/many/${version}-1/errata`, JSON.stringify([{ id, description: 'x'.repeat(size) }]));
    const versions = Array.from({ length: 9 }, (_, number) => number + 1);
    for (const version of versions) {
      assert.deepEqual(await upload(tool({ 1000: ['many'], 1001: [`${version}`] }), 'many'), [201, '']);
      const sent = await errata(version, `U-${version}`, 1_000_000);
      assert.equal(sent.status, version < 9 ? 200 : 400, sent.text);
    }
    assert.equal((await errata(9, 'U-small', 10)).status, 200);
    const text = gunzipSync((await read('many/repodata/updateinfo.xml.gz')).bytes).toString();
    assert.deepEqual(
      [...text.matchAll(/<id>U-(\w+)<\/id>/g)].map(([, id]) => id),
      [...versions.slice(0, -1).map(String), 'small'],
    );
  });

  it('takes packages of RPM alone', async () => {
    for (const name of ['', 'a b', 'a/b']) assert.deepEqual(await upload(tool({ 1000: [name] })), [400, 'package name is invalid']);
    assert.deepEqual(await upload(tool({ 1001: ['../1'] })), [400, 'package version is invalid']);
    assert.deepEqual(await upload(tool({ 1022: [] })), [400, 'package architecture is invalid']);
    const good = tool();
    const changed = (at: number, value: number) => {
      const bytes = Buffer.from(good);
      bytes.writeUInt32BE(value, at);
      return bytes;
    };
    const hostile = [
      Buffer.from('text'),
      good.subarray(0, 200),
      changed(96 + 8, 0xffff_ffff),
      changed(96 + 12, 0x7fff_ffff),
      changed(0, 0),
    ];
    for (const content of hostile) assert.equal((await upload(content))[0], 400);
    // The counts and offsets of the entries, one after the other.
    for (let at = 96 + 16 + 16 + 16; at + 4 < good.length - 40; at += 4)
      assert.ok([201, 400, 409].includes((await upload(changed(at, 0x7fff_fff0)))[0]));
    assert.deepEqual(await upload(good, 'a%20b'), [400, 'invalid group']);
  });

  it('has what is left after a deletion', async () => {
    const path = 'rpm/el9/package/tool/1.0-1/x86_64';
    for (const caller of [bob, t.anonymous]) assert.equal((await packages.delete(caller, path)).status, 401);
    assert.deepEqual([(await packages.delete(alice, path)).status, (await packages.delete(alice, path)).status], [204, 404]);
    assert.equal((await read('el9/repodata/updateinfo.xml.gz')).status, 404);
    assert.equal((await alice.delete('/packages/alice/rpm/tool/2-1.0-1')).status, 204);
    assert.deepEqual(inShort(await read('el9/repodata/repomd.xml')), [404, 'package file does not exist']);
  });
});
