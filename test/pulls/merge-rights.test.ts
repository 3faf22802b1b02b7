// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { commit, merge, open } from './open.ts';

const t = await testServer();
const [alice, bob, carol] = await Promise.all([t.user('alice', { full_name: 'Alice Doe' }), t.user('bob'), t.user('carol')]);
const demo = 'alice/demo';
const repo = `/repos/${demo}`;
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
await alice.must('PUT', `${repo}/collaborators/bob`, { permission: 'write' });
await alice.must('PUT', `${repo}/collaborators/carol`, { permission: 'read' });

const tip = async (branch = 'main') => (await alice.must('GET', `${repo}/branches/${branch}`)).commit;
const view = (number: number) => alice.must('GET', `${repo}/pulls/${number}`);
describe('the rights to merge', () => {
  it('end with the right to write, also for those on the list of a protection', async () => {
    await alice.must('PUT', `${repo}/collaborators/carol`, { permission: 'write' });
    await alice.must('POST', `${repo}/branches`, { new_branch_name: 'listed', old_branch_name: 'main' });
    await alice.must('POST', `${repo}/branch_protections`, {
      rule_name: 'listed',
      enable_merge_whitelist: true,
      merge_whitelist_usernames: ['carol'],
    });
    const number = await open(bob, demo, 'to-listed', { base: 'listed' });
    await alice.must('PUT', `${repo}/collaborators/carol`, { permission: 'read' });
    const before = (await tip('listed')).id;
    const { status, json } = await merge(carol, demo, number);
    assert.deepEqual([status, json.message], [409, 'PushRejected with remote message: User permission denied for writing.']);
    assert.equal((await tip('listed')).id, before);
    assert.equal((await view(number)).merged, false);
    const update = await carol.post(`${repo}/pulls/${number}/update`);
    assert.equal(update.status, 403, 'nor does the list let her write to the head');
  });
});

describe('the rights to merge later', () => {
  it('users who may neither merge nor have planned it cannot cancel it', async () => {
    await alice.must('POST', `${repo}/branches`, { new_branch_name: 'checked', old_branch_name: 'main' });
    await alice.must('POST', `${repo}/branch_protections`, {
      rule_name: 'checked',
      enable_push: true,
      enable_status_check: true,
      status_check_contexts: ['ci'],
    });
    const number = await open(bob, demo, 'planned', { base: 'checked' });
    assert.equal((await merge(bob, demo, number, { merge_when_checks_succeed: true })).status, 201);
    assert.equal((await carol.delete(`${repo}/pulls/${number}/merge`)).status, 403);
    assert.equal((await bob.delete(`${repo}/pulls/${number}/merge`)).status, 204);
  });

  it('merges in the name of who planned it, with the rights they have by then', async () => {
    const number = await open(alice, demo, 'later', { base: 'checked' });
    assert.equal((await merge(bob, demo, number, { merge_when_checks_succeed: true, do: 'squash' })).status, 201);
    await alice.must('DELETE', `${repo}/collaborators/bob`);
    const { head } = await view(number);
    await alice.must('POST', `${repo}/statuses/${head.sha}`, { context: 'ci', state: 'success' });
    await t.settled();
    assert.equal((await view(number)).merged, false);
    await alice.must('PUT', `${repo}/collaborators/bob`, { permission: 'write' });
    await alice.must('POST', `${repo}/statuses/${head.sha}`, { context: 'ci', state: 'success' });
    await t.settled();
    const { merged, merged_by } = await view(number);
    assert.deepEqual([merged, merged_by?.login], [true, 'bob']);
  });

  it('does not merge what strangers push after it was planned', async () => {
    await carol.must('POST', `${repo}/forks`, { name: 'fork' });
    await commit(carol, 'carol/fork', { branch: 'kind', from: 'checked', path: 'kind.txt', text: 'kind\n' });
    const { number } = await carol.must('POST', `${repo}/pulls`, { head: 'carol/fork:kind', base: 'checked', title: 'Kind' });
    assert.equal((await merge(alice, demo, number, { merge_when_checks_succeed: true })).status, 201);
    const evil = await commit(carol, 'carol/fork', { branch: 'kind', path: 'kind.txt', text: 'evil\n' });
    await t.settled();
    await alice.must('POST', `${repo}/statuses/${evil}`, { context: 'ci', state: 'success' });
    await t.settled();
    assert.equal((await view(number)).merged, false);
    assert.equal((await alice.delete(`${repo}/pulls/${number}/merge`)).status, 404);
  });

  it('does not merge into another branch that a stranger chooses after it was planned', async () => {
    await commit(carol, 'carol/fork', { branch: 'moved', from: 'checked', path: 'moved.txt', text: 'moved\n' });
    const { number } = await carol.must('POST', `${repo}/pulls`, { head: 'carol/fork:moved', base: 'checked', title: 'Moved' });
    const plan = () => merge(alice, demo, number, { merge_when_checks_succeed: true });
    assert.equal((await plan()).status, 201);
    await carol.must('PATCH', `${repo}/pulls/${number}`, { base: 'main' });
    await t.settled();
    assert.equal((await view(number)).merged, false);
    assert.equal((await alice.delete(`${repo}/pulls/${number}/merge`)).status, 404);
    // Who may merge there decides for it.
    await alice.must('PATCH', `${repo}/pulls/${number}`, { base: 'checked' });
    assert.equal((await plan()).status, 201);
    await bob.must('PATCH', `${repo}/pulls/${number}`, { base: 'main' });
    await t.settled();
    assert.equal((await view(number)).merged, true);
  });
});
