// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import { load, type RubyObject } from '@hyrious/marshal';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { tar } from './support/archives.ts';
import { digestsOf, inShort, registry } from './support/registry.ts';

const t = await testServer({ packages: { limitSizeRubygems: 100_000 } });
const alice = await t.user('alice');
const bob = await t.user('bob');
const gems = registry('alice');

const requirement = (pairs: [string, string][]) =>
  `!ruby/object:Gem::Requirement\n  requirements:\n${pairs.map(([sign, version]) => `  - - "${sign}"\n    - !ruby/object:Gem::Version\n      version: '${version}'\n`).join('')}`;

interface Options {
  platform?: string;
  extra?: string;
  files?: Record<string, string | Buffer>;
}

/** What `gem build` makes. */
async function gem(name: string, version: string, { platform = 'ruby', extra = '', files = {} }: Options = {}): Promise<Buffer> {
  const specification = `--- !ruby/object:Gem::Specification\nname: ${name}\nversion: !ruby/object:Gem::Version\n  version: ${version}\nplatform: ${platform}\nauthors:\n- Ann\nsummary: Short\n${extra}`;
  return await tar({ 'metadata.gz': gzipSync(specification), 'data.tar.gz': '', ...files });
}

const push = async (caller: Client, bytes: Uint8Array | string) => inShort(await gems.post(caller, 'rubygems/api/v1/gems', bytes));
const publish = async (name: string, version: string, options?: Options) => await push(alice, await gem(name, version, options));
const text = async (path: string) => (await gems.get(t.anonymous, `rubygems/${path}`)).text;

/** Names, versions and platforms of a list. */
async function tuples(name: string): Promise<string[]> {
  const { bytes } = await gems.get(t.anonymous, `rubygems/${name}.4.8.gz`);
  const list = load(gunzipSync(bytes)) as [string, RubyObject, string][];
  return list.map(([gemName, version, platform]) => `${gemName} ${(version.userMarshal as string[])[0]} ${platform}`).sort();
}

describe('a gem', () => {
  it('is pushed, listed with its dependencies, and downloaded', async () => {
    const extra = [
      `required_ruby_version: ${requirement([['>=', '2.3.0']])}`,
      `required_rubygems_version: ${requirement([['>=', '0']])}`,
      'dependencies:\n- !ruby/object:Gem::Dependency\n  name: rake\n  requirement: !ruby/object:Gem::Requirement\n    requirements:\n    - - ">="\n      - !ruby/object:Gem::Version\n        version: \'12\'\n    - - "<"\n      - !ruby/object:Gem::Version\n        version: \'14\'\n  type: :runtime\n',
      `files:\n${'- lib/some/long/path/of/a/file.rb\n'.repeat(20_000)}description: |\n  files:\n  all of it\n`,
    ].join('');
    const bytes = await gem('Tool', '1.0.0', { extra });
    assert.deepEqual(await push(alice, bytes), [201, '']);
    assert.equal(await text('info/tool'), `---\n1.0.0 rake:>= 12&< 14|checksum:${digestsOf(bytes).sha256},ruby:>= 2.3.0\n`);
    assert.ok((await gems.get(t.anonymous, 'rubygems/gems/Tool-1.0.0.gem')).bytes.equals(bytes));
    const { bytes: quick } = await gems.get(t.anonymous, 'rubygems/quick/Marshal.4.8/Tool-1.0.0.gemspec.rz');
    const specification = load(inflateSync(quick)) as RubyObject;
    assert.equal(specification.class, Symbol.for('Gem::Specification'));
    const fields = load(specification.userDefined ?? new Uint8Array()) as unknown[];
    assert.deepEqual([fields[2], fields[5], fields[13], (fields[9] as unknown[]).length], ['Tool', 'Short', 'files:\nall of it\n', 1]);
    assert.deepEqual(await publish('tool', '1.0.0'), [409, 'package version already exists']);
  });

  it('may name a part of its specification by an alias, as old versions of RubyGems do', async () => {
    const condition =
      '!ruby/object:Gem::Requirement\n    requirements:\n    - - ">="\n      - !ruby/object:Gem::Version\n        version: \'3\'\n';
    const dependency = (name: string) =>
      `- !ruby/object:Gem::Dependency\n  name: ${name}\n  requirement: &${name} ${condition}  type: :runtime\n  version_requirements: *${name}\n`;
    const dependencies = (names: string[]) => ({ extra: `dependencies:\n${names.map(dependency).join('')}` });
    assert.deepEqual(await publish('aliased', '1.0', dependencies(['one', 'two'])), [201, '']);
    assert.match(await text('info/aliased'), /^1\.0 one:>= 3,two:>= 3\|/m);
    const unreadable = [400, 'the YAML cannot be read'];
    assert.deepEqual(await publish('aliased', '2.0', { extra: 'licenses: &a [*a]\n' }), unreadable);
    assert.deepEqual(await publish('aliased', '2.0', { extra: 'licenses: *a\n' }), unreadable);
    assert.deepEqual(await publish('aliased', '2.0', dependencies(Array.from({ length: 501 }, (_, i) => `d${i}`))), unreadable);
    const doubled = Array.from({ length: 30 }, (_, i) => `x${i + 1}: &x${i + 1} [*x${i}, *x${i}]\n`).join('');
    assert.deepEqual(await publish('aliased', '2.0', { extra: `x0: &x0 [lol]\n${doubled}` }), unreadable);
  });

  it('is in the lists of all, with the digest of its own', async () => {
    for (const version of ['2.0.0', '1.9.0', '2.1.0.pre']) await publish('list', version);
    await publish('native', '0.1', { platform: 'x86_64-linux' });
    const line = (await text('versions')).split('\n').find((one) => one.startsWith('list '));
    assert.equal(line, `list 2.1.0.pre,1.9.0,2.0.0 ${digestsOf(await text('info/list')).md5}`);
    assert.match(await text('versions'), /^native 0\.1_x86_64-linux /m);
    assert.match(await text('info/native'), /^0\.1-x86_64-linux \|checksum:/m);
    assert.equal((await gems.get(alice, 'rubygems/gems/native-0.1-x86_64-linux.gem')).status, 200);
    const all = (await tuples('specs')).filter((tuple) => tuple.startsWith('list '));
    assert.deepEqual(all, ['list 1.9.0 ruby', 'list 2.0.0 ruby', 'list 2.1.0.pre ruby']);
    const latest = (await tuples('latest_specs')).filter((tuple) => /^(?:list|native) /.test(tuple));
    assert.deepEqual(latest, ['list 2.0.0 ruby', 'native 0.1 x86_64-linux']);
    assert.deepEqual(await tuples('prerelease_specs'), []);
  });

  it('with many versions is in the lists as one with few', async () => {
    await publish('many', '1.0.0');
    const { db } = t.context;
    const { id: _, ...row } = await db
      .selectFrom('package_versions')
      .innerJoin('packages', 'packages.id', 'package_versions.package_id')
      .selectAll('package_versions')
      .where('packages.name', '=', 'many')
      .executeTakeFirstOrThrow();
    const versions = Array.from({ length: 100 }, (_, number) => `1.${number + 1}.0`);
    await db
      .insertInto('package_versions')
      .values(versions.map((version) => ({ ...row, version, lower_version: version })))
      .execute();
    await publish('many', '1.50.1');
    const line = (await text('versions')).split('\n').find((one) => one.startsWith('many '));
    const info = await text('info/many');
    assert.equal(line, `many 1.50.1,${versions.toReversed().join(',')},1.0.0 ${digestsOf(info).md5}`);
    assert.equal(info.split('\n').length, 104);
    assert.deepEqual(
      (await tuples('latest_specs')).filter((tuple) => tuple.startsWith('many ')),
      ['many 1.100.0 ruby'],
    );
    assert.equal((await tuples('specs')).filter((tuple) => tuple.startsWith('many ')).length, 102);
  });

  it('belongs to the owner of the registry', async () => {
    const name = (await text('versions')).split('\n').at(-2)?.split(' ')[0] ?? '';
    assert.match(await text(`api/v1/gems/${name}/owners.yaml`), /^---\n- id: \d+\n {2}handle: "alice"\n$/);
    assert.equal((await gems.get(t.anonymous, 'rubygems/api/v1/gems/none/owners.yaml')).status, 404);
  });

  it('is yanked with a form of either kind', async () => {
    for (const version of ['1', '2']) await publish('yanked', version);
    const yank = (caller: Client, version: string, headers: Record<string, string> = {}) =>
      caller.send('DELETE', '//api/packages/alice/rubygems/api/v1/gems/yank', { raw: `gem_name=yanked&version=${version}`, headers });
    const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
    assert.equal((await yank(bob, '1', urlencoded)).status, 401);
    assert.equal((await yank(alice, '1', urlencoded)).status, 200);
    assert.match(await text('versions'), /^yanked 2 /m);
    const form = new FormData();
    for (const [name, value] of [
      ['gem_name', 'yanked'],
      ['version', '2'],
    ] as const)
      form.append(name, value);
    assert.equal((await alice.send('DELETE', '//api/packages/alice/rubygems/api/v1/gems/yank', { form })).status, 200);
    assert.deepEqual(inShort(await gems.get(alice, 'rubygems/info/yanked')), [404, '']);
    assert.ok(!(await text('versions')).includes('yanked'));
  });
});

describe('the source of gems', () => {
  it('is empty at first, and tells what it does not have', async () => {
    const other = registry('bob');
    assert.equal((await other.get(bob, 'rubygems/versions')).text, '---\n');
    assert.equal((await other.get(bob, 'rubygems/specs.4.8.gz')).status, 200);
    assert.equal((await other.get(bob, 'rubygems/quick/Marshal.4.8/x-1.gemspec')).status, 501);
    assert.equal((await other.get(bob, 'rubygems/quick/Marshal.4.8/x-1.gemspec.rz')).status, 404);
  });

  it('refuses what is not a gem', async () => {
    assert.deepEqual(await push(alice, await tar({ 'data.tar.gz': '' })), [400, 'metadata.gz file is missing']);
    assert.deepEqual(await push(alice, await tar({ 'metadata.gz': 'x' })), [400, 'metadata.gz cannot be read']);
    assert.deepEqual(await push(alice, await tar({ 'metadata.gz': gzipSync(Buffer.alloc(9_000_000)) })), [
      400,
      'metadata.gz cannot be read',
    ]);
    assert.equal((await push(alice, await tar({ 'metadata.gz': gzipSync('a: &a [b]\nc: *a') })))[0], 400);
    assert.equal((await push(alice, await tar({ 'metadata.gz': gzipSync(`a: ${'['.repeat(3000)}`) })))[0], 400);
    assert.equal((await push(alice, 'no gem'))[0], 400);
    assert.deepEqual(await publish('bad/name', '1.0'), [400, 'package name is invalid']);
    assert.deepEqual(await publish('"bad\\n1.0 |checksum:x"', '1.0'), [400, 'package name is invalid']);
    assert.deepEqual(await publish('bad', 'one two'), [400, 'package version is invalid']);
    assert.deepEqual(await publish('bad', '1.0', { platform: '"a b"' }), [400, 'package platform is invalid']);
    const injected = 'dependencies:\n- name: "x\\n9.9 |checksum:0"\n  type: :runtime\n';
    assert.deepEqual(await publish('bad', '1.0', { extra: injected }), [400, 'the name of a dependency is invalid']);
    assert.deepEqual(await push(alice, await gem('bad', '1.0', { files: { x: 'x'.repeat(100_000) } })), [
      403,
      'maximum allowed package type size exceeded',
    ]);
    assert.equal((await push(bob, await gem('bad', '1.0')))[0], 401);
    assert.equal((await gems.get(alice, 'rubygems/info/bad')).status, 404);
  });
});
