// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, it } from 'node:test';
import { findRepository } from '../../../src/access/find-repository.ts';
import { recordStatuses } from '../../../src/code/statuses/statuses.ts';
import { testServer } from '../../support/server.ts';
import { repositoryOf } from './protected.ts';

const t = await testServer();
const alice = await t.user('alice');

/** Milliseconds for which nothing else was done in a row, at most. */
async function standstill(during: () => Promise<void>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  await during();
  delays.disable();
  return delays.max / 1e6;
}

/** It takes milliseconds to find out that one of these does not match a name of {@link letters}. */
const slow = (at: number) => `${'{*a,*b,?}'.repeat(60 + at)}x`;

/** Letters in no order, the same ones for the same number; what stands at their end is looked for in vain. */
function letters(length: number, seed: number): string {
  let state = seed + 1;
  const letter = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 2 === 0 ? 'a' : 'b';
  };
  return `${Array.from({ length }, letter).join('')}xa`;
}

describe('patterns of rules that take long', () => {
  it('keep nobody waiting when many refs are pushed, which is refused', async () => {
    const { path, tree, first } = await repositoryOf(t, alice, 'refs', []);
    for (let at = 0; at < 40; at++) {
      await alice.must('POST', `${path}/branch_protections`, { rule_name: slow(at) });
      await alice.must('POST', `${path}/tag_protections`, { name_pattern: slow(at), whitelist_usernames: ['alice'] });
    }
    const names = Array.from({ length: 400 }, (_, at) => letters(200, at));
    for (const folder of ['refs/heads', 'refs/tags']) {
      let stderr = '';
      const longest = await standstill(async () => {
        const specs = names.map((name) => `${first}:${folder}/${name}`);
        ({ stderr } = await tree.run('push', 'origin', ...specs));
      });
      assert.ok(longest < 5000, `the server stood still for ${longest} ms`);
      assert.match(stderr, /the patterns of the protection rules take too long to match/);
    }
    // Those of one name take as long as they may.
    assert.equal((await alice.post(`${path}/branches`, { new_branch_name: 'topic' })).status, 201);
  });

  it('keep nobody waiting when many checks are required, and none of them is taken for one that succeeded', async () => {
    const { path, tree, row } = await repositoryOf(t, alice, 'checks', []);
    await tree.git('checkout', '-q', '-b', 'topic');
    const sha = await tree.commit({ 'a.txt': 'a' });
    await tree.git('push', '-q', 'origin', 'topic');
    const { number } = await alice.must('POST', `${path}/pulls`, { title: 'A change', head: 'topic', base: 'main' });
    const status_check_contexts = Array.from({ length: 40 }, (_, at) => slow(at));
    await alice.must('POST', `${path}/branch_protections`, { rule_name: 'main', enable_status_check: true, status_check_contexts });
    const repository = await findRepository(t.context.db, row.id);
    assert.ok(repository);
    const status = { sha, state: 'success', target_url: '', description: '', creatorId: row.owner_id } as const;
    const statuses = Array.from({ length: 200 }, (_, at) => ({ ...status, context: letters(600, at) }));
    await recordStatuses(t.context, repository, sha, statuses);
    await t.settled();
    let response = 0;
    const longest = await standstill(async () => {
      response = (await alice.post(`${path}/pulls/${number}/merge`, { Do: 'merge' })).status;
    });
    assert.ok(longest < 5000, `the server stood still for ${longest} ms`);
    assert.equal(response, 422);
  });

  it('keep nobody waiting when many files are pushed, which is refused', async () => {
    const { path, tree } = await repositoryOf(t, alice, 'files', []);
    const patterns = Array.from({ length: 40 }, (_, at) => slow(at).replaceAll('*', '**')).join(';');
    await alice.must('POST', `${path}/branch_protections`, { rule_name: 'main', enable_push: true, protected_file_patterns: patterns });
    const long = (at: number) => Array.from({ length: 8 }, (_, part) => letters(190, 100 * at + part)).join('/');
    await tree.commit(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [long(at), ''])));
    let stderr = '';
    const longest = await standstill(async () => {
      ({ stderr } = await tree.run('push', 'origin', 'main'));
    });
    assert.ok(longest < 5000, `the server stood still for ${longest} ms`);
    assert.match(stderr, /the patterns of the protection rules take too long to match/);
  });
});
