import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jobsOfRun } from '../../src/actions/jobs/find.ts';
import { testServer } from '../support/server.ts';
import { SimulatedRunner, startRun, workflow } from './simulated-runner.ts';

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/orgs', { username: 'team' });
let last = 0;

/** A repository of its own for a test, with a runner. */
async function place(options: { labels?: string[]; ephemeral?: boolean } = {}) {
  const name = `demo-${++last}`;
  const { id } = await alice.must('POST', '/user/repos', { name, private: true });
  return { id: id as number, path: `/repos/alice/${name}`, runner: await SimulatedRunner.at(t, alice, `/repos/alice/${name}`, options) };
}

describe('a job that waits', () => {
  it('goes to a runner of its place with all of its labels, the oldest first', async () => {
    const { id, runner } = await place({ labels: ['linux', 'x64'] });
    const other = await SimulatedRunner.at(t, alice, '/orgs/team', { labels: ['linux', 'gpu', 'x64'] });
    const run = await startRun(
      t,
      id,
      'on: push\njobs:\n  gpu:\n    runs-on: [linux, gpu]\n    steps: [{ run: x }]\n  both:\n    runs-on: [x64, linux]\n    steps: [{ run: x }]\n  one:\n    runs-on: linux\n    steps: [{ run: x }]\n',
    );
    await t.context.db
      .updateTable('action_jobs')
      .set({ updated_at: 1 })
      .where('run_id', '=', run.id)
      .where('job_key', '=', 'one')
      .execute();
    assert.equal(await other.fetch(), undefined, 'a runner of somebody else gets none');
    assert.deepEqual(
      [(await runner.fetch()).context.job, (await runner.fetch()).context.job, await runner.fetch()],
      ['one', 'both', undefined],
    );
    const owners = await SimulatedRunner.at(t, alice, '/user', { labels: ['gpu', 'linux', 'more'] });
    assert.equal((await owners.fetch()).context.job, 'gpu');
  });

  it('is looked for only when the version has changed', async () => {
    const { id, runner } = await place();
    const version = async () => Number((await runner.call('FetchTask', {})).json.tasksVersion);
    const before = await version();
    assert.equal(before, await version());
    await startRun(t, id, workflow(['one', 'two']));
    const after = await version();
    assert.ok(after > before);
    assert.equal(await runner.fetch(after), undefined);
    assert.equal((await runner.fetch(before)).context.job, 'two');
  });

  it('comes to a runner that waits for it as long as that has time, and does not wait for a stop', async () => {
    const { id, runner } = await place();
    const version = Number((await runner.call('FetchTask')).json.tasksVersion);
    const waiting = runner.call('FetchTask', { tasksVersion: String(version) }, 3_600_000);
    await startRun(t, id, workflow(['one']));
    assert.equal((await waiting).json.task.context.job, 'one');
    const { tasksVersion } = (await runner.call('FetchTask')).json;
    const none = await runner.call('FetchTask', { tasksVersion }, 1100);
    assert.deepEqual([none.status, none.json], [200, { tasksVersion }]);
    const last = runner.call('FetchTask', { tasksVersion }, 3_600_000);
    t.context.wakeUps.wakeHere('stop');
    assert.deepEqual((await last).json, { tasksVersion });
  });

  it('that never reached its runner goes back, once that asks again without having spoken of it', async () => {
    const { id, path, runner } = await place();
    const run = await startRun(t, id, workflow(['one', 'two']));
    const [lost, running] = [await runner.fetch(), await runner.fetch()];
    await runner.report(running.id);
    const age = (table: 'action_tasks' | 'action_runners', times: object) => t.context.db.updateTable(table).set(times).execute();
    assert.equal(await runner.fetch(), undefined);
    await age('action_tasks', { created_at: 1 });
    await age('action_runners', { given_at: 1 });
    const other = await SimulatedRunner.at(t, alice, path);
    assert.equal(await other.fetch(), undefined, 'its runner has not asked');
    const again = await runner.fetch();
    assert.deepEqual([again.context.job, again.context.run_attempt], [lost.context.job, '2']);
    assert.equal((await runner.finish(lost.id)).state.result, 'RESULT_CANCELLED');
    await runner.finish(again.id);
    const states = (await jobsOfRun(t.context.db, run.id)).map(({ name, status }) => `${name} ${status}`);
    assert.deepEqual(states.sort(), [`${again.context.job} success`, `${running.context.job} running`].sort());
  });

  it('goes to the runners of the new owner after a transfer, and to nobody after its repository is deleted', async () => {
    const { id, path } = await place();
    await startRun(t, id, workflow(['one', 'two']));
    const [old, other] = [await SimulatedRunner.at(t, alice, '/user'), await SimulatedRunner.at(t, alice, '/orgs/team')];
    assert.equal(await other.fetch(), undefined);
    const version = Number((await other.call('FetchTask')).json.tasksVersion);
    const { name } = await alice.must('GET', path);
    await alice.must('POST', `${path}/transfer`, { new_owner: 'team' });
    assert.equal((await other.fetch(version)).context.repository, `team/${name}`);
    assert.equal(await old.fetch(), undefined);
    await alice.must('PATCH', `/repos/team/${name}`, { name: `${name}-later` });
    await alice.must('DELETE', `/repos/team/${name}-later`);
    await t.settled();
    assert.equal(await other.fetch(), undefined);
  });

  it('goes to one runner, however many ask for it at once', async () => {
    const { id, path } = await place();
    const names = Array.from({ length: 12 }, (_, number) => `job${number}`);
    await startRun(t, id, workflow(names));
    const runners = await Promise.all(Array.from({ length: 50 }, () => SimulatedRunner.at(t, alice, path)));
    const tasks = (await Promise.all(runners.map((runner) => runner.fetch()))).filter(Boolean);
    assert.deepEqual(tasks.map(({ context }) => context.job).sort(), names.sort());
    assert.equal(new Set(tasks.map(({ context }) => context.token)).size, names.length);
  });

  it('is not given to a runner that is disabled, removed, or ephemeral and has had one', async () => {
    const { id, path, runner } = await place();
    await startRun(t, id, workflow(['one', 'two', 'three']));
    await alice.must('PATCH', `${path}/actions/runners/${runner.id}`, { disabled: true });
    assert.equal(await runner.fetch(), undefined);
    const brief = await SimulatedRunner.at(t, alice, path, { ephemeral: true });
    const given = (await Promise.all([1, 2, 3].map(() => brief.fetch()))).filter(Boolean);
    assert.equal(given.length, 1);
    await brief.finish(given[0].id);
    assert.equal((await brief.call('FetchTask')).status, 401);
    await alice.must('PATCH', `${path}/actions/runners/${runner.id}`, { disabled: false });
    assert.ok(await runner.fetch());
    await alice.must('DELETE', `${path}/actions/runners/${runner.id}`);
    assert.equal((await runner.call('FetchTask')).status, 401);
  });
});
