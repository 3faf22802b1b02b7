import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeRepository } from '../code/repository.ts';
import { testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer();
const alice = await t.user('alice');
const FILES = 20_000;
const LINE = 'a line of some length, so that all of them together are no small thing\n';
const files = Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`dir-${i % 100}/file-${i}.txt`, `${i}\n${LINE}`]));

describe('a pull request of 20,000 files', () => {
  it('is shown a page at a time, and its difference never held whole', async () => {
    const demo = await codeRepository(t, alice, 'large', [
      { label: 'one', files: { 'a.txt': 'a\n' } },
      { label: 'topic', branch: 'topic', from: 'one', files },
    ]);
    const { cache } = t.context.git.pool;
    const pull = await alice.must('POST', `${demo.path}/pulls`, { head: 'topic', base: 'main', title: 'All of it' });
    assert.deepEqual([pull.changed_files, pull.additions, pull.mergeable], [FILES, 2 * FILES, true]);
    const path = `${demo.path}/pulls/1`;
    const last = await alice.get(`${path}/files?limit=50&page=400`);
    assert.deepEqual([last.json.length, last.headers.get('x-total-count')], [50, String(FILES)]);
    assert.equal((await alice.get(`${path}/files?limit=50&whitespace=ignore-all`)).json.length, 50);
    assert.equal((await alice.get(`${path}/commits`)).json.length, 1);
    assert.equal((await alice.get(`${demo.path}/pulls`)).json.length, 1);
    const before = cache.bytes;
    const { text } = await alice.get(`${path}.diff`);
    assert.equal(text.match(/^diff --git /gm)?.length, FILES);
    assert.ok(cache.bytes - before < 1024 * 1024, 'the difference is kept');
    // The files of the list and of the whole page are the same few kept bytes a file.
    assert.ok(cache.bytes < 2000 * FILES, `${cache.bytes} bytes are kept`);
  });
});
