// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { inShort } from './support/registry.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const BASE = '//api/packages/alice/terraform/state';

const state = (serial: unknown, more: object = {}) => ({ version: 4, serial, lineage: 'a1b2', resources: [], ...more });
const post = async (path: string, json: unknown, caller = alice) => inShort(await caller.post(`${BASE}/${path}`, json));
const remove = async (path: string, json?: unknown, caller = alice) => inShort(await caller.delete(`${BASE}/${path}`, json));
const lockOf = (ID: string) => ({ ID, Operation: 'OperationTypeApply', Who: 'ann@desk', Created: '2025-03-04T05:06:07.123456789Z' });
const serialOf = async (path: string) => (await bob.get(`${BASE}/${path}`)).json?.serial;

describe('a state of Terraform', () => {
  it('is stored by its serial, and the newest is served', async () => {
    assert.deepEqual(inShort(await alice.get(`${BASE}/network`)), [404, '']);
    assert.deepEqual(await post('network', state(7)), [201, '']);
    assert.deepEqual(await post('network', state(7)), [409, 'package file already exists']);
    await post('network', state(9));
    await post('network', state(8));
    assert.deepEqual([await serialOf('network'), await serialOf('network/versions/7')], [8, 7]);
    assert.deepEqual(await remove('network/versions/8'), [403, 'cannot delete the latest version']);
    assert.deepEqual(await remove('network/versions/7'), [204, '']);
    assert.deepEqual(await remove('network/versions/7'), [404, 'package does not exist']);
    assert.deepEqual(await remove('network'), [200, '']);
    assert.deepEqual(await remove('network'), [404, 'package does not exist']);
  });

  it('is large', async () => {
    const large = state(1, {
      resources: Array.from({ length: 3000 }, (_, index) => ({ name: `r${index}`, attributes: { text: 'x'.repeat(40) } })),
    });
    assert.deepEqual(await post('large', large), [201, '']);
    assert.equal((await bob.get(`${BASE}/large`)).json.resources.length, 3000);
  });

  it('is held by who has locked it', async () => {
    await post('shared', state(1));
    assert.deepEqual(await post('shared/lock', lockOf('first')), [200, '']);
    const held = await alice.post(`${BASE}/shared/lock`, lockOf('second'));
    const shown = { ...lockOf('first'), Info: '', Version: '', Path: '' };
    assert.deepEqual([held.status, held.json], [423, shown]);
    for (const query of ['', '?ID=second']) {
      const { status, json } = await alice.post(`${BASE}/shared${query}`, state(2));
      assert.deepEqual([status, json], [423, shown]);
    }
    assert.equal((await post('shared?ID=first', state(2)))[0], 201);
    assert.deepEqual(await remove('shared'), [423, 'terraform state is locked']);
    assert.deepEqual(await remove('shared/lock', lockOf('second')), [423, 'lock ID mismatch']);
    for (let i = 0; i < 2; i++) assert.deepEqual(await remove('shared/lock', { ID: 'first' }), [200, '']);
    assert.equal((await post('shared', state(3)))[0], 201);
  });

  it('is locked by one of those who try at once, also before there is a state', async () => {
    const tries = await Promise.all(['a', 'b', 'c', 'd'].map((ID) => post('new/lock', { ID })));
    assert.deepEqual(tries.map(([status]) => status).sort(), [200, 423, 423, 423]);
    const [, text] = await post('new/lock', { ID: 'e' });
    const { ID, Created } = JSON.parse(text);
    assert.equal(Created, '0001-01-01T00:00:00Z');
    assert.equal((await post('new', state(1)))[0], 423);
    assert.equal((await post(`new?ID=${ID}`, state(1)))[0], 201);
  });

  it('is refused where it is none', async () => {
    for (const serial of [undefined, 0]) assert.deepEqual(await post('bad', state(serial)), [400, 'state serial is missing']);
    assert.deepEqual(await post('bad', state(1, { lineage: '' })), [400, 'state lineage is missing']);
    for (const document of [state(-1), state(1.5), state('1'), state(2 ** 60), [], 'text', state(1, { lineage: 7 })]) {
      assert.equal((await post('bad', document))[0], 400);
    }
    assert.deepEqual(await post('a%20b', state(1)), [400, 'invalid package name']);
    assert.deepEqual(await post('bad/lock', { Who: 'ann' }), [400, 'terraform lock is missing an ID']);
    for (const lock of [{ ID: 7 }, { ID: 'a', Created: 'now' }, [], { ID: 'a', Info: {} }])
      assert.equal((await post('bad/lock', lock))[0], 400);
    assert.equal((await post('bad/lock', { ID: 'a', Info: 'x'.repeat(65_536) }))[0], 413);
    assert.deepEqual(await remove('bad/lock', { ID: 'a' }), [200, '']);
    assert.equal((await alice.get(`${BASE}/bad`)).status, 404);
  });

  it('is changed by nobody else', async () => {
    const changes = [
      () => post('shared', state(9), bob),
      () => remove('shared', undefined, bob),
      () => remove('shared/versions/1', undefined, bob),
      () => post('shared/lock', lockOf('bob'), bob),
      () => remove('shared/lock', lockOf('bob'), bob),
    ];
    for (const change of changes) assert.equal((await change())[0], 401);
    assert.equal(await serialOf('shared'), 3);
  });
});
