import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { JOB, runsOf, write } from './files.ts';
import { SimulatedRunner } from './simulated-runner.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
let last = 0;

async function place(files: Readonly<Record<string, string>>) {
  const name = `demo-${++last}`;
  await alice.must('POST', '/user/repos', { name, auto_init: true, default_branch: 'main' });
  const path = `/repos/alice/${name}`;
  await write(alice, path, files);
  await t.settled();
  return path;
}

const workflow = (file: string, on: string) => ({ [`.gitea/workflows/${file}.yml`]: `on:\n  ${on}\n${JOB}` });

describe('a pull request from a fork', () => {
  it('waits for an approval, but not on behalf of the target', async () => {
    const path = await place({ ...workflow('own', 'pull_request:'), ...workflow('target', 'pull_request_target:') });
    const runner = await SimulatedRunner.at(t, alice, path);
    await bob.must('POST', `${path}/forks`, {});
    const fork = path.replace('alice', 'bob');
    await write(bob, fork, { 'a.txt': 'a' }, { new_branch: 'patch' });
    await bob.must('POST', `${path}/pulls`, { title: 'Patch', head: 'bob:patch', base: 'main' });
    await t.settled();
    const [own, target] = ['own.yml@refs/pull/1/head pull_request', 'target.yml@refs/pull/1/head pull_request_target'];
    assert.deepEqual(await runsOf(alice, path), [`${own} waiting`, `${target} queued`]);
    const task = await runner.fetch();
    assert.deepEqual([task.context.event_name, task.context.ref], ['pull_request_target', 'refs/heads/main']);
    assert.equal(await runner.fetch(), undefined);
    const { workflow_runs: runs } = await alice.must('GET', `${path}/actions/runs?status=waiting`);
    assert.equal((await bob.send('POST', `${path}/actions/runs/${runs[0].id}/approve`)).status, 403);
    assert.equal((await alice.send('POST', `${path}/actions/runs/${runs[0].id}/approve`)).status, 201);
    await t.settled();
    assert.equal((await runner.fetch()).context.event_name, 'pull_request');
  });

  it('is not trusted for its reviews either', async () => {
    const path = await place(workflow('review', 'pull_request_review:'));
    await bob.must('POST', `${path}/forks`, {});
    await write(bob, path.replace('alice', 'bob'), { 'a.txt': 'a' }, { new_branch: 'patch' });
    await bob.must('POST', `${path}/pulls`, { title: 'Patch', head: 'bob:patch', base: 'main' });
    await bob.must('POST', `${path}/pulls/1/reviews`, { event: 'COMMENT', body: 'Run this' });
    await t.settled();
    assert.match((await runsOf(alice, path)).join(), / pull_request_review waiting$/);
    const run = await t.context.db
      .selectFrom('action_runs')
      .select(['is_fork_pull_request', 'need_approval'])
      .orderBy('id', 'desc')
      .executeTakeFirst();
    assert.deepEqual([Boolean(run?.is_fork_pull_request), Boolean(run?.need_approval)], [true, true]);
  });

  it('is not trusted because a maintainer labels or reviews it', async () => {
    const path = await place({ 'a.txt': 'a' });
    await bob.must('POST', `${path}/forks`, {});
    const files = { ...workflow('label', 'pull_request: { types: [labeled] }'), ...workflow('review', 'pull_request_review:') };
    await write(bob, path.replace('alice', 'bob'), files, { new_branch: 'patch' });
    await bob.must('POST', `${path}/pulls`, { title: 'Patch', head: 'bob:patch', base: 'main' });
    const { id } = await alice.must('POST', `${path}/labels`, { name: 'bug', color: '#ff0000' });
    await alice.must('POST', `${path}/issues/1/labels`, { labels: [id] });
    await alice.must('POST', `${path}/pulls/1/reviews`, { event: 'COMMENT', body: 'Hm' });
    await t.settled();
    const states = (await runsOf(alice, path)).map((run) => run.replace(/@\S+/, ''));
    assert.deepEqual(states, ['label.yml pull_request waiting', 'review.yml pull_request_review waiting']);
  });

  it('has no say in a concurrency group before it is approved', async () => {
    const group = (cancel: boolean) => `concurrency: { group: deploy, cancel-in-progress: ${cancel} }\n`;
    const path = await place({ '.gitea/workflows/deploy.yml': `on: workflow_dispatch\n${group(false)}${JOB}` });
    const runner = await SimulatedRunner.at(t, alice, path);
    const deploy = async () => {
      await alice.must('POST', `${path}/actions/workflows/deploy.yml/dispatches`, { ref: 'main' });
      await t.settled();
    };
    await deploy();
    const task = await runner.fetch();
    await deploy();
    await bob.must('POST', `${path}/forks`, {});
    const fork = path.replace('alice', 'bob');
    await write(bob, fork, { '.gitea/workflows/grab.yml': `on: pull_request\n${group(true)}${JOB}` }, { new_branch: 'patch' });
    await bob.must('POST', `${path}/pulls`, { title: 'Patch', head: 'bob:patch', base: 'main' });
    await t.settled();
    const by = (state: string) => `deploy.yml@refs/heads/main workflow_dispatch ${state}`;
    const grab = (state: string) => `grab.yml@refs/pull/1/head pull_request ${state}`;
    assert.deepEqual(await runsOf(alice, path), [by('in_progress'), by('waiting'), grab('waiting')]);
    // It does not keep others waiting either.
    await runner.finish(task.id);
    await t.settled();
    const second = await runner.fetch();
    assert.equal(second.context.run_number, '2');
    // A newer push of the same person replaces the older one.
    await write(bob, fork, { 'b.txt': 'b' }, { branch: 'patch' });
    await t.settled();
    assert.deepEqual(await runsOf(alice, path), [by('completed success'), by('in_progress'), grab('completed cancelled'), grab('waiting')]);
    const { workflow_runs: runs } = await alice.must('GET', `${path}/actions/runs?event=pull_request`);
    const { id } = runs.find((run: { status: string }) => run.status === 'completed');
    // Running it again is not an approval.
    await alice.must('POST', `${path}/actions/runs/${id}/rerun`);
    await t.settled();
    assert.deepEqual(await runsOf(alice, path), [by('completed success'), by('in_progress'), grab('completed cancelled'), grab('waiting')]);
    await alice.must('POST', `${path}/actions/runs/${id}/approve`);
    await t.settled();
    assert.equal((await runner.report(second.id)).state.result, 'RESULT_CANCELLED');
    assert.equal((await runner.fetch()).context.event_name, 'pull_request');
  });
});
