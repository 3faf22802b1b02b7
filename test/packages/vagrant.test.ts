// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { tar } from './support/archives.ts';
import { digestsOf, inShort, registry } from './support/registry.ts';

const t = await testServer({ packages: { limitSizeVagrant: 300_000 } });
const alice = await t.user('alice');
const bob = await t.user('bob');
const boxes = registry('alice');

const box = async (info?: string) => gzipSync(await tar({ 'box.img': 'disk', ...(info === undefined ? {} : { './info.json': info }) }));
const put = async (path: string, content: Buffer, caller = alice) => {
  const { status, json, text } = await boxes.put(caller, `vagrant/${path}`, content);
  return [status, json?.errors?.[0] ?? text];
};
const catalog = async () => (await boxes.get(bob, 'vagrant/debian')).json;

describe('a box of Vagrant', () => {
  it('is published for several providers, listed in the order of versions, and downloaded', async () => {
    const content = await box(JSON.stringify({ Description: 'Small', url: 'javascript:x' }));
    assert.deepEqual(await put('debian/1.10.0/QEMU.box', content), [201, '']);
    assert.deepEqual(await put('debian/1.10.0/qemu.box', content), [409, 'package file already exists']);
    await put('debian/1.10.0/hyperv.box', await box());
    await put('debian/1.9.0+build/qemu.box', await box());
    const { name, description, versions } = await catalog();
    assert.deepEqual([name, description], ['debian', 'Small']);
    assert.deepEqual(
      versions.map(({ version, status, providers }: { version: string; status: string; providers: { name: string }[] }) => [
        version,
        status,
        providers.map((provider) => provider.name),
      ]),
      [
        ['1.9.0+build', 'active', ['qemu']],
        ['1.10.0', 'active', ['hyperv', 'QEMU']],
      ],
    );
    const { url, checksum, checksum_type } = versions[1].providers[1];
    assert.deepEqual([checksum, checksum_type], [digestsOf(content).sha512, 'sha512']);
    assert.deepEqual((await bob.get(`/${new URL(url).pathname}`)).bytes, content);
    assert.equal((await bob.get(`/${new URL(versions[0].providers[0].url).pathname}`)).status, 200);
    const head = await boxes.head(bob, 'vagrant/debian');
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.match(head.headers.get('content-type') ?? '', /^application\/json/);
  });

  it('is not found where there is none', async () => {
    assert.deepEqual((await boxes.get(bob, 'vagrant/none')).json, { errors: [''] });
    assert.equal((await boxes.head(bob, 'vagrant/none')).status, 404);
    assert.deepEqual((await boxes.get(bob, 'vagrant/debian/1.10.0/none.box')).json, { errors: ['package file does not exist'] });
  });

  it('is refused with its errors', async () => {
    assert.deepEqual(await put('debian/latest/qemu.box', await box()), [400, 'malformed version: latest']);
    assert.deepEqual(await put('debian/2.0.0/qemu.img', await box()), [400, '']);
    assert.deepEqual(await put('debian/2.0.0/qemu.box', await box('{')), [400, 'info.json is not JSON']);
    assert.deepEqual(await put('debian/2.0.0/qemu.box', await box('{"a":1}')), [400, 'info.json has a value that is not a string']);
    assert.equal((await put('debian/2.0.0/qemu.box', await box('"'.repeat(262_145))))[0], 400);
    assert.equal((await put('debian/2.0.0/qemu.box', Buffer.from('no archive')))[0], 400);
    assert.equal((await put('debian/2.0.0/qemu.box', Buffer.alloc(300_001)))[0], 403);
    assert.equal((await catalog()).versions.length, 2);
  });

  it('is published by nobody else', async () => {
    for (const caller of [bob, t.anonymous]) assert.equal((await put('debian/2.0.0/qemu.box', await box(), caller))[0], 401);
    assert.deepEqual(inShort(await boxes.get(bob, 'vagrant/authenticate')), [200, '']);
    const anonymous = await boxes.get(t.anonymous, 'vagrant/authenticate');
    assert.deepEqual([anonymous.status, anonymous.json], [401, { errors: ['Invalid access token'] }]);
    const wrong = new Client(() => t.url, { authorization: 'Bearer wrong' });
    assert.equal((await boxes.get(wrong, 'vagrant/authenticate')).status, 401);
  });
});
