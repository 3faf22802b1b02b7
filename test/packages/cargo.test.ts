// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { digestsOf, inShort, registry } from './support/registry.ts';

const t = await testServer({ packages: { limitSizeCargo: 1000 } });
const alice = await t.user('alice', { full_name: 'Alice A.' });
const bob = await t.user('bob');
const cargo = registry('alice');

function length(size: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(size);
  return bytes;
}

/** What `cargo publish` sends. */
function publication(metadata: unknown, crate: string): Buffer {
  const json = Buffer.from(typeof metadata === 'string' ? metadata : JSON.stringify(metadata));
  return Buffer.concat([length(json.length), json, length(crate.length), Buffer.from(crate)]);
}

const publish = (caller: Client, metadata: unknown, crate = 'crate') =>
  cargo.put(caller, 'cargo/api/v1/crates/new', publication(metadata, crate));
const lines = async (path: string) => {
  const { text } = await cargo.get(t.anonymous, `cargo/${path}`);
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};
const detail = (message: string) => JSON.stringify({ ok: false, errors: [{ detail: message }] });

describe('a crate', () => {
  it('is published, listed in the sparse index, and downloaded', async () => {
    const deps = [
      {
        name: 'real',
        version_req: '^1',
        features: ['std'],
        optional: true,
        default_features: false,
        kind: 'dev',
        explicit_name_in_toml: 'alias',
        target: 'cfg(unix)',
      },
      { name: 'plain', version_req: '2', default_features: true, kind: 'normal' },
    ];
    const features = { extra: ['dep:real'] };
    assert.deepEqual(inShort(await publish(alice, { name: 'My-Crate', vers: '1.0.0', deps, features })), [200, '{"ok":true}']);
    const [line] = await lines('my/-c/my-crate');
    assert.deepEqual(line, {
      name: 'My-Crate',
      vers: '1.0.0',
      deps: [
        {
          name: 'alias',
          req: '^1',
          features: ['std'],
          optional: true,
          default_features: false,
          target: 'cfg(unix)',
          kind: 'dev',
          registry: null,
          package: 'real',
        },
        {
          name: 'plain',
          req: '2',
          features: [],
          optional: false,
          default_features: true,
          target: null,
          kind: 'normal',
          registry: null,
          package: null,
        },
      ],
      cksum: digestsOf('crate').sha256,
      features,
      yanked: false,
    });
    assert.deepEqual(inShort(await cargo.get(t.anonymous, 'cargo/api/v1/crates/my-crate/1.0.0/download')), [200, 'crate']);
    assert.deepEqual(inShort(await publish(alice, { name: 'my-crate', vers: '1.0.0' })), [409, detail('package version already exists')]);
  });

  it('is yanked and unyanked', async () => {
    for (const vers of ['0.1.0', '0.2.0']) await publish(alice, { name: 'abc', vers });
    const yanked = async () => (await lines('3/a/abc')).map(({ vers, yanked }) => `${vers} ${yanked}`);
    assert.equal((await cargo.delete(alice, 'cargo/api/v1/crates/abc/0.1.0/yank')).status, 200);
    assert.deepEqual(await yanked(), ['0.1.0 true', '0.2.0 false']);
    assert.equal((await cargo.put(alice, 'cargo/api/v1/crates/abc/0.1.0/unyank', '')).status, 200);
    assert.deepEqual(await yanked(), ['0.1.0 false', '0.2.0 false']);
    assert.equal((await cargo.delete(bob, 'cargo/api/v1/crates/abc/0.1.0/yank')).status, 401);
    await alice.must('DELETE', '/packages/alice/cargo/abc/0.1.0');
    assert.deepEqual(await yanked(), ['0.2.0 false']);
    await alice.must('DELETE', '/packages/alice/cargo/abc');
    assert.equal((await cargo.get(alice, 'cargo/3/a/abc')).status, 404);
  });

  it('is found by a part of its name', async () => {
    await publish(alice, { name: 'needle', vers: '1.0.0', description: 'Sharp' });
    const { json } = await cargo.get(t.anonymous, 'cargo/api/v1/crates?q=EEDL&per_page=1');
    assert.deepEqual(json, { crates: [{ name: 'needle', max_version: '1.0.0', description: 'Sharp' }], meta: { total: 1 } });
    const { users } = (await cargo.get(t.anonymous, 'cargo/api/v1/crates/needle/owners')).json;
    assert.deepEqual([users[0].login, users[0].name], ['alice', 'Alice A.']);
  });
});

describe('the cargo registry', () => {
  it('tells clients where it is, and whether they have to sign in', async () => {
    const config = (await cargo.get(t.anonymous, 'cargo/config.json')).json;
    assert.deepEqual(config['auth-required'], false);
    assert.match(config.dl, /\/api\/packages\/alice\/cargo\/api\/v1\/crates$/);
    const hidden = await t.user('hidden', { visibility: 'private' });
    assert.equal((await registry('hidden').get(hidden, 'cargo/config.json')).json['auth-required'], true);
    assert.equal((await registry('hidden').get(t.anonymous, 'cargo/config.json')).status, 401);
  });

  it('refuses what is not a publication, and keeps nothing of it', async () => {
    const refusal = async (metadata: unknown, crate?: string) => inShort(await publish(alice, metadata, crate));
    assert.deepEqual(await refusal({ name: '1bad', vers: '1.0.0' }), [400, detail('package name is invalid')]);
    assert.deepEqual(await refusal({ name: 'bad', vers: 'one' }), [400, detail('package version is invalid')]);
    assert.deepEqual(await refusal('{'), [400, detail('the metadata is not JSON')]);
    assert.deepEqual(await refusal('null'), [400, detail('package name is invalid')]);
    for (const [field, value, named = field] of [
      ['description', 5],
      ['keywords', ['a', 5]],
      ['features', []],
      ['features', { a: 'b' }, 'features.a'],
      ['features', { a: [5] }, 'features.a'],
      ['deps', {}],
      ['deps', ['a']],
      ['deps', [{ name: 5 }], 'deps.name'],
      ['deps', [{ name: 'a', optional: 'x' }], 'deps.optional'],
      ['deps', [{ name: 'a', features: [5] }], 'deps.features'],
    ] as const) {
      assert.deepEqual(await refusal({ name: 'bad', vers: '1.0.0', [field]: value }), [400, detail(`${named} has the wrong type`)]);
    }
    assert.deepEqual(await refusal({ name: 'bad', vers: '1.0.0' }, 'x'.repeat(1001)), [
      403,
      detail('maximum allowed package type size exceeded'),
    ]);
    const send = async (body: Buffer) => inShort(await cargo.put(alice, 'cargo/api/v1/crates/new', body));
    const whole = publication({ name: 'bad', vers: '1.0.0' }, 'crate');
    assert.deepEqual(await send(whole.subarray(0, -1)), [400, detail('invalid content size')]);
    assert.deepEqual(await send(whole.subarray(0, 10)), [400, detail('the publication ends too early')]);
    assert.deepEqual(await send(length(0xffffffff)), [400, detail('the metadata has more than 2097152 bytes')]);
    assert.equal((await publish(bob, { name: 'bad', vers: '1.0.0' })).status, 401);
    assert.deepEqual(inShort(await cargo.get(alice, 'cargo/3/b/bad')), [404, detail('package does not exist')]);
  });
});
