// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { testServer } from '../support/server.ts';
import { tar } from './support/archives.ts';
import { digestsOf, inShort, registry } from './support/registry.ts';

const t = await testServer({ packages: { limitSizeHelm: 20_000 } });
const alice = await t.user('alice');
const bob = await t.user('bob');
const charts = registry('alice');

const archive = async (files: Record<string, string>) => gzipSync(await tar(files));
const chart = (name: string, version: string, more = '') =>
  archive({ [`${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: ${version}\n${more}`, [`${name}/charts/db/Chart.yaml`]: '{' });
const push = async (content: Buffer | Promise<Buffer>, caller = alice) =>
  inShort(await charts.post(caller, 'helm/api/charts', await content));
const readIndex = async () => parse((await charts.get(t.anonymous, 'helm/index.yaml')).text);

describe('a chart of Helm', () => {
  it('is pushed, listed with all of its metadata, and downloaded', async () => {
    const more = [
      'description: "a: \\"quoted\\" text\\u2028- of # two lines"',
      'appVersion: 1.10',
      'home: javascript:alert(1)',
      'keywords: [one, "2"]',
      'maintainers: [{name: Ann, email: ann@example.com}]',
      'annotations: {"a/b": "c: d"}',
      'dependencies: [{name: db, version: 1.x, repository: "https://charts.example.com", import-values: [{child: a, parent: b}]}]',
      'deprecated: true',
    ].join('\n');
    const content = await chart('tool', '1.0.0', more);
    assert.deepEqual(await push(content), [201, '']);
    await push(chart('tool', '1.1.0-rc.1'));
    await push(chart('Base', '0.1'));
    const { apiVersion, entries, serverInfo, generated } = await readIndex();
    assert.deepEqual([apiVersion, serverInfo.contextPath], ['v1', '/api/packages/alice/helm']);
    assert.ok(Date.parse(generated) > 0);
    assert.deepEqual(
      Object.entries(entries as Record<string, { version: string }[]>).map(([name, versions]) => [
        name,
        versions.map((one) => one.version),
      ]),
      [
        ['Base', ['0.1']],
        ['tool', ['1.1.0-rc.1', '1.0.0']],
      ],
    );
    const { created, urls, ...listed } = entries.tool[1];
    assert.ok(Date.parse(created) > 0);
    assert.deepEqual(listed, {
      apiVersion: 'v2',
      name: 'tool',
      version: '1.0.0',
      appVersion: '1.10',
      description: 'a: "quoted" text\u2028- of # two lines',
      keywords: ['one', '2'],
      maintainers: [{ name: 'Ann', email: 'ann@example.com' }],
      deprecated: true,
      annotations: { 'a/b': 'c: d' },
      dependencies: [
        { name: 'db', version: '1.x', repository: 'https://charts.example.com', 'import-values': [{ child: 'a', parent: 'b' }] },
      ],
    });
    const read = await bob.get(`/${new URL(urls[0]).pathname}`);
    assert.deepEqual([read.status, read.bytes], [200, content]);
    assert.deepEqual(inShort(await charts.get(bob, 'helm/none-1.0.0.tgz')), [404, '{"error":""}\n']);
  });

  it('is replaced by another of its version', async () => {
    await push(chart('again', '1.0.0', 'description: one'));
    const second = await chart('again', '1.0.0', 'description: two');
    assert.deepEqual(await push(second), [201, '']);
    assert.deepEqual((await charts.get(bob, 'helm/again-1.0.0.tgz')).bytes, second);
  });

  it('is listed with others, however many there are', async () => {
    const { db } = t.context;
    await t.user('carol');
    const { id: owner_id } = await db.selectFrom('users').select('id').where('name', '=', 'carol').executeTakeFirstOrThrow();
    const common = { owner_id, type: 'helm' as const, created_at: 1 };
    const names = Array.from({ length: 250 }, (_, index) => `c${String(index).padStart(3, '0')}`);
    const made = names.map((name) => ({ ...common, name, lower_name: name, repository_id: null }));
    const packages = await db.insertInto('packages').values(made).returning(['id', 'name']).execute();
    const versions = packages.flatMap(({ id, name }) =>
      Array.from({ length: name === 'c100' ? 600 : 1 }, (_, index) => {
        const version = `1.0.${index}`;
        const metadata = JSON.stringify({ api_version: 'v2', name, version });
        return { ...common, package_id: id, creator_id: null, version, lower_version: version, metadata };
      }),
    );
    for (let at = 0; at < versions.length; at += 100)
      await db
        .insertInto('package_versions')
        .values(versions.slice(at, at + 100))
        .execute();
    const { entries } = parse((await registry('carol').get(t.anonymous, 'helm/index.yaml')).text);
    assert.deepEqual(Object.keys(entries), names);
    assert.deepEqual([entries.c100.length, entries.c100[0].version, entries.c249.length], [600, '1.0.599', 1]);
  });

  it('is refused where its Chart.yaml is missing or wrong', async () => {
    const error = async (content: Promise<Buffer> | Buffer) => {
      const [status, text] = await push(content);
      return [status, JSON.parse(text).error];
    };
    const yaml = (text: string) => error(archive({ 'a/Chart.yaml': text }));
    assert.deepEqual(await error(archive({ 'Chart.yaml': 'apiVersion: v2', 'a/b/Chart.yaml': '' })), [400, 'Chart.yaml file is missing']);
    assert.deepEqual(await yaml('name: a\nversion: 1.0.0'), [400, 'chart is invalid']);
    assert.deepEqual(await yaml('apiVersion: v2\nname: a\nversion: 1.0.0\nkeywords: one'), [400, 'chart is invalid']);
    assert.deepEqual(await yaml('apiVersion: v2\nname: a\nversion: 1.0.0\ntype: plugin'), [400, 'chart is invalid']);
    assert.deepEqual(await yaml(`x: ${'['.repeat(30_000)}`), [400, 'chart is invalid']);
    assert.deepEqual(await yaml('apiVersion: v2\nname: a\nversion: 1.0.0\nsources: &x [*x]'), [400, 'chart is invalid']);
    assert.deepEqual(await yaml(`apiVersion: v2\nname: a\nversion: 1.0.0\ndescription: ${'x'.repeat(65_536)}`), [400, 'chart is invalid']);
    for (const name of ['../a', 'a/b', '..', '""'])
      assert.deepEqual(await yaml(`apiVersion: v2\nname: ${name}\nversion: 1.0.0`), [400, 'package name is invalid']);
    for (const version of ['one', '1.0.0-', '1.0.0/..'])
      assert.deepEqual(await yaml(`apiVersion: v2\nname: a\nversion: ${version}`), [400, 'package version is invalid']);
    assert.equal((await error(Buffer.from('no archive')))[0], 400);
    assert.equal((await push(Buffer.alloc(20_001)))[0], 403);
    assert.deepEqual(Object.keys((await readIndex()).entries), ['again', 'Base', 'tool']);
  });

  it('is pushed by nobody else', async () => {
    for (const caller of [bob, t.anonymous]) assert.equal((await push(chart('tool', '2.0.0'), caller))[0], 401);
  });
});

describe('the provenance of a chart', () => {
  const signed = (name: string, digest: string) =>
    `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nname: signed\n\n...\nfiles:\n  ${name}: sha256:${digest}\n-----BEGIN PGP SIGNATURE-----\n`;
  const pushProvenance = async (text: string, caller = alice) => inShort(await charts.post(caller, 'helm/api/prov', text));
  const provenance = async () => await charts.get(t.anonymous, 'helm/signed-1.0.0.tgz.prov');

  it('is served beside its archive, until that is replaced', async () => {
    const content = await chart('signed', '1.0.0');
    await push(content);
    assert.equal((await provenance()).status, 404);
    const text = signed('signed-1.0.0.tgz', digestsOf(content).sha256);
    for (const _ of ['new', 'again']) assert.deepEqual(await pushProvenance(text), [201, '']);
    assert.deepEqual(inShort(await provenance()), [200, text]);
    const form = new FormData();
    form.set('prov', new Blob([text]), 'signed-1.0.0.tgz.prov');
    assert.equal((await alice.send('POST', '//api/packages/alice/helm/api/prov', { form })).status, 201);
    assert.ok((await charts.get(t.anonymous, 'helm/signed-1.0.0.tgz')).bytes.equals(content));
    assert.equal((await readIndex()).entries.signed.length, 1);
    await push(chart('signed', '1.0.0', 'description: other\n'));
    assert.equal((await provenance()).status, 404);
    await alice.must('DELETE', '/packages/alice/helm/signed/1.0.0');
    assert.equal((await pushProvenance(text))[0], 404);
  });

  it('is refused if it is none of a chart that is there', async () => {
    await push(chart('signed', '1.0.0'));
    const other = signed('signed-1.0.0.tgz', digestsOf('other').sha256);
    assert.deepEqual(await pushProvenance(other), [400, '{"error":"the provenance is of another archive"}\n']);
    assert.equal((await pushProvenance(signed('none-1.0.0.tgz', digestsOf('').sha256)))[0], 404);
    for (const text of ['', 'x', other.replace('-----BEGIN', 'BEGIN'), other.replace('sha256:', 'md5:')]) {
      assert.equal((await pushProvenance(text))[0], 400, text);
    }
    assert.equal((await pushProvenance(other, bob))[0], 401);
    assert.equal((await provenance()).status, 404);
    await alice.must('DELETE', '/packages/alice/helm/signed/1.0.0');
  });
});
