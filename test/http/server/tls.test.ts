import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Agent, request } from 'undici';
import { afterwards } from '../../support/afterwards.ts';
import { selfSignedCertificate } from '../../support/certificate.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const folder = mkdtempSync(join(tmpdir(), 'copse-tls-'));
afterwards(() => rmSync(folder, { recursive: true, force: true }));
const files = { tlsCertificate: join(folder, 'certificate.pem'), tlsKey: join(folder, 'key.pem') };
const { certificate, key } = selfSignedCertificate();
writeFileSync(files.tlsCertificate, certificate);
writeFileSync(files.tlsKey, key);
const t = await testServer({ server: files });
const alice = await t.user('alice');
const trusting = new Agent({ connect: { ca: certificate } });
afterwards(() => trusting.destroy());

// This has precedence over http.sslCAInfo.
process.env.GIT_SSL_CAINFO = files.tlsCertificate;
const authorization = `Basic ${Buffer.from(`alice:${PASSWORD}`).toString('base64')}`;

async function send(method: 'GET' | 'POST', path: string, json?: object) {
  const headers = { authorization, 'content-type': 'application/json' };
  const { statusCode, body } = await request(new URL(path, t.url), {
    method,
    headers,
    dispatcher: trusting,
    ...(json && { body: JSON.stringify(json) }),
  });
  return { status: statusCode, text: await body.text() };
}

describe('a server with a certificate', () => {
  it('speaks HTTPS, and names it in its URLs', async () => {
    assert.match(t.url, /^https:\/\/127\.0\.0\.1:\d+\/$/);
    const { status, text } = await send('POST', '/api/v1/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
    assert.equal(status, 201, text);
    assert.match(JSON.parse(text).clone_url, /^https:\/\/.*\/alice\/demo\.git$/);
  });

  it('does not speak HTTP on the same port', async () => {
    await assert.rejects(request(t.url.replace('https:', 'http:')), { code: 'UND_ERR_SOCKET' });
  });

  it('serves clones, fetches and pushes', async () => {
    const work = join(t.folder, 'work');
    const run = async (args: string[], cwd: string) => {
      const { code, stdout, stderr } = await alice.git(args, cwd);
      assert.equal(code, 0, stderr);
      return stdout.trim();
    };
    await run(['clone', '-q', alice.remote('alice/demo'), work], t.folder);
    await run(['commit', '-q', '--allow-empty', '-m', 'More'], work);
    await run(['push', '-q', 'origin', 'main'], work);
    const { text } = await send('GET', '/api/v1/repos/alice/demo/branches/main');
    assert.equal(JSON.parse(text).commit.id, await run(['rev-parse', 'HEAD'], work));
    await run(['clone', '-q', '--depth=1', alice.remote('alice/demo'), join(t.folder, 'shallow')], t.folder);
  });
});
