import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, it } from 'node:test';
import { stepsOfTask } from '../../src/actions/tasks/find.ts';
import { testServer } from '../support/server.ts';
import { write } from './files.ts';
import { SimulatedRunner, startRun, workflow } from './simulated-runner.ts';

const t = await testServer();
const alice = await t.user('alice');
let last = 0;

async function place() {
  const name = `demo-${++last}`;
  const { id } = await alice.must('POST', '/user/repos', { name, auto_init: true });
  const path = `/repos/alice/${name}`;
  return { id: id as number, path, runner: await SimulatedRunner.at(t, alice, path) };
}

const names = async (taskId: string) => (await stepsOfTask(t.context, Number(taskId))).map(({ name }) => name);

describe('a job that is given to a runner', () => {
  it('has at most 1,000 steps', async () => {
    const { path } = await place();
    const text = `on: workflow_dispatch\njobs:\n  a:\n    runs-on: linux\n    steps:\n${'      - run: a\n'.repeat(1001)}`;
    await write(alice, path, { '.gitea/workflows/ci.yml': text });
    const { status, json } = await alice.post(`${path}/actions/workflows/ci.yml/dispatches`, { ref: 'main' });
    assert.deepEqual([status, /a job has at most 1000 steps/.test(json.message)], [422, true]);
  });

  it('may have so many as no statement takes at once', async () => {
    const { id, runner } = await place();
    const steps = Array.from({ length: 8000 }, (_, at) => `      - run: echo ${at}\n`).join('');
    const run = await startRun(t, id, workflow(['one']));
    const payload = `on: push\njobs:\n  one:\n    runs-on: linux\n    steps:\n${steps}`;
    await t.context.db.updateTable('action_jobs').set({ payload }).where('run_id', '=', run.id).execute();
    const task = await runner.fetch();
    const found = await names(task.id);
    assert.deepEqual([found.length, found[0], found.at(-1)], [8000, 'Run echo 0', 'Run echo 7999']);
  });

  it('keeps nobody waiting while it is read', async () => {
    const { id, runner } = await place();
    const environment = Array.from({ length: 20_000 }, (_, at) => `      A${at}: 1\n`).join('');
    await startRun(t, id, `on: push\njobs:\n  one:\n    runs-on: linux\n    env:\n${environment}    steps: [{ name: Build, run: make }]\n`);
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    const task = await runner.fetch();
    delays.disable();
    assert.ok(delays.max / 1e6 < 5000, `the server stood still for ${delays.max / 1e6} ms`);
    assert.deepEqual(await names(task.id), ['Build']);
  });

  it('keeps no others waiting when it cannot be', async () => {
    const { id, runner } = await place();
    const broken = await startRun(t, id, workflow(['one']));
    await t.context.db.updateTable('action_jobs').set({ updated_at: 1 }).where('run_id', '=', broken.id).execute();
    await startRun(t, id, workflow(['two']));
    await t.context.db.updateTable('action_jobs').set({ updated_at: 2 }).where('run_id', '!=', broken.id).execute();
    await t.context.db.updateTable('action_runs').set({ event_payload: 'no JSON' }).where('id', '=', broken.id).execute();
    assert.equal((await runner.call('FetchTask')).status, 500);
    assert.equal((await runner.fetch()).context.job, 'two');
  });
});
