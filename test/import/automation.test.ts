import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { emptyTarget, recordedSource } from './support.ts';

/** What fill.ts printed of the runner that it registered. */
const RUNNER = { uuid: '11eaeea3-4955-4e95-8a92-562f7fcc296f', token: '19176bfd4c93d1867e756f95b7564a1e9234b60a' };
const REGISTRATION = 'EBU6DR3uOb6OQUDNFc7TeldvmimKv5QSzJ4XocdN';
const SERVICE = '//api/actions/runner.v1.RunnerService';
const LINES = ['Begins', 'one', 'Ends'].map((text) => `2024-01-02T03:04:05.0000000Z ${text}\n`);

const source = await recordedSource();
const target = await emptyTarget();
let served: Awaited<ReturnType<typeof target.serve>>;
let said = '';
const automation = '/repos/Alice/automated/actions';

// A job that has not ended, with its log in the database, in two blocks.
for (const [table, change] of [
  ['action_run_job', "id = 3, task_id = 2, name = 'third', job_id = 'third', status = 6"],
  ['action_task', "id = 2, job_id = 3, status = 6, stopped = 0, token_hash = 'x', log_in_storage = 0, log_filename = 'alice/x/02/2.log'"],
] as const) {
  source.change(`create table copied as select * from ${table} where id = 1`);
  source.change(`update copied set ${change}`);
  source.change(`insert into ${table} select * from copied`);
  source.change('drop table copied');
}
source.change(
  "insert into dbfs_meta (id, full_path, block_size, file_size, create_timestamp, modify_timestamp) values (9, '4:actions_log/alice/x/02/2.log', 32, 36, 1, 1)",
);
const block = 'insert into dbfs_data (revision, meta_id, blob_offset, blob_size, blob_data) values (1, 9, ?, ?, cast(? as blob))';
source.change(block, 32, 8, `${LINES[0]}`.slice(32).padEnd(8, 'x'));
source.change(block, 0, 32, `${LINES[0]}`.slice(0, 32));
source.change(
  'update repo_unit set config = ? where repo_id = 7 and type = 10',
  JSON.stringify({
    DisabledWorkflows: ['nightly.yml'],
    CollaborativeOwnerIDs: [3, 999, 'x'],
    token_permission_mode: 'restricted',
    max_token_permissions: { unit_access_modes: { 1: 1, 10: 2, 99: 2 } },
    override_owner_config: true,
  }),
);
source.change(
  "insert into user_setting (user_id, setting_key, setting_value) values (2, 'actions.config', ?)",
  JSON.stringify({ token_permission_mode: 'of tomorrow', allowed_cross_repo_ids: [7, 999] }),
);

const wish = "insert into user_setting (user_id, setting_key, setting_value) values (?, 'email_notification.gitea_actions', ?)";
source.change(wish, 2, 'all');
source.change(wish, 3, 'often');

describe('an import of automation', () => {
  before(async () => {
    said = (await target.run('--config', source.config)).stdout;
    served = await target.serve();
  });

  it('keeps runs, jobs, steps, outputs and logs', async () => {
    const alice = served.as('Alice');
    const [run] = (await alice.get(`${automation}/runs`)).json.workflow_runs;
    assert.deepEqual([run.id, run.run_number, run.status, run.event, run.path], [1, 1, 'queued', 'push', 'checks.yml@refs/heads/main']);
    const [first, second] = (await alice.get(`${automation}/runs/1/jobs`)).json.jobs;
    assert.deepEqual([first.conclusion, first.runner_name, first.labels], ['success', 'builder', ['linux']]);
    assert.deepEqual([first.steps[0].name, first.steps[0].conclusion], ['Run echo one', 'success']);
    assert.deepEqual([second.status, second.labels], ['queued', ['linux', 'gpu']]);
    assert.equal((await alice.get(`${automation}/jobs/1/logs`)).text, LINES.join(''));
    const { db } = served.server.services.database;
    const jobs = await db.selectFrom('action_jobs').selectAll().orderBy('id').execute();
    assert.deepEqual([jobs[0]?.permissions?.code, jobs[1]?.needs, jobs[1]?.has_condition], ['read', ['first'], true]);
    const { workflow_name, concurrency_group } = await db.selectFrom('action_runs').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([workflow_name, concurrency_group], ['Checks', 'checks-refs/heads/main']);
  });

  it('keeps the log of a job that has not ended', async () => {
    const { text } = await served.as('Alice').get(`${automation}/jobs/3/logs`);
    assert.equal(text, LINES[0]);
  });

  it('keeps artifacts', async () => {
    const alice = served.as('Alice');
    const [artifact] = (await alice.get(`${automation}/runs/1/artifacts`)).json.artifacts;
    assert.deepEqual([artifact.id, artifact.name, artifact.size_in_bytes], [1, 'report', 9]);
    const { headers } = await alice.get(`${automation}/artifacts/1/zip`);
    const url = new URL(headers.get('location') ?? '');
    assert.equal((await alice.get(`/${url.pathname}${url.search}`)).text, 'a report\n');
  });

  it('keeps schedules, workflows that are switched off, and the number of the last run', async () => {
    const { workflows } = (await served.as('Alice').get(`${automation}/workflows`)).json;
    assert.deepEqual(
      workflows.map(({ name, state }: { name: string; state: string }) => [name, state]),
      [
        ['Checks', 'active'],
        ['nightly.yml', 'disabled_manually'],
      ],
    );
    const { db } = served.server.services.database;
    const specs = await db.selectFrom('action_schedule_specs').select(['spec', 'repository_id']).execute();
    assert.deepEqual(specs, [{ spec: '30 3 * * *', repository_id: 7 }]);
    const counters = await db.selectFrom('action_run_counters').selectAll().execute();
    assert.deepEqual(counters, [{ repository_id: 7, last_number: 1 }]);
    assert.doesNotMatch(said, /settings of automation.*(?:cannot|left out)/);
    const settings = await db
      .selectFrom('action_token_settings')
      .select(['owner_id', 'repository_id', 'mode', 'maximum'])
      .orderBy('owner_id')
      .execute();
    assert.deepEqual(
      settings.sort((a, b) => (a.owner_id ?? 0) - (b.owner_id ?? 0)),
      [
        { owner_id: null, repository_id: 7, mode: 'restricted', maximum: { code: 'read', actions: 'write' } },
        { owner_id: 2, repository_id: null, mode: 'permissive', maximum: null },
      ],
    );
    const wishes = await db.selectFrom('users').select(['id', 'run_mails']).where('id', 'in', [2, 3]).orderBy('id').execute();
    assert.deepEqual(wishes, [
      { id: 2, run_mails: 'all' },
      { id: 3, run_mails: 'failure-only' },
    ]);
    assert.deepEqual(await db.selectFrom('action_collaborative_owners').selectAll().execute(), [{ repository_id: 7, owner_id: 3 }]);
    assert.deepEqual(await db.selectFrom('action_shared_repositories').selectAll().execute(), [{ repository_id: 7, owner_id: 2 }]);
  });

  it('lets runners go on with their tokens, and register with the one they know', async () => {
    const nobody = served.as('');
    const call = (method: string, message: object, { uuid, token } = RUNNER) =>
      nobody.post(`${SERVICE}/${method}`, message, { headers: { 'x-runner-uuid': uuid, 'x-runner-token': token } });
    assert.equal((await call('FetchTask', {}, { ...RUNNER, token: '0'.repeat(40) })).status, 401);
    assert.equal((await call('Declare', { version: 'v1', labels: ['linux', 'gpu'] })).json.runner.name, 'builder');
    const { task } = (await call('FetchTask', { tasksVersion: '0' })).json;
    assert.deepEqual([task.context.job, task.needs.first.outputs], ['second', { answer: '42' }]);
    const { json } = await nobody.post(`${SERVICE}/Register`, { name: 'another', token: REGISTRATION, labels: ['linux'] });
    assert.equal(json.runner.name, 'another');
    const { db } = served.server.services.database;
    const runner = await db.selectFrom('action_runners').selectAll().where('uuid', '=', RUNNER.uuid).executeTakeFirstOrThrow();
    assert.deepEqual([runner.imported_salt, runner.token_hash.length], ['', 64]);
  });
});
