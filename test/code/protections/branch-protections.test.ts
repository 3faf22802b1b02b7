// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');

it('of many rules of one name at the same moment one is made', async () => {
  await alice.must('POST', '/user/repos', { name: 'demo' });
  const path = '/repos/alice/demo/branch_protections';
  const made = await Promise.all(Array.from({ length: 6 }, () => alice.post(path, { rule_name: 'release/*' })));
  assert.deepEqual(made.map(({ status }) => status).toSorted(), [201, 403, 403, 403, 403, 403]);
  assert.equal((await alice.must('GET', path)).length, 1);
});

it('a rule after one of the highest priority can still be made', async () => {
  await alice.must('POST', '/user/repos', { name: 'high' });
  const path = '/repos/alice/high/branch_protections';
  const highest = Number.MAX_SAFE_INTEGER;
  await alice.must('POST', path, { rule_name: 'one', priority: highest });
  for (const rule_name of ['two', 'three']) assert.equal((await alice.must('POST', path, { rule_name })).priority, highest);
  assert.equal((await alice.must('GET', path)).length, 3);
});
