// On SQLite alone: no database is asked.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true });
await alice.must('POST', '/repos/alice/demo/issues', { title: 'One' });
await alice.must('POST', '/repos/alice/demo/releases', { tag_name: 'v1' });
await alice.must('POST', '/repos/alice/demo/branch_protections', { rule_name: 'main' });

it('limits what lists show of many objects', async () => {
  const long = 'x'.repeat(1025);
  const at = '/repos/alice/demo';
  const refused: readonly (readonly [method: 'POST' | 'PATCH', path: string, body: object, field: string])[] = [
    ['POST', `${at}/issues`, { title: 'Two', ref: long }, 'Ref'],
    ['PATCH', `${at}/issues/1`, { ref: long }, 'Ref'],
    ['POST', `${at}/releases`, { tag_name: 'v2', target_commitish: long }, 'Target'],
    ['PATCH', `${at}/releases/1`, { target_commitish: long }, 'Target'],
    ['POST', `${at}/branch_protections`, { rule_name: 'next', status_check_contexts: [long] }, 'StatusCheckContexts'],
    ['PATCH', `${at}/branch_protections/main`, { push_whitelist_usernames: ['alice', long] }, 'PushWhitelistUsernames'],
  ];
  for (const [method, path, body, field] of refused) {
    const { status, json } = await alice.send(method, path, { json: body });
    assert.deepEqual([status, json.message], [422, `[${field}]: MaxSize`], path);
  }
  assert.equal((await alice.must('GET', `${at}/issues`)).length, 1);
  assert.equal((await alice.must('GET', `${at}/issues/1`)).ref, '');
});
