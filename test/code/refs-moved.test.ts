// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { announceMove } from '../../src/code/refs-moved.ts';
import { storedRef } from '../../src/git/refs/stored-refs.ts';
import { updateRef } from '../../src/git/refs/update-refs.ts';
import { testServer } from '../support/server.ts';
import { onServer } from '../transport/work-tree.ts';

const t = await testServer();
const alice = await t.user('alice');

/** As if another process, now gone, had announced it. */
async function die(): Promise<void> {
  await t.context.db.updateTable('ref_moves').set({ process_id: null }).execute();
}

it('what a crash interrupted between git and the database is finished at the next start', async () => {
  await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
  const { row, folder } = await onServer(t, 'alice', 'demo');
  const tip = storedRef(folder, 'refs/heads/main') ?? '';
  const none = '0'.repeat(40);
  const updates = [
    { ref: 'refs/heads/moved', oldId: none, newId: tip },
    { ref: 'refs/heads/not-moved', oldId: none, newId: tip },
  ];
  await announceMove(t.context, row, updates, { option: 'true' });
  await updateRef(folder, { name: 'refs/heads/moved', from: null, to: tip });
  const lock = join(folder.path, 'refs/heads/not-moved.lock');
  await writeFile(lock, '');
  // Processes of one database share a folder: a young lock may be another's.
  await utimes(lock, new Date(0), new Date(0));

  await die();
  await t.restart();
  const { branches_count } = (await onServer(t, 'alice', 'demo')).row;
  assert.equal(branches_count, 2);
  assert.deepEqual(await t.context.db.selectFrom('ref_moves').selectAll().execute(), []);
  await alice.must('POST', '/repos/alice/demo/branches', { new_branch_name: 'not-moved' });
  assert.equal((await onServer(t, 'alice', 'demo')).row.branches_count, 3);
});

it('a repository deleted meanwhile causes no error at the next start', async () => {
  await alice.must('POST', '/user/repos', { name: 'gone', auto_init: true, default_branch: 'main' });
  const { row } = await onServer(t, 'alice', 'gone');
  await announceMove(t.context, row, [{ ref: 'refs/heads/x', oldId: '0'.repeat(40), newId: '1'.repeat(40) }]);
  await t.context.db.updateTable('repositories').set({ state: 'deleting' }).where('id', '=', row.id).execute();
  await die();
  await t.restart();
  assert.deepEqual(await t.context.db.selectFrom('ref_moves').selectAll().execute(), []);
});
