import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { digestsOf, inShort, packageTeams, registry } from './support/registry.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const hidden = await t.user('hidden', { visibility: 'private' });
const packages = registry('alice');
const BASE = '/packages/alice';
const names = (list: { name: string; version: string }[]) => list.map(({ name, version }) => `${name} ${version}`);

before(async () => {
  for (const path of ['tool/1.0', 'tool/1.1', 'toolbox/1.0']) await packages.put(alice, `generic/${path}/file`, path);
  await registry('hidden').put(hidden, 'generic/secret/1.0/file', 'x');
  await alice.must('POST', '/user/repos', { name: 'demo', private: true });
});

describe('the packages of an owner', () => {
  it('are listed, the newest first, by type and name', async () => {
    const all = await bob.get(BASE);
    assert.deepEqual([names(all.json), all.headers.get('x-total-count')], [['toolbox 1.0', 'tool 1.1', 'tool 1.0'], '3']);
    assert.deepEqual(names((await bob.get(`${BASE}?q=BOX&type=generic`)).json), ['toolbox 1.0']);
    assert.deepEqual((await bob.get(`${BASE}?q=t_ol`)).json, []);
    assert.deepEqual((await bob.get(`${BASE}?type=npm`)).json, []);
    assert.deepEqual((await bob.get(`${BASE}?type=unknown`)).json, []);
    assert.deepEqual(names((await bob.get(`${BASE}?limit=2&page=2`)).json), ['tool 1.0']);
    assert.deepEqual(names((await bob.get(`${BASE}/generic/TOOL`)).json), ['tool 1.1', 'tool 1.0']);
    assert.equal((await bob.get(`${BASE}/generic/tool/-/latest`)).json.version, '1.1');
    assert.deepEqual(
      (await bob.get(`${BASE}/generic/tool/1.0/files`)).json.map(({ name, size, sha512 }: Record<string, unknown>) => [name, size, sha512]),
      [['file', 8, digestsOf('tool/1.0').sha512]],
    );
  });

  it('are shown to nobody who may not know of them', async () => {
    for (const path of [BASE, `${BASE}/generic/tool/1.0`, '/packages/nobody', '/packages/hidden'])
      assert.equal((await t.anonymous.get(path)).status, 401, path);
    assert.equal((await bob.get('/packages/hidden')).status, 403);
    // A version that exists and one that does not look alike.
    const [there, missing] = [await bob.get('/packages/hidden/generic/secret/1.0'), await bob.get('/packages/hidden/generic/none/1.0')];
    assert.deepEqual([there.status, there.text], [404, missing.text]);
    for (const path of ['generic/secret', 'generic/secret/1.0']) assert.equal((await bob.delete(`/packages/hidden/${path}`)).status, 404);
    assert.equal((await hidden.get('/packages/hidden')).json.length, 1);
    assert.equal((await t.admin.get('/packages/hidden')).json.length, 1);
    const publicOnly = await hidden.token(['all', 'public-only']);
    assert.equal((await publicOnly.get('/packages/hidden')).status, 403);
    assert.equal((await (await alice.token(['read:repository'])).get(BASE)).status, 403);
  });

  it('are linked to repositories, which are shown to those who see them', async () => {
    const link = (caller: typeof alice, path: string) => caller.post(`${BASE}/generic/${path}`);
    assert.equal((await link(bob, 'tool/-/link/demo')).status, 403);
    assert.equal((await link(alice, 'tool/-/link/none')).status, 404);
    assert.equal((await link(alice, 'tool/-/link/demo')).status, 201);
    assert.equal((await link(alice, 'tool/-/link/demo')).status, 400);
    const shown = async (caller: typeof alice) => (await caller.get(`${BASE}/generic/tool/1.0`)).json.repository?.full_name;
    assert.deepEqual([await shown(alice), await shown(bob)], ['alice/demo', undefined]);
    assert.equal(await shown(await alice.token(['all', 'public-only'])), undefined);
    assert.equal((await link(bob, 'tool/-/unlink')).status, 403);
    assert.equal((await link(alice, 'tool/-/unlink')).status, 204);
    assert.equal((await link(alice, 'tool/-/unlink')).status, 400);
  });

  it('are unlinked from repositories that go, and stay linked to those that get another owner', async () => {
    const { owner } = await packageTeams(t, 'guild');
    for (const name of ['going', 'moving']) {
      await owner.must('POST', '/orgs/guild/repos', { name });
      await registry('guild').put(owner, `generic/${name}/1/file`, name);
      await owner.must('POST', `/packages/guild/generic/${name}/-/link/${name}`);
    }
    await owner.must('DELETE', '/repos/guild/going');
    await owner.must('POST', '/repos/guild/moving/transfer', { new_owner: 'bob' });
    await bob.must('POST', '/repos/guild/moving/transfer/accept');
    const repositoryOf = async (name: string) => (await owner.get(`/packages/guild/generic/${name}/1`)).json.repository?.full_name;
    assert.deepEqual([await repositoryOf('going'), await repositoryOf('moving')], [undefined, 'bob/moving']);
    assert.equal((await owner.post('/packages/guild/generic/going/-/unlink')).status, 400);
    assert.equal((await bob.post('/packages/guild/generic/moving/-/unlink')).status, 403);
    assert.equal((await owner.post('/packages/guild/generic/moving/-/unlink')).status, 204);
    assert.equal(await repositoryOf('moving'), undefined);
  });

  it('are deleted by those who may write them', async () => {
    for (const path of ['generic/tool/1.0', 'generic/tool']) assert.equal((await bob.delete(`${BASE}/${path}`)).status, 403);
    assert.equal((await (await alice.token(['read:package'])).delete(`${BASE}/generic/tool`)).status, 403);
    assert.equal((await alice.delete(`${BASE}/generic/tool/1.0`)).status, 204);
    assert.equal((await packages.get(alice, 'generic/tool/1.0/file')).status, 404);
    assert.equal((await alice.delete(`${BASE}/generic/tool`)).status, 204);
    assert.deepEqual(names((await alice.get(BASE)).json), ['toolbox 1.0']);
  });

  it('go with their owner only when all is to go', async () => {
    const packer = await t.user('packer');
    await registry('packer').put(packer, 'generic/box/1/file', 'x');
    const refused = await t.admin.delete('/admin/users/packer');
    assert.match(inShort(refused)[1], /user still has ownership of packages/);
    assert.equal((await t.admin.delete('/admin/users/packer?purge=true')).status, 204);
    const left = await t.context.db.selectFrom('packages').selectAll().where('name', '=', 'box').execute();
    assert.deepEqual(left, []);
    const { owner } = await packageTeams(t, 'troupe');
    await registry('troupe').put(owner, 'generic/box/1/file', 'x');
    assert.equal((await owner.delete('/orgs/troupe')).status, 422);
    await owner.must('DELETE', '/packages/troupe/generic/box');
    assert.equal((await owner.delete('/orgs/troupe')).status, 204);
  });
});
