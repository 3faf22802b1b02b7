// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findPull } from '../../src/pulls/find.ts';
import { moveHead } from '../../src/pulls/heads/sync.ts';
import { beforeTransaction } from '../support/before-transaction.ts';
import { testServer } from '../support/server.ts';
import { reviewed } from './reviewed.ts';

const t = await testServer();
const [alice, bob] = [await t.user('alice'), await t.user('bob')];
const demo = await reviewed(t, alice, 'demo', { bob: 'write' });
await alice.must('POST', `${demo.path}/branch_protections`, { rule_name: 'main', enable_push: true, dismiss_stale_approvals: true });

it('the first approval ends with the head that it is about, though that is about to move when it comes', async () => {
  const number = await demo.open(alice);
  const reviews = `${demo.path}/pulls/${number}/reviews`;
  await alice.must('POST', `${demo.path}/branches`, { new_branch_name: 'next', old_branch_name: `topic-${number}` });
  const tip = await demo.commit(alice, 'next', 'c.txt', 'unseen\n');
  const pull = await findPull(t.context.db, demo.row, number);
  assert.ok(pull);
  const context = beforeTransaction(t.context, () => bob.must('POST', reviews, { event: 'APPROVED' }));
  assert.equal(await moveHead(context, pull, tip), true);
  const [review] = (await alice.get(reviews)).json;
  assert.deepEqual([review.commit_id, review.stale, review.dismissed], [pull.head_id, true, true]);
});
