import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isAncestor } from '../../src/git/history/log.ts';
import { storedRef } from '../../src/git/refs/stored-refs.ts';
import { git, requireSound } from '../git/writing.ts';
import type { Client } from '../support/client.ts';
import { type Dice, dice, SEED } from '../support/random.ts';
import { testServer } from '../support/server.ts';
import { directly, merge, open } from './open.ts';

/*
 * Eight people open, push to, review, update, close and merge the same pull requests at once. Whatever the order: the database says what
 * git says, nothing that was acknowledged is lost, and the repository is sound. COPSE_TEST_SECONDS=60 for a longer look.
 */

const SECONDS = Number(process.env.COPSE_TEST_SECONDS ?? 3);
const CLIENTS = 8;
const t = await testServer();
const owner = await t.user('owner');
const people = [owner, ...(await Promise.all(Array.from({ length: CLIENTS - 1 }, (_, n) => t.user(`person${n}`))))];
await owner.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
for (const { name } of people.slice(1)) await owner.must('PUT', `/repos/owner/demo/collaborators/${name}`, { permission: 'write' });
const repo = '/repos/owner/demo';

/** Pull requests by number, with the branch of each. */
const opened = new Map<number, string>();
const pushed: string[] = [];
const merged = new Set<number>();
const responses = new Map<string, number>();

function pick<T>(list: readonly T[], roll: Dice): T | undefined {
  return list[roll(list.length)];
}

function count(what: string, status: number): void {
  responses.set(`${what} ${status}`, (responses.get(`${what} ${status}`) ?? 0) + 1);
}

const STYLES = ['merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only'];

async function act(who: Client, id: string, roll: Dice): Promise<void> {
  const number = pick(
    [...opened.keys()].filter((known) => !merged.has(known)),
    roll,
  );
  const choice = roll(100) / 100;
  if (number === undefined || (choice < 0.2 && opened.size - merged.size < 12)) {
    const head = `head-${id}`;
    opened.set(await open(who, 'owner/demo', head), head);
    return;
  }
  const head = opened.get(number) ?? '';
  const at = `${repo}/pulls/${number}`;
  if (choice < 0.45) {
    const { status } = await merge(who, 'owner/demo', number, { do: pick(STYLES, roll), delete_branch_after_merge: roll(10) < 3 });
    count('merge', status);
    if (status === 200) merged.add(number);
  } else if (choice < 0.6) {
    const response = await who.post(`${repo}/contents/base-${id}.txt`, { branch: 'main', content: 'eA==', message: `Base ${id}` });
    count('push', response.status);
    if (response.status === 201) pushed.push(`base-${id}.txt`);
  } else if (choice < 0.75) {
    count('push', (await who.post(`${repo}/contents/${head}-${id}.txt`, { branch: head, content: 'eA==', message: id })).status);
  } else if (choice < 0.87) {
    const event = pick(['APPROVED', 'REQUEST_CHANGES', 'COMMENT'], roll);
    count('review', (await who.post(`${at}/reviews`, { event, body: `Review ${id}` })).status);
  } else if (choice < 0.95) {
    count('update', (await who.post(`${at}/update?style=${pick(['merge', 'rebase'], roll)}`)).status);
  } else {
    const { status } = await who.patch(at, { state: 'closed' });
    count('close', status);
    if (status === 201) count('reopen', (await who.patch(at, { state: 'open' })).status);
  }
}

it(`stays whole while ${CLIENTS} people work on the same pull requests`, async () => {
  for (const n of [1, 2, 3, 4]) opened.set(await open(owner, 'owner/demo', `first-${n}`), `first-${n}`);
  const end = Date.now() + SECONDS * 1000;
  // However slow the machine is, something has to have happened.
  const goesOn = () => Date.now() < end || ((merged.size < 3 || pushed.length < 3) && Date.now() < end + 60_000);
  await Promise.all(
    people.map(async (who, index) => {
      const roll = dice(SEED + index);
      for (let n = 0; goesOn(); n++) await act(who, `${index}-${n}`, roll);
    }),
  );
  await t.settled();
  const faults = [...responses].filter(([what]) => Number(what.split(' ')[1]) >= 500);
  assert.deepEqual(faults, [], 'nothing fails');
  assert.ok(merged.size > 0 && pushed.length > 0, JSON.stringify([...responses]));
  const { context, pull: first } = await directly(t, 'owner', 'owner/demo', [...opened.keys()][0] ?? 0);
  const { db } = context;
  const folder = context.git.locate(first.issue.repository);
  requireSound(folder);
  const main = storedRef(folder, 'refs/heads/main') ?? '';
  const files = new Set(git(folder, ['ls-tree', '-r', '--name-only', main]).split('\n'));
  assert.deepEqual(
    pushed.filter((path) => !files.has(path)),
    [],
    'every acknowledged push is there',
  );
  for (const [number, head] of opened) {
    const { pull } = await directly(t, 'owner', 'owner/demo', number);
    const isMerged = pull.merged_commit_id !== '';
    assert.equal(isMerged, merged.has(number), `${number} is merged as was said`);
    assert.deepEqual([pull.issue.merged_at !== null, isMerged && !pull.issue.is_closed], [isMerged, false], `the issue of ${number}`);
    assert.equal(storedRef(folder, `refs/pull/${number}/head`), pull.head_id, `the head of ${number}`);
    const rows = await db
      .selectFrom('comments')
      .select('id')
      .where('issue_id', '=', pull.issue_id)
      .where('kind', '=', 'merge_pull')
      .execute();
    assert.equal(rows.length, isMerged ? 1 : 0, `the timeline of ${number}`);
    if (isMerged) {
      assert.ok(await isAncestor(folder, context.git.pool, pull.merged_commit_id, main), `the merge of ${number} is in main`);
      const changed = git(folder, ['ls-tree', '-r', '--name-only', pull.head_id])
        .split('\n')
        .filter((path) => path.startsWith(head));
      assert.ok(changed.length > 0 && changed.every((path) => files.has(path)), `what ${number} brought is in main`);
    } else {
      const tip = storedRef(folder, `refs/heads/${head}`);
      assert.ok(tip === undefined || pull.issue.is_closed || tip === pull.head_id, `${number} follows its branch`);
      assert.ok(pull.issue.is_closed || pull.status !== 'checking', `${number} is checked`);
    }
  }
  const open_ = await db.selectFrom('issues').select('id').where('is_pull', '=', true).where('is_closed', '=', false).execute();
  const repository = await db.selectFrom('repositories').selectAll().where('id', '=', first.repository_id).executeTakeFirstOrThrow();
  assert.equal(repository.pulls_count - repository.closed_pulls_count, open_.length, 'the counts are right');
  for (const table of ['pull_merges', 'ref_moves'] as const) {
    assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], `nothing is left in ${table}`);
  }
  if (process.env.COPSE_TEST_SECONDS) console.log(Object.fromEntries([...responses].sort()), { opened: opened.size, merged: merged.size });
});
