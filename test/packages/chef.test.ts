// On SQLite alone: the tests of the registry itself run on both.
import assert from 'node:assert/strict';
import { createHash, createSign, privateEncrypt } from 'node:crypto';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { renewChefKey } from '../../src/packages/chef/keys.ts';
import { Browser } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { PASSWORD, testServer } from '../support/server.ts';
import { tar } from './support/archives.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const user = await t.context.db.selectFrom('users').selectAll().where('name', '=', 'alice').executeTakeFirstOrThrow();
const key = await renewChefKey(t.context, user);
const ROOT = '//api/packages/alice/chef/api/v1';
const cookbook = async (name: string, version: string, more: object = {}) =>
  gzipSync(await tar({ [`${name}/metadata.json`]: JSON.stringify({ name, version, ...more }) }));

async function share(caller: Client, content: Uint8Array, headers: Record<string, string> = {}) {
  const form = new FormData();
  form.append('cookbook', '{"category":"Other"}');
  form.append('tarball', new Blob([Buffer.from(content)]), 'x.tgz');
  const { status, json } = await caller.send('POST', `${ROOT}/cookbooks`, { form, headers });
  return status === 201 ? status : [status, json?.error_messages?.[0]];
}

interface Signed {
  readonly method?: string;
  readonly path?: string;
  readonly version?: string;
  readonly time?: Date;
  readonly name?: string;
}

function signed({
  method = 'POST',
  path = '/api/packages/alice/chef/api/v1/cookbooks',
  version = '1.3',
  time = new Date(),
  name = 'alice',
}: Signed = {}) {
  const sha1 = (text: string) => createHash('sha1').update(text).digest('base64');
  const timestamp = time.toISOString().replace(/\.\d+Z/, 'Z');
  const who = version === '1.1' || version === '1.2' ? sha1(name) : name;
  const lines =
    version === '1.3'
      ? [
          `Path:${path}`,
          'X-Ops-Content-Hash:x',
          'X-Ops-Sign:version=1.3',
          `X-Ops-Timestamp:${timestamp}`,
          `X-Ops-UserId:${who}`,
          'X-Ops-Server-API-Version:1',
        ]
      : [`Hashed Path:${sha1(path)}`, 'X-Ops-Content-Hash:x', `X-Ops-Timestamp:${timestamp}`, `X-Ops-UserId:${who}`];
  const text = [`Method:${method}`, ...lines].join('\n');
  const old = version === '1.0' || version === '1.1';
  const signature = old
    ? privateEncrypt(key, Buffer.from(text))
    : createSign(version === '1.3' ? 'sha256' : 'sha1')
        .update(text)
        .sign(key);
  const parts = signature.toString('base64').match(/.{1,60}/g) ?? [];
  return {
    'x-ops-userid': name,
    'x-ops-timestamp': timestamp,
    'x-ops-content-hash': 'x',
    'x-ops-server-api-version': '1',
    'x-ops-sign': `algorithm=${version === '1.3' ? 'sha256' : 'sha1'};version=${version}`,
    ...Object.fromEntries(parts.map((part, index) => [`x-ops-authorization-${index + 1}`, part])),
  };
}

describe('a Chef supermarket', () => {
  it('orders versions by their numbers', async () => {
    for (const version of ['0.9', '0.10.0', '0.9.1'])
      assert.equal(await share(alice, await cookbook('web', version, { maintainer: version })), 201);
    assert.deepEqual(await share(alice, await cookbook('web', '0.9')), [409, 'package version already exists']);
    const { json } = await t.anonymous.get(`${ROOT}/cookbooks/web`);
    const url = `${t.url}api/packages/alice/chef/api/v1/cookbooks/web/versions`;
    assert.deepEqual([json.maintainer, json.versions], ['0.10.0', ['0.9', '0.9.1', '0.10.0'].map((version) => `${url}/${version}`)]);
    assert.equal((await t.anonymous.get(`${ROOT}/cookbooks/web/versions/0_9_1`)).json.version, '0.9.1');
  });

  it('has cookbooks of every name in its universe', async () => {
    await share(alice, await cookbook('__proto__', '1.0', { dependencies: { web: '> 0' } }));
    const { text, headers } = await t.anonymous.get(`${ROOT}/universe`);
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    const entries: [string, Record<string, { dependencies: unknown }>][] = Object.entries(JSON.parse(text));
    assert.deepEqual(entries.map(([name]) => name).sort(), ['__proto__', 'web']);
    assert.deepEqual(entries.find(([name]) => name === '__proto__')?.[1]['1.0']?.dependencies, { web: '> 0' });
  });

  it('refuses what is not a cookbook', async () => {
    for (const name of ['', 'two words'])
      assert.deepEqual(await share(alice, await cookbook(name, '1.0')), [400, 'package name is invalid']);
    for (const version of ['1', '1.0.0.0', 'x'])
      assert.deepEqual(await share(alice, await cookbook('a', version)), [400, 'package version is invalid']);
    assert.deepEqual(await share(alice, gzipSync(await tar({ 'metadata.json': '{}' }))), [400, 'metadata.json file is missing']);
    const bare = await alice.send('POST', `${ROOT}/cookbooks`, { raw: await cookbook('a', '1.0.0') });
    assert.deepEqual([bare.status, bare.json], [400, { error_messages: ["request Content-Type isn't multipart/form-data"] }]);
    const wrong = { dependencies: [1] };
    assert.deepEqual(await share(alice, await cookbook('a', '1.0', wrong)), [400, 'metadata.json: dependencies has the wrong type']);
    assert.equal(((await share(alice, Buffer.from('text'))) as [number])[0], 400);
  });

  it('knows who signs a request', async () => {
    for (const version of ['1.0', '1.1', '1.2', '1.3']) {
      assert.equal(await share(t.anonymous, await cookbook('signed', version), signed({ version })), 201, version);
    }
    const hour = 3_600_000;
    const others: Signed[] = [
      { method: 'PUT' },
      { path: '/x' },
      { time: new Date(Date.now() - hour) },
      { time: new Date(Date.now() + hour) },
      { name: 'bob' },
      { name: 'nobody' },
    ];
    for (const other of others)
      assert.equal(((await share(t.anonymous, await cookbook('signed', '2.0'), signed(other))) as [number])[0], 401, JSON.stringify(other));
    for (const version of ['1.0', '1.3']) {
      const changed = { ...signed({ version }), 'x-ops-authorization-1': 'AAAA' };
      assert.equal(((await share(t.anonymous, await cookbook('signed', '2.0'), changed)) as [number])[0], 401);
    }
    assert.equal((await alice.send('GET', '/user', { headers: signed({ method: 'GET', path: '/api/v1/user' }) })).status, 200);
    assert.equal((await t.anonymous.send('GET', '/user', { headers: signed({ method: 'GET', path: '/api/v1/user' }) })).status, 401);
  });

  it('gives a key to who has just signed in, or knows the password', async () => {
    const browser = new Browser(t.url);
    await browser.signIn('bob', PASSWORD);
    await t.context.db.updateTable('sessions').set({ created_at: 1 }).execute();
    const page = await browser.get('/user/settings/packages');
    const renew = (fields: Record<string, string>) => browser.submit(page, fields, '/user/settings/packages/chef/regenerate_keypair');
    assert.equal((await renew({})).status, 403);
    assert.match((await renew({ password: PASSWORD })).text, /PRIVATE KEY/);
  });

  it('is written by its owner alone', async () => {
    for (const caller of [bob, t.anonymous]) {
      assert.equal(((await share(caller, await cookbook('web', '3.0'))) as [number])[0], 401);
      assert.equal((await caller.delete(`${ROOT}/cookbooks/web`)).status, 401);
    }
    assert.equal((await alice.delete(`${ROOT}/cookbooks/web/versions/0.9`)).status, 200);
    assert.equal((await alice.delete(`${ROOT}/cookbooks/web`)).status, 200);
    assert.deepEqual((await t.anonymous.get(`${ROOT}/cookbooks/web`)).json, { error_messages: [''] });
  });
});
