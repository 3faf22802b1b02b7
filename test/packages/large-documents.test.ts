// On SQLite alone: documents are refused before the database is asked
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { testServer } from '../support/server.ts';
import { tar } from './support/archives.ts';
import { inShort, registry } from './support/registry.ts';

const t = await testServer();
const alice = await t.user('alice');
const own = registry('alice');
const many = `[${'[],'.repeat(60_000)}0]`;
const TOO_MANY = /has more than 100000 objects, lists and members/;

async function archive(path: string, text: string): Promise<Uint8Array> {
  return new Uint8Array(gzipSync(await tar({ [path]: text })));
}

function crate(metadata: string): Buffer {
  const size = (length: number) => Buffer.from(Uint32Array.of(length).buffer);
  return Buffer.concat([size(metadata.length), Buffer.from(metadata), size(1), Buffer.from('x')]);
}

function npmDocument(manifest: object): string {
  const integrity = `sha512-${createHash('sha512').update('x').digest('base64')}`;
  const version = { name: 'left', version: '1.0.0', dist: { integrity }, ...manifest };
  return JSON.stringify({ name: 'left', versions: { '1.0.0': version }, _attachments: { a: { data: 'eA==' } } });
}

describe('a document of many small parts is refused before it is parsed', () => {
  it('in archives and publications', async () => {
    const composer = await archive('composer.json', `{"name":"acme/a","version":"1.0.0","extra":{"a":${many}}}`);
    const cookbook = await archive('a/metadata.json', `{"name":"a","version":"1.0.0","a":${many}}`);
    const form = new FormData();
    form.append('tarball', new Blob([Buffer.from(cookbook)]), 'x.tgz');
    const manifest = `{"schemaVersion":2,"a":${many}}`;
    const refusals = [
      await own.put(alice, 'composer', composer),
      await alice.send('POST', '//api/packages/alice/chef/api/v1/cookbooks', { form }),
      await own.put(alice, 'cargo/api/v1/crates/new', crate(`{"name":"a","vers":"1.0.0","a":${many}}`)),
      await alice.send('PUT', '//v2/alice/app/manifests/a', {
        raw: manifest,
        headers: { 'content-type': 'application/vnd.oci.image.manifest.v1+json' },
      }),
    ];
    for (const refusal of refusals) {
      assert.ok(refusal.status === 400 || refusal.status === 200, refusal.text);
      assert.match(refusal.text, TOO_MANY);
    }
  });

  it('in a request of the API', async () => {
    const { status, text } = await alice.send('POST', '/user/repos', {
      raw: `{"a":[${'[],'.repeat(150_000)}0]}`,
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(status, 422);
    assert.match(text, /more than 100000 objects, lists and members/);
  });
});

describe('a document of npm', () => {
  it('is parsed by a worker where it is long, with the same results and refusals', async () => {
    const readme = 'x'.repeat(200_000);
    assert.deepEqual(inShort(await own.put(alice, 'npm/left', npmDocument({ readme }))), [201, '']);
    assert.equal((await own.get(alice, 'npm/left')).json.versions['1.0.0'].readme, readme);
    const again = JSON.stringify({ name: 'left', versions: { '1.0.0': { version: '1.0.0', deprecated: readme } } });
    assert.equal((await own.put(alice, 'npm/left', again)).status, 200);
    assert.equal((await own.get(alice, 'npm/left')).json.versions['1.0.0'].deprecated, readme);
    const refusal = async (text: string) => inShort(await own.put(alice, 'npm/left', text));
    assert.deepEqual(await refusal(`{"a":"${readme}"`), [400, '{"error":"the document is not JSON"}']);
    assert.deepEqual(await refusal(`["${readme}"]`), [400, '{"error":"the document is not a JSON object"}']);
    const versions = Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`1.0.${index}`, {}]));
    assert.deepEqual(await refusal(JSON.stringify({ versions })), [400, '{"error":"the document has more than 20000 versions"}']);
  });

  it('has a limit for what lists of versions show of it', async () => {
    const refused = await own.put(alice, 'npm/long', npmDocument({ name: 'long', readme: 'x'.repeat(1_100_000) }));
    assert.deepEqual(inShort(refused), [400, '{"error":"the metadata has more than 1048576 characters"}']);
    assert.equal((await own.get(alice, 'npm/long')).status, 404);
    const deprecated = 'x'.repeat(1_100_000);
    const text = JSON.stringify({ name: 'left', versions: { '1.0.0': { version: '1.0.0', deprecated } } });
    assert.equal((await own.put(alice, 'npm/left', text)).status, 400);
  });
});
