import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { digestsOf, inShort } from './support/registry.ts';

const t = await testServer();
const TYPE = 'application/vnd.oci.image.manifest.v1+json';
const CONFIG = '{"os":"linux","architecture":"arm64"}';
const id = (bytes: string) => `sha256:${digestsOf(bytes).sha256}`;
const config = { mediaType: 'application/vnd.oci.image.config.v1+json', digest: id(CONFIG), size: CONFIG.length };
const manifestOf = (version: string) => JSON.stringify({ schemaVersion: 2, mediaType: TYPE, config, layers: [], annotations: { version } });

async function push(caller: Client, image: string, tag: string): Promise<string> {
  const upload = await caller.send('POST', `//v2/${image}/blobs/uploads?digest=${id(CONFIG)}`, { raw: CONFIG });
  const manifest = manifestOf(`${image} ${tag}`);
  const pushed = await caller.send('PUT', `//v2/${image}/manifests/latest`, { raw: manifest, type: TYPE });
  assert.deepEqual([upload.status, pushed.status], [201, 201]);
  return manifest;
}

it('a manifest is read from memory after the first time, as it is by now, and by those who may', async ({ mock }) => {
  const owner = await t.user('alice', { visibility: 'limited' });
  const [reader, url] = [await t.user('bob'), '//v2/alice/app/manifests/latest'];
  const first = await push(owner, 'alice/app', '1');
  assert.equal((await reader.get(url)).text, first);
  const get = mock.method(t.context.storage, 'get');
  const { text, headers } = await reader.get(url);
  assert.deepEqual([text, headers.get('content-type'), headers.get('docker-content-digest')], [first, TYPE, id(first)]);
  const ranged = await reader.get(`//v2/alice/app/manifests/${id(first)}`, { headers: { range: 'bytes=2-14' } });
  assert.deepEqual([...inShort(ranged), ranged.headers.get('content-length')], [206, first.slice(2, 15), '13']);
  const head = await reader.send('HEAD', url);
  assert.deepEqual([...inShort(head), head.headers.get('content-length')], [200, '', String(first.length)]);
  assert.equal(get.mock.callCount(), 0);

  const second = await push(owner, 'alice/app', '2');
  assert.equal((await reader.get(url)).text, second);
  assert.equal((await reader.get(`//v2/alice/app/manifests/${id(first)}`)).status, 404);
  await t.admin.must('PATCH', '/admin/users/alice', { login_name: 'alice', source_id: 0, visibility: 'private' });
  assert.equal((await reader.get(url)).status, 401);
  assert.equal((await owner.get(url)).text, second);
  assert.equal((await owner.delete(url)).status, 202);
  assert.equal((await owner.get(url)).status, 404);
});
