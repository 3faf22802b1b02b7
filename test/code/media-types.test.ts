// On SQLite alone: what this asks of the database is asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });

const KINDS = {
  'a.zip': ['PK\x03\x04', 'application/zip'],
  'a.gz': ['\x1f\x8b\x08', 'application/x-gzip'],
  'a.woff2': ['wOF2\0', 'font/woff2'],
  'a.eot': [`${'\0'.repeat(34)}LP`, 'application/vnd.ms-fontobject'],
  'a.html': ['<!DOCTYPE html>', 'text/plain'],
  'a.exe': ['MZ\x90\0', 'application/octet-stream'],
} as const;

describe('media URLs of the API', () => {
  it('name archives, fonts and modules that are small, and nothing that a browser runs', async () => {
    const files = Object.entries(KINDS).map(([path, [bytes]]) => ({
      operation: 'create',
      path,
      content: Buffer.from(bytes, 'latin1').toString('base64'),
    }));
    await alice.must('POST', '/repos/alice/demo/contents', { files });
    for (const [path, [, type]] of Object.entries(KINDS)) {
      const served = await alice.get(`/repos/alice/demo/media/${path}`);
      assert.equal((served.headers.get('content-type') ?? '').split(';')[0], type);
      assert.equal(served.headers.get('x-content-type-options'), 'nosniff');
      const asText = type === 'text/plain';
      const raw = await alice.get(`/repos/alice/demo/raw/${path}`);
      assert.equal((raw.headers.get('content-type') ?? '').split(';')[0], asText ? type : 'application/octet-stream');
    }
  });
});
