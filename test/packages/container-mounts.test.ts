import assert from 'node:assert/strict';
import { it } from 'node:test';
import { blobKey } from '../../src/packages/blobs/content.ts';
import { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { digestsOf, packageTeams } from './support/registry.ts';

const t = await testServer();
const bearer = async (caller: Client) => {
  const { token } = (await caller.get('//v2/token')).json;
  return new Client(() => t.url, { authorization: `Bearer ${token}` });
};
const id = (bytes: string) => `sha256:${digestsOf(bytes).sha256}`;
const push = async (caller: Client, image: string, bytes: string) =>
  assert.equal((await caller.send('POST', `//v2/${image}/blobs/uploads?digest=${id(bytes)}`, { raw: bytes })).status, 201);
/** 201 where the content is mounted, 202 where the client is to send it. */
const mount = async (caller: Client, image: string, bytes: string, from: string) =>
  (await caller.send('POST', `//v2/${image}/blobs/uploads?mount=${id(bytes)}&from=${from}`)).status;
const has = async (caller: Client, image: string, bytes: string) => (await caller.send('HEAD', `//v2/${image}/blobs/${id(bytes)}`)).status;

it('contents of other owners are mounted by those alone who may read them there', async () => {
  const { owner, reader, stranger } = await packageTeams(t, 'acme');
  await owner.must('PATCH', '/orgs/acme', { visibility: 'private' });
  const [acme, member, outsider] = [await bearer(owner), await bearer(reader), await bearer(stranger)];
  await push(acme, 'acme/app', 'layer');
  await push(acme, 'acme/other', 'elsewhere');

  assert.equal(await mount(outsider, `${stranger.name}/copy`, 'layer', 'acme/app'), 202);
  assert.equal(await has(outsider, `${stranger.name}/copy`, 'layer'), 404);
  assert.equal(await mount(member, `${reader.name}/copy`, 'layer', 'acme/app'), 201);
  assert.equal(await has(member, `${reader.name}/copy`, 'layer'), 200);
  // An image has its own contents alone, whatever else its owner has.
  assert.equal(await mount(member, `${reader.name}/copy`, 'elsewhere', 'acme/app'), 202);
  assert.equal(await mount(member, `${reader.name}/copy`, 'nothing', 'acme/app'), 202);
  // Reading the source is no right to write the target.
  assert.equal(await mount(member, 'acme/copy', 'layer', 'acme/app'), 401);

  const { password } = await reader.token(['write:package', 'public-only']);
  const publicOnly = await bearer(new Client(() => t.url, { authorization: `Basic ${btoa(`${reader.name}:${password}`)}` }));
  assert.equal(await mount(publicOnly, `${reader.name}/second`, 'layer', 'acme/app'), 202);
  await owner.must('PATCH', '/orgs/acme', { visibility: 'public' });
  assert.equal(await mount(publicOnly, `${reader.name}/second`, 'layer', 'acme/app'), 201);
  assert.equal(await mount(outsider, `${stranger.name}/copy`, 'layer', 'acme/app'), 201);
});

it('a layer whose bytes are lost, or not all there, is none', async () => {
  const caller = await bearer(await t.user('loser'));
  await push(caller, 'loser/app', 'a layer');
  const path = `//v2/loser/app/blobs/${id('a layer')}`;
  const { sha256 } = digestsOf('a layer');
  const blob = await t.context.db.selectFrom('package_blobs').selectAll().where('sha256', '=', sha256).executeTakeFirstOrThrow();
  for (const left of ['', 'a lay']) {
    await t.context.storage.delete(blobKey(blob));
    if (left !== '') await t.context.storage.put(blobKey(blob), Buffer.from(left));
    assert.equal(await has(caller, 'loser/app', 'a layer'), 404);
    const { status, json } = await caller.get(path);
    assert.deepEqual([status, json.errors[0].code], [404, 'BLOB_UNKNOWN']);
  }
  await push(caller, 'loser/app', 'a layer');
  assert.equal((await caller.get(path)).text, 'a layer');
});
