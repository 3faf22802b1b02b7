// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { moveRefs } from '../../src/code/refs-moved.ts';
import { storedRef } from '../../src/git/refs/stored-refs.ts';
import { updateRef } from '../../src/git/refs/update-refs.ts';
import { beforeTransaction } from '../support/before-transaction.ts';
import { testServer } from '../support/server.ts';
import { onServer } from '../transport/work-tree.ts';

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });

it('branches that others make after they were counted are counted, too', async () => {
  const { row, folder } = await onServer(t, 'alice', 'demo');
  const to = storedRef(folder, 'refs/heads/main') ?? '';
  const ref = 'refs/heads/one';
  const context = beforeTransaction(t.context, () => alice.must('POST', '/repos/alice/demo/branches', { new_branch_name: 'two' }));
  await moveRefs(context, row, [{ ref, oldId: '0'.repeat(40), newId: to }], () => updateRef(folder, { name: ref, to, from: null }));
  assert.equal((await onServer(t, 'alice', 'demo')).row.branches_count, 3);
});
