import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cancelAbandonedJobs } from '../../src/actions/jobs/abandoned.ts';
import { jobsOfRun } from '../../src/actions/jobs/find.ts';
import { testServer } from '../support/server.ts';
import { SimulatedRunner, startRun } from './simulated-runner.ts';

const t = await testServer();
const alice = await t.user('alice');
let last = 0;

/** A repository with a run of these jobs, and a runner. */
async function place(jobs: string) {
  const name = `demo-${++last}`;
  const { id } = await alice.must('POST', '/user/repos', { name });
  const path = `/repos/alice/${name}`;
  const runner = await SimulatedRunner.at(t, alice, path);
  const run = await startRun(t, id, `on: push\njobs:\n${jobs}`);
  const states = async (of = run.id) => (await jobsOfRun(t.context.db, of)).map((job) => `${job.name} ${job.status}`);
  const conclusion = async () => (await alice.must('GET', `${path}/actions/runs/${run.id}`)).conclusion;
  const take = async (count: number) => {
    const tasks = [];
    for (let taken = 0; taken < count; taken++) tasks.push(await runner.fetch());
    return tasks;
  };
  return { id, path, runner, run, states, conclusion, take };
}

const job = (key: string, more: readonly string[]) =>
  `  ${key}:\n    runs-on: linux\n${more.map((line) => `    ${line}\n`).join('')}    steps: [{ run: x }]\n`;
const matrix = (values: string, more = '') => `strategy: { matrix: { v: [${values}] }${more && `, ${more}`} }`;

describe('fail-fast', () => {
  it('cancels the other jobs of a matrix after a failure, also those that run, and the run has failed', async () => {
    const { runner, states, conclusion, take } = await place(job('m', [matrix('1, 2, 3')]) + job('other', []));
    const [first, second] = await take(2);
    await runner.finish(first.id, 'RESULT_FAILURE');
    assert.deepEqual(await states(), ['m (1) failure', 'm (2) cancelled', 'm (3) cancelled', 'other waiting']);
    assert.equal((await runner.report(second.id)).state.result, 'RESULT_CANCELLED');
    await runner.finish((await runner.fetch()).id);
    assert.equal(await conclusion(), 'failure');
  });

  it('lets them go on where the workflow says so, by an expression too, or where the job may fail', async () => {
    const matrices = [
      job('a', [matrix('1, 2', 'fail-fast: false')]),
      job('b', [matrix('1, 2', `fail-fast: "\${{ github.ref == 'x' }}"`)]),
      job('c', [matrix('true, false'), `continue-on-error: \${{ matrix.v }}`]),
    ];
    const { runner, states, take } = await place(matrices.join(''));
    const tasks = await take(6);
    const failed = new Set<string>();
    for (const { id, context } of tasks.toReversed()) {
      if (failed.has(context.job)) continue;
      failed.add(context.job);
      await runner.finish(id, 'RESULT_FAILURE');
    }
    assert.deepEqual(await states(), [
      'a (1) running',
      'a (2) failure',
      'b (1) running',
      'b (2) failure',
      'c (false) running',
      'c (true) failure',
    ]);
  });

  it('counts a failure of this attempt alone, and a runner that is lost', async () => {
    const { path, run, runner, states, take } = await place(job('m', [matrix('1, 2')]));
    const [first] = await take(1);
    await runner.finish(first.id, 'RESULT_FAILURE');
    const jobs = await jobsOfRun(t.context.db, run.id);
    await alice.must('POST', `${path}/actions/runs/${run.id}/jobs/${jobs[1]?.id}/rerun`);
    await t.settled();
    assert.deepEqual(await states(), ['m (1) failure', 'm (2) waiting']);
    const [again] = await take(1);
    await runner.finish(again.id);
    await alice.must('POST', `${path}/actions/runs/${run.id}/rerun`);
    await t.settled();
    const [lost] = await take(1);
    await t.context.db.updateTable('action_tasks').set({ updated_at: 1000 }).where('id', '=', Number(lost.id)).execute();
    await t.context.schedule.run(t.context, 'stop_zombie_tasks');
    assert.deepEqual(await states(), ['m (1) failure', 'm (2) cancelled']);
  });
});

describe('max-parallel', () => {
  it('lets so many jobs of a matrix run at once, for all runners together, and the next when one is over', async () => {
    const { path, runner, states } = await place(job('m', [matrix('1, 2, 3, 4', 'max-parallel: 2, fail-fast: false')]));
    const others = await Promise.all(Array.from({ length: 4 }, () => SimulatedRunner.at(t, alice, path)));
    const given = await Promise.all(others.map((other) => other.fetch()));
    assert.equal(given.filter(Boolean).length, 2);
    assert.deepEqual((await states()).map((state) => state.slice(6)).sort(), ['running', 'running', 'waiting', 'waiting']);
    const version = Number((await runner.call('FetchTask')).json.tasksVersion);
    const busy = given.findIndex(Boolean);
    await others[busy]?.finish(given[busy].id, 'RESULT_FAILURE');
    assert.ok(await runner.fetch(version), 'the version has changed');
    assert.equal(await runner.fetch(), undefined);
  });

  it('holds them after their needs and in a rerun too, for however long that takes', async () => {
    const { path, run, runner, states, take } = await place(
      job('first', []) + job('m', ['needs: first', matrix('1, 2', 'max-parallel: 1')]),
    );
    for (let round = 0; round < 2; round++) {
      if (round > 0) await alice.must('POST', `${path}/actions/runs/${run.id}/rerun`);
      const [first] = await take(1);
      await runner.finish(first.id);
      await t.settled();
      const [one, none] = await take(2);
      assert.equal(none, undefined);
      await t.context.db.updateTable('action_jobs').set({ updated_at: 1 }).where('run_id', '=', run.id).execute();
      await cancelAbandonedJobs(t.context, new AbortController().signal);
      await runner.finish(one.id);
      const [two] = await take(1);
      await runner.finish(two.id);
      await t.settled();
      assert.deepEqual(await states(), ['first success', 'm (1) success', 'm (2) success']);
    }
  });
});

describe('continue-on-error of a job', () => {
  it('keeps its failure from failing the run; what needs it is skipped, as clients know it', async () => {
    const { runner, states, conclusion, take } = await place(job('a', ['continue-on-error: true']) + job('b', ['needs: a']) + job('c', []));
    const tasks = await take(2);
    for (const { id, context } of tasks) await runner.finish(id, context.job === 'a' ? 'RESULT_FAILURE' : 'RESULT_SUCCESS');
    await t.settled();
    assert.deepEqual(await states(), ['a failure', 'b skipped', 'c success']);
    assert.equal(await conclusion(), 'success');
  });
});

describe('concurrency of a job', () => {
  const grouped = (cancel: string) => job('a', [`concurrency: { group: "g-\${{ github.ref_name }}"${cancel} }`]) + job('b', []);

  it('lets one run and one wait, whom the next replaces, whichever run they are of', async () => {
    const { id, runner, states, run, take } = await place(grouped(''));
    const [first] = await take(2);
    const [second, third] = [
      await startRun(t, id, `on: push\njobs:\n${grouped('')}`),
      await startRun(t, id, `on: push\njobs:\n${grouped('')}`),
    ];
    assert.deepEqual(
      [await states(), await states(second.id), await states(third.id)],
      [
        ['a running', 'b running'],
        ['a cancelled', 'b waiting'],
        ['a blocked', 'b waiting'],
      ],
    );
    await runner.finish(first.id);
    await t.settled();
    assert.deepEqual(
      [await states(run.id), await states(third.id)],
      [
        ['a success', 'b running'],
        ['a waiting', 'b waiting'],
      ],
    );
  });

  it('cancels what runs with cancel-in-progress, and only that job', async () => {
    const cancelling = grouped(', cancel-in-progress: true');
    const { id, runner, states, take } = await place(cancelling);
    const tasks = await take(2);
    const second = await startRun(t, id, `on: push\njobs:\n${cancelling}`);
    assert.deepEqual(
      [await states(), await states(second.id)],
      [
        ['a cancelled', 'b running'],
        ['a waiting', 'b waiting'],
      ],
    );
    const a = tasks.find(({ context }) => context.job === 'a');
    assert.equal((await runner.report(a.id)).state.result, 'RESULT_CANCELLED');
  });
});
