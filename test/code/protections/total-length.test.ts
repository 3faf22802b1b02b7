import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true });
const at = '/repos/alice/demo/branch_protections';
const contexts = Array.from({ length: 1000 }, (_, n) => `${n}`.padEnd(900, 'x'));

describe('the checks and patterns of all branch protections', () => {
  it('are limited in length together', async () => {
    await alice.must('POST', at, { rule_name: 'main', status_check_contexts: contexts });
    const second = await alice.post(at, { rule_name: 'next', status_check_contexts: contexts });
    assert.deepEqual([second.status, second.json.message], [422, '[StatusCheckContexts]: MaxSize']);
    assert.equal((await alice.must('GET', at)).length, 1);

    await alice.must('POST', at, { rule_name: 'next' });
    const changes = { status_check_contexts: contexts, protected_file_patterns: 'a' };
    const changed = await alice.send('PATCH', `${at}/next`, { json: changes });
    assert.deepEqual([changed.status, changed.json.message], [422, '[StatusCheckContexts]: MaxSize']);
    assert.equal((await alice.must('GET', `${at}/next`)).protected_file_patterns, '');
    await alice.must('PATCH', `${at}/next`, { protected_file_patterns: '*.lock' });
  });
});
