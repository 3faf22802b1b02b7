// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { storedRef } from '../../src/git/refs/stored-refs.ts';
import { pullRefFindings } from '../../src/pulls/doctor/refs.ts';
import { codeRepository } from '../code/repository.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');

describe('the doctor', () => {
  it('finds refs of pull requests that are not where they should be, and repairs them', async () => {
    const demo = await codeRepository(t, alice, 'demo', [
      { label: 'one', files: { 'a.txt': 'a\n' } },
      { label: 'topic', branch: 'topic', from: 'one', files: { 'topic.txt': '1\n' } },
    ]);
    const folder = t.context.git.locate(demo.row);
    await alice.must('POST', `${demo.path}/pulls`, { head: 'topic', base: 'main', title: 'Topic' });
    assert.deepEqual(await Array.fromAsync(pullRefFindings(t.context)), []);
    await demo.git(['update-ref', 'refs/pull/1/head', demo.id('one')]);
    await demo.git(['update-ref', 'refs/pull/9/head', demo.id('one')]);
    const findings = await Array.fromAsync(pullRefFindings(t.context));
    assert.deepEqual(
      findings.map(({ removes = false }) => removes),
      [false, true],
    );
    for (const { fix } of findings) await fix?.();
    assert.deepEqual([storedRef(folder, 'refs/pull/1/head'), storedRef(folder, 'refs/pull/9/head')], [demo.id('topic'), undefined]);
    assert.deepEqual(await Array.fromAsync(pullRefFindings(t.context)), []);
  });
});
