import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cancelAbandonedJobs } from '../../src/actions/jobs/abandoned.ts';
import { startDue } from '../../src/actions/schedules/start-due.ts';
import { testServer } from '../support/server.ts';
import { JOB, runsOf, write } from './files.ts';
import { SimulatedRunner } from './simulated-runner.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
let last = 0;

/** A repository with a workflow that is started by hand, and how to start it. */
async function place(content: string, options: { owner?: string; isPrivate?: boolean } = {}) {
  const { owner = 'alice', isPrivate = false } = options;
  const name = `demo-${++last}`;
  const route = owner === 'alice' ? '/user/repos' : `/orgs/${owner}/repos`;
  await alice.must('POST', route, { name, auto_init: true, default_branch: 'main', private: isPrivate });
  const path = `/repos/${owner}/${name}`;
  await write(alice, path, { '.gitea/workflows/ci.yml': `name: CI\n${content}` });
  await t.settled();
  const start = async (inputs: object = {}): Promise<number> => {
    const route = `${path}/actions/workflows/ci.yml/dispatches?return_run_details=true`;
    return (await alice.must('POST', route, { ref: 'main', inputs })).workflow_run_id;
  };
  return { path, start };
}

const statesOf = async (path: string, run: number): Promise<string[]> => {
  const { jobs } = await alice.must('GET', `${path}/actions/runs/${run}/jobs`);
  return jobs.map((job: Record<string, string>) => `${job.name}: ${job.conclusion ?? job.status}`);
};
const hand = 'on: workflow_dispatch\n';
const job = (name: string, more = '') => `  ${name}:\n    runs-on: linux\n${more}    steps:\n      - run: echo\n`;

describe('a workflow that is started by hand', () => {
  it('gets the inputs that it declares, and their defaults', async () => {
    const on = `run-name: To \${{ inputs.where }}\non:\n  workflow_dispatch:\n    inputs:\n      where: { default: home }\n      dry: { type: boolean, default: true }\n`;
    const { path, start } = await place(on + JOB);
    const run = await start({ where: 'work', unknown: 'x' });
    assert.equal((await alice.must('GET', `${path}/actions/runs/${run}`)).display_title, 'To work');
    const { event_payload: payload } = await t.context.db
      .selectFrom('action_runs')
      .select('event_payload')
      .where('id', '=', run)
      .executeTakeFirstOrThrow();
    assert.deepEqual(JSON.parse(payload).inputs, { where: 'work', dry: 'true' });
    const at = `${path}/actions/workflows/ci.yml/dispatches`;
    for (const [body, status] of [
      [{}, 422],
      [{ ref: 'none' }, 404],
      [{ ref: 'main', inputs: { where: 'x'.repeat(70_000) } }, 422],
    ] as const)
      assert.equal((await alice.send('POST', at, { json: body })).status, status);
    assert.equal((await bob.send('POST', at, { json: { ref: 'main' } })).status, 403);
  });

  it('is refused with line and column where it cannot be read', async () => {
    const { path } = await place(`${hand}jobs:\n  a:\n    steps: all\n`);
    const { status, json } = await alice.send('POST', `${path}/actions/workflows/ci.yml/dispatches`, { json: { ref: 'main' } });
    assert.deepEqual([status, json.message], [422, 'workflow "ci.yml": line 5, column 12: steps has to be a list']);
  });
});

describe('jobs', () => {
  it('make a matrix, need each other, and are skipped after a failure, unless they have a condition', async () => {
    const matrix =
      '    strategy:\n      fail-fast: false\n      matrix:\n        os: [x, y]\n        exclude: [{ os: y }]\n        include: [{ os: x, n: 1 }, { os: z }]\n';
    const rest = job('after', '    needs: build\n') + job('always', '    needs: [after]\n    if: always()\n');
    const { path, start } = await place(`${hand}jobs:\n${job('build', matrix)}${rest}`);
    const runner = await SimulatedRunner.at(t, alice, path);
    const run = await start();
    const first = ['build (1, x): queued', 'build (z): queued', 'after: waiting', 'always: waiting'];
    assert.deepEqual(await statesOf(path, run), first);
    await runner.finish((await runner.fetch()).id, 'RESULT_FAILURE');
    await runner.finish((await runner.fetch()).id);
    await t.settled();
    assert.deepEqual(await statesOf(path, run), ['build (1, x): failure', 'build (z): success', 'after: skipped', 'always: queued']);
    await runner.finish((await runner.fetch()).id);
    await t.settled();
    assert.equal((await alice.must('GET', `${path}/actions/runs/${run}`)).conclusion, 'failure');
  });

  it('run again: all, those that failed, or one, with those that need them', async () => {
    const { path, start } = await place(`${hand}jobs:\n${job('one')}${job('two', '    needs: one\n')}${job('three')}`);
    const runner = await SimulatedRunner.at(t, alice, path);
    const run = await start();
    const again = (rest: string) => alice.send('POST', `${path}/actions/runs/${run}/${rest}`);
    assert.equal((await again('rerun')).status, 400);
    for (let taken = 0; taken < 3; taken++) {
      const task = await runner.fetch();
      await runner.finish(task.id, task.context.job === 'three' ? 'RESULT_FAILURE' : 'RESULT_SUCCESS');
      await t.settled();
    }
    assert.deepEqual(await statesOf(path, run), ['one: success', 'two: success', 'three: failure']);
    assert.equal((await again('rerun-failed-jobs')).status, 201);
    assert.deepEqual(await statesOf(path, run), ['one: success', 'two: success', 'three: queued']);
    assert.equal((await again('cancel')).status, 202);
    const { jobs } = await alice.must('GET', `${path}/actions/runs/${run}/jobs`);
    assert.equal((await again(`jobs/${jobs[0].id}/rerun`)).status, 201);
    assert.deepEqual(await statesOf(path, run), ['one: queued', 'two: waiting', 'three: cancelled']);
    assert.equal((await again('jobs/999999/rerun')).status, 404);
  });

  it('run again without the payload of their event, which imported runs may lack', async () => {
    const { path, start } = await place(hand + JOB);
    for (const event of ['push', 'pull_request', 'workflow_dispatch']) {
      const run = await start();
      await alice.must('POST', `${path}/actions/runs/${run}/cancel`);
      const change = { event, trigger_event: event, event_payload: 'null' };
      await t.context.db.updateTable('action_runs').set(change).where('id', '=', run).execute();
      assert.equal((await alice.send('POST', `${path}/actions/runs/${run}/rerun`)).status, 201, event);
      await alice.must('POST', `${path}/actions/runs/${run}/cancel`);
    }
  });
});

describe('a concurrency group', () => {
  it('has one run that runs and one that waits, whom the next replaces', async () => {
    const { path, start } = await place(`${hand}concurrency: one\n${JOB}`);
    const runner = await SimulatedRunner.at(t, alice, path);
    await start();
    const task = await runner.fetch();
    await start();
    await start();
    const by = (state: string) => `ci.yml@refs/heads/main workflow_dispatch ${state}`;
    assert.deepEqual(await runsOf(alice, path), [by('completed cancelled'), by('in_progress'), by('waiting')]);
    assert.equal(await runner.fetch(), undefined);
    await runner.finish(task.id);
    await t.settled();
    assert.equal((await runner.fetch()).context.run_number, '3');
  });

  it('cancels what runs, where the workflow says so, and its runner learns it', async () => {
    const { start, path } = await place(`${hand}concurrency: { group: 'g-\${{ github.ref }}', cancel-in-progress: true }\n${JOB}`);
    const runner = await SimulatedRunner.at(t, alice, path);
    await start();
    const task = await runner.fetch();
    await start();
    assert.equal((await runner.report(task.id)).state.result, 'RESULT_CANCELLED');
    assert.deepEqual((await runsOf(alice, path, '&status=cancelled')).length, 1);
  });
});

describe('a schedule', () => {
  it('starts its workflow once when its time comes, as long as the file is there', async () => {
    const { path } = await place(`on:\n  schedule:\n    - cron: '@every 1h'\n    - cron: 'never'\n${JOB}`);
    const { db } = t.context;
    const specs = await db.selectFrom('action_schedule_specs').select(['spec', 'next_at']).execute();
    assert.deepEqual(
      specs.map(({ spec }) => spec),
      ['@every 1h'],
    );
    const signal = new AbortController().signal;
    await startDue(t.context, signal);
    await db.updateTable('action_schedule_specs').set({ next_at: 1 }).execute();
    await Promise.all([startDue(t.context, signal), startDue(t.context, signal)]);
    assert.deepEqual(await runsOf(alice, path), ['ci.yml@refs/heads/main schedule queued']);
    await alice.must('POST', `${path}/contents`, {
      files: [
        {
          operation: 'update',
          path: '.gitea/workflows/ci.yml',
          content: Buffer.from(hand + JOB).toString('base64'),
          sha: (await alice.must('GET', `${path}/contents/.gitea/workflows/ci.yml`)).sha,
        },
      ],
      message: 'No more',
    });
    await t.settled();
    assert.deepEqual(await db.selectFrom('action_schedules').select('id').execute(), []);
  });

  it('and what it has started ends when the repository is archived', async () => {
    const { path } = await place(`on:\n  push:\n  schedule:\n    - cron: '@every 1h'\n${JOB}`);
    await t.context.db.updateTable('action_schedule_specs').set({ next_at: 1 }).execute();
    await startDue(t.context, new AbortController().signal);
    await alice.must('PATCH', path, { archived: true });
    await t.settled();
    assert.deepEqual((await runsOf(alice, path)).sort(), [
      'ci.yml@refs/heads/main push queued',
      'ci.yml@refs/heads/main schedule completed cancelled',
    ]);
    await t.context.db.updateTable('action_schedule_specs').set({ next_at: 1 }).execute();
    await startDue(t.context, new AbortController().signal);
    assert.equal((await runsOf(alice, path)).length, 2);
  });

  it('that fails keeps no others waiting', async () => {
    const { db } = t.context;
    const scheduled = `on:\n  schedule:\n    - cron: '@every 1h'\n${JOB}`;
    const [, other] = [await place(scheduled), await place(scheduled)];
    const { id } = await db.selectFrom('action_schedules').select('id').orderBy('id', 'desc').offset(1).limit(1).executeTakeFirstOrThrow();
    await db.updateTable('action_schedules').set({ event_payload: 'no JSON' }).where('id', '=', id).execute();
    await db.updateTable('action_schedule_specs').set({ next_at: 1 }).execute();
    await startDue(t.context, new AbortController().signal);
    assert.deepEqual(await runsOf(alice, other.path), ['ci.yml@refs/heads/main schedule queued']);
  });
});

describe('runs', () => {
  it('of an organization are shown to members who may see their repository, and follow it to another owner', async () => {
    await alice.must('POST', '/orgs', { username: 'team' });
    const { id } = await alice.must('POST', '/orgs/team/teams', { name: 'guests', permission: 'read', units: ['repo.code'] });
    await alice.must('PUT', `/teams/${id}/members/bob`);
    const { path, start } = await place(hand + JOB, { owner: 'team', isPrivate: true });
    await start();
    const lists = async (client: typeof alice) => (await client.must('GET', '/orgs/team/actions/runs')).total_count;
    assert.deepEqual([await lists(alice), await lists(bob)], [1, 0]);
    assert.equal((await bob.must('GET', '/orgs/team/actions/jobs')).total_count, 0);
    assert.equal((await (await t.user('carol')).send('GET', '/orgs/team/actions/runs')).status, 403);
    await alice.must('POST', `${path}/transfer`, { new_owner: 'alice' });
    assert.equal(await lists(alice), 0);
    assert.ok((await alice.must('GET', '/user/actions/runs?limit=1')).total_count > 0);
  });

  it('are deleted once they are over, and jobs that nobody takes are cancelled', async () => {
    const { path, start } = await place(hand + JOB);
    const run = `${path}/actions/runs/${await start()}`;
    assert.equal((await alice.send('DELETE', run)).status, 400);
    await t.context.db.updateTable('action_jobs').set({ updated_at: 1 }).where('repository_id', '>', 0).execute();
    await cancelAbandonedJobs(t.context, new AbortController().signal);
    assert.equal((await alice.must('GET', run)).conclusion, 'cancelled');
    assert.equal((await bob.send('DELETE', run)).status, 403);
    assert.equal((await alice.send('DELETE', run)).status, 204);
    assert.equal((await alice.send('GET', run)).status, 404);
  });

  it('have a badge', async () => {
    const { path, start } = await place(hand + JOB);
    const ofFile = (file: string) => t.anonymous.send('GET', `/${path.replace('/repos', '')}/actions/workflows/${file}`);
    const badge = async () => (await ofFile('ci.yml/badge.svg')).text;
    assert.match(await badge(), /ci: no status/);
    await start();
    assert.match(await badge(), /ci: waiting/);
    assert.equal((await ofFile('sub/nested.yml/badge.svg')).status, 200);
    assert.equal((await ofFile('ci.yml/badge.png')).status, 404);
  });
});
