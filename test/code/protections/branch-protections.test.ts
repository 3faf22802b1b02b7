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

it('an archived repository refuses what is wrong with a request first, then that it is archived', async () => {
  await alice.must('POST', '/user/repos', { name: 'old', auto_init: true });
  const old = '/repos/alice/old';
  await alice.must('PATCH', old, { archived: true });
  for (const kind of ['branch_protections', 'tag_protections', 'releases']) {
    const refused = [[], { rule_name: 'x', name_pattern: 'x', tag_name: 'x' }].map((body) => alice.post(`${old}/${kind}`, body));
    const statuses = (await Promise.all(refused)).map(({ status }) => status);
    assert.deepEqual(statuses, [422, 423], kind);
  }
  assert.equal((await alice.patch(`${old}/releases/987654321`, { name: 'x' })).status, 404);
});
