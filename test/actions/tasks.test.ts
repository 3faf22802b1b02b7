import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endJobs } from '../../src/actions/jobs/cancel.ts';
import { jobsOfRun } from '../../src/actions/jobs/find.ts';
import { readRuntimeToken } from '../../src/actions/tasks/runtime-token.ts';
import { inTransaction } from '../../src/context.ts';
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

describe('a task', () => {
  it('has all that its job needs', async () => {
    const { id, path, runner } = await place();
    await alice.must('PUT', `${path}/actions/secrets/KEY`, { data: 'of the key' });
    await alice.must('POST', `${path}/actions/variables/PLACE`, { value: 'here' });
    const more = '  after:\n    needs: build\n    runs-on: linux\n    steps:\n      - run: echo after\n';
    const run = await startRun(t, id, workflow(['build'], more));
    const task = await runner.fetch();
    const { token, gitea_runtime_token: runtime, event, run_id, ref_name, repository, job, run_attempt } = task.context;
    assert.deepEqual(
      { event, run_id, ref_name, repository, job, run_attempt },
      {
        event: { ref: 'refs/heads/main' },
        run_id: String(run.id),
        ref_name: 'main',
        repository: path.slice('/repos/'.length),
        job: 'build',
        run_attempt: '1',
      },
    );
    assert.match(token, /^[0-9a-f]{40}$/);
    assert.deepEqual(task.secrets, { KEY: 'of the key', GITHUB_TOKEN: token, GITEA_TOKEN: token });
    assert.deepEqual(task.vars, { PLACE: 'here' });
    const [first] = await jobsOfRun(t.context.db, run.id);
    assert.deepEqual(await readRuntimeToken(t.context, runtime), { taskId: Number(task.id), runId: run.id, jobId: first?.id });
    assert.equal(await readRuntimeToken(t.context, `${runtime.slice(0, -2)}xx`), undefined);
    const payload = Buffer.from(task.workflowPayload, 'base64').toString('utf8');
    assert.match(payload, /build/);
    assert.doesNotMatch(payload, /echo after/);
    const rows = JSON.stringify(await t.context.db.selectFrom('action_tasks').selectAll().execute());
    assert.ok(!rows.includes(token), 'the token is not in the database as it is');
    assert.equal(await runner.fetch(), undefined);
    await runner.finish(task.id, 'RESULT_SUCCESS', { grade: 'A' });
    await t.settled();
    const next = await runner.fetch();
    assert.deepEqual(next.needs, { build: { outputs: { grade: 'A' }, result: 'RESULT_SUCCESS' } });
    await runner.finish(next.id, 'RESULT_FAILURE');
    await t.settled();
    const { status } = await t.context.db.selectFrom('action_runs').select('status').where('id', '=', run.id).executeTakeFirstOrThrow();
    assert.equal(status, 'failure');
  });

  it('of a pull request from a fork has no secrets, but on the base', async () => {
    const { id, path, runner } = await place();
    await alice.must('PUT', `${path}/actions/secrets/KEY`, { data: 'of the key' });
    const of = (trigger_event: string) => ({ event: 'pull_request', trigger_event, is_fork_pull_request: true, event_payload: '{}' });
    await startRun(t, id, workflow(['build']), of('pull_request'));
    assert.deepEqual(Object.keys((await runner.fetch()).secrets).sort(), ['GITEA_TOKEN', 'GITHUB_TOKEN']);
    await startRun(t, id, workflow(['build']), of('pull_request_target'));
    assert.deepEqual(Object.keys((await runner.fetch()).secrets).sort(), ['GITEA_TOKEN', 'GITHUB_TOKEN', 'KEY']);
  });

  it('that is cancelled tells its runner so, and takes no other end', async () => {
    const { id, runner } = await place();
    const run = await startRun(t, id, workflow(['one']));
    const task = await runner.fetch();
    assert.deepEqual((await runner.report(task.id, { startedAt: '2024-01-02T03:04:05Z' })).state, { id: task.id });
    await inTransaction(t.context, async (context) => endJobs(context, await jobsOfRun(context.db, run.id)));
    assert.equal((await runner.report(task.id)).state.result, 'RESULT_CANCELLED');
    assert.equal((await runner.finish(task.id)).state.result, 'RESULT_CANCELLED');
    assert.deepEqual(
      (await jobsOfRun(t.context.db, run.id)).map(({ status }) => status),
      ['cancelled'],
    );
  });

  it('ends when its runner is lost, or when it goes on for too long', async () => {
    const { id, runner } = await place();
    const run = await startRun(t, id, workflow(['lost', 'long', 'fine']));
    const tasks = new Map<string, string>();
    for (let count = 0; count < 3; count++) {
      const task = await runner.fetch();
      tasks.set(task.context.job, task.id);
    }
    const age = (job: string, times: object) =>
      t.context.db
        .updateTable('action_tasks')
        .set(times)
        .where('id', '=', Number(tasks.get(job)))
        .execute();
    await age('lost', { updated_at: 1000 });
    await age('long', { started_at: 1000 });
    for (const name of ['stop_zombie_tasks', 'stop_endless_tasks'] as const) await t.context.schedule.run(t.context, name);
    const states = (await jobsOfRun(t.context.db, run.id)).map(({ name, status }) => `${name} ${status}`);
    assert.deepEqual(states.sort(), ['fine running', 'long failure', 'lost failure']);
    assert.equal((await runner.report(tasks.get('lost') ?? '')).state.result, 'RESULT_FAILURE');
  });

  it('has steps, whose states its runner reports; one without a state goes on if it has begun, as clients know it', async () => {
    const { id, runner } = await place();
    await startRun(t, id, workflow(['one']));
    const task = await runner.fetch();
    const rows = t.context.db.selectFrom('action_task_steps').selectAll().where('task_id', '=', Number(task.id)).orderBy('number');
    const states = async () => (await rows.execute()).map((row) => `${row.name}: ${row.status} ${row.log_index} ${row.log_length}`);
    const time = '2024-01-02T03:04:05Z';
    const done = { id: '0', result: 'RESULT_SUCCESS', startedAt: time, stoppedAt: time, logIndex: '1', logLength: '2' };
    await runner.report(task.id, { startedAt: time, steps: [done, { id: '7' }] });
    assert.deepEqual(await states(), ['Run echo one: success 1 2', 'Last: waiting 0 0']);
    await runner.report(task.id, { startedAt: time, steps: [{ id: '1', startedAt: time }] });
    assert.deepEqual(await states(), ['Run echo one: running 1 2', 'Last: running 0 0']);
  });

  it('keeps an output as it came first, and leaves out what is too long', async () => {
    const { id, runner } = await place();
    await startRun(t, id, workflow(['one']));
    const task = await runner.fetch();
    const first = await runner.report(
      task.id,
      {},
      { a: '1', [`x${'x'.repeat(255)}`]: '1', big: 'x'.repeat(1024 * 1024 + 1), 'n\0l': 'a\0b' },
    );
    assert.deepEqual(first.sentOutputs, ['a', 'nl']);
    assert.deepEqual((await runner.report(task.id, {}, { a: '2', b: '' })).sentOutputs, ['a', 'b', 'nl']);
    const rows = await t.context.db
      .selectFrom('action_task_outputs')
      .select(['name', 'value'])
      .where('task_id', '=', Number(task.id))
      .orderBy('name')
      .execute();
    assert.deepEqual(
      rows.map(({ name, value }) => `${name}=${value}`),
      ['a=1', 'b=', 'nl=ab'],
    );
  });

  it("is no other runner's", async () => {
    const { id, path, runner } = await place();
    await startRun(t, id, workflow(['one']));
    const { id: taskId } = await runner.fetch();
    const stranger = await SimulatedRunner.at(t, alice, path);
    for (const [method, message] of [
      ['UpdateTask', { state: { id: taskId, result: 'RESULT_SUCCESS' } }],
      ['UpdateLog', { taskId, rows: [{ content: 'x' }] }],
    ] as const) {
      const [theirs, none] = [
        await stranger.call(method, message),
        await runner.call(method, JSON.parse(JSON.stringify(message).replaceAll(`"${taskId}"`, '"999999999"'))),
      ];
      assert.deepEqual([theirs.status, theirs.json], [404, none.json]);
    }
    for (const state of [
      undefined,
      { id: '-1' },
      { id: '9223372036854775807' },
      { id: taskId, result: 99 },
      { id: taskId, startedAt: '9999-12-31T23:59:59Z' },
    ])
      assert.ok((await runner.call('UpdateTask', { state })).status < 500);
    const many = { state: { id: taskId, steps: Array.from({ length: 20_000 }, () => ({})) } };
    assert.equal((await runner.call('UpdateTask', many)).status, 429);
  });
});
