// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { isOutOfMemory } from '../../../src/git/processes/process.ts';
import { testServer } from '../../support/server.ts';
import { onServer } from '../../transport/work-tree.ts';

const t = await testServer();
const alice = await t.user('alice');

it('a response that fails before its first byte is an error like others, and does not say what git said', async () => {
  await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true });
  const { commit, content } = await alice.must('POST', '/repos/alice/demo/contents/a.txt', { content: 'YQ==' });
  const { folder } = await onServer(t, 'alice', 'demo');
  await rm(join(folder.path, 'objects', content.sha.slice(0, 2), content.sha.slice(2)));
  const { status, json, headers } = await t.anonymous.get(`/repos/alice/demo/git/commits/${commit.sha}.diff`);
  assert.deepEqual([status, json], [500, { message: '', url: json.url }]);
  assert.equal(headers.get('cache-control'), 'max-age=0, private, must-revalidate, no-transform');
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
});

it('git says in several ways that it got no more memory', () => {
  const said = [
    'Out of memory, malloc failed (tried to allocate 9 bytes)',
    'inflate: out of memory',
    'mmap failed: Cannot allocate memory',
  ];
  for (const text of said) assert.ok(isOutOfMemory(`warning: x\nfatal: ${text}\n`), text);
  assert.ok(!isOutOfMemory('fatal: bad object out of memory'));
});
