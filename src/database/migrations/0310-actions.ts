import type { SchemaKit, SchemaMigration } from './schema-kit.ts';

const OWNED = { repository_id: 'ref:repositories', owner_id: 'ref:users' };
const CLOCK = { started_at: 'time=0', stopped_at: 'time=0' };
const CONCURRENCY = { raw_concurrency: 'text=', concurrency_group: 'text=', concurrency_cancel: 'boolean=false' };

/** Workflows and their runs. */
export const actions: SchemaMigration = {
  name: '0310-actions',
  up: async (kit) => {
    await runs(kit);
    await jobs(kit);
    await tasks(kit);
    await schedules(kit);
  },
};

async function runs(kit: SchemaKit): Promise<void> {
  await kit.table('action_run_counters', { repository_id: 'ref:repositories', last_number: 'integer' }, { primaryKey: ['repository_id'] });
  await kit.table(
    'action_disabled_workflows',
    { repository_id: 'ref:repositories', workflow_id: 'text' },
    { primaryKey: ['repository_id', 'workflow_id'] },
  );
  await kit.table('action_runs', {
    id: 'id',
    ...OWNED,
    number: 'integer',
    title: 'text',
    workflow_id: 'text',
    trigger_user_id: 'integer',
    schedule_id: 'integer?',
    ref: 'text',
    commit_sha: 'text',
    event: 'text',
    trigger_event: 'text',
    event_payload: 'text',
    error: 'text=',
    status: 'text',
    is_fork_pull_request: 'boolean=false',
    need_approval: 'boolean=false',
    approved_by: 'integer?',
    ...CONCURRENCY,
    attempt: 'integer=1',
    ...CLOCK,
    previous_duration: 'integer=0',
    created_at: 'time',
    updated_at: 'time',
  });
  await kit.index('action_runs', ['repository_id', 'number'], { unique: true });
  await kit.index('action_runs', ['repository_id', 'id']);
  await kit.index('action_runs', ['owner_id', 'id']);
  await kit.index('action_runs', ['status', 'id']);
  for (const column of ['status', 'ref', 'trigger_event', 'trigger_user_id', 'commit_sha']) {
    await kit.index('action_runs', ['repository_id', column, 'id']);
  }
  for (const column of ['status', 'trigger_user_id', 'commit_sha']) await kit.index('action_runs', ['owner_id', column, 'id']);
  await kit.index('action_runs', ['repository_id', 'workflow_id', 'ref', 'id']);
  await kit.index('action_runs', ['repository_id', 'concurrency_group'], { where: `concurrency_group <> ''` });
  await kit.index('action_runs', ['stopped_at', 'id'], { where: 'stopped_at > 0' });
}

async function jobs(kit: SchemaKit): Promise<void> {
  await kit.table('action_jobs', {
    id: 'id',
    run_id: 'ref:action_runs',
    ...OWNED,
    commit_sha: 'text',
    is_fork_pull_request: 'boolean=false',
    name: 'text',
    attempt: 'integer=0',
    job_key: 'text',
    needs: 'json',
    runs_on: 'json',
    labels_key: 'text=',
    payload: 'text',
    task_id: 'integer?',
    status: 'text',
    ...CONCURRENCY,
    is_concurrency_evaluated: 'boolean=false',
    max_parallel: 'integer=0',
    fail_fast: 'boolean=false',
    permissions: 'json',
    ...CLOCK,
    created_at: 'time',
    updated_at: 'time',
  });
  await kit.index('action_jobs', ['run_id', 'id']);
  for (const column of ['repository_id', 'owner_id']) {
    await kit.index('action_jobs', [column, 'id']);
    await kit.index('action_jobs', [column, 'status', 'id']);
  }
  await kit.index('action_jobs', ['status', 'id']);
  await kit.index('action_jobs', ['repository_id', 'concurrency_group'], { where: `concurrency_group <> ''` });
  // The next job for a runner: of its repository, of its owner, or of the instance.
  const waiting = { where: `status = 'waiting' and task_id is null` };
  await kit.index('action_jobs', ['labels_key', 'updated_at', 'id'], waiting);
  await kit.index('action_jobs', ['owner_id', 'labels_key', 'updated_at', 'id'], waiting);
  await kit.index('action_jobs', ['repository_id', 'labels_key', 'updated_at', 'id'], waiting);
  // Those that wait for too long.
  await kit.index('action_jobs', ['updated_at', 'id'], { where: `status in ('waiting', 'blocked')` });
}

async function tasks(kit: SchemaKit): Promise<void> {
  await kit.table('action_tasks', {
    id: 'id',
    job_id: 'ref:action_jobs',
    attempt: 'integer',
    runner_id: 'integer',
    ...OWNED,
    commit_sha: 'text',
    is_fork_pull_request: 'boolean=false',
    status: 'text',
    token_hash: 'text',
    log_key: 'text=',
    log_in_storage: 'boolean=false',
    log_lines: 'integer=0',
    log_size: 'integer=0',
    log_indexes: 'bytes?',
    log_expired: 'boolean=false',
    ...CLOCK,
    created_at: 'time',
    updated_at: 'time',
  });
  await kit.index('action_tasks', ['token_hash'], { unique: true });
  await kit.index('action_tasks', ['job_id', 'attempt']);
  await kit.index('action_tasks', ['repository_id', 'id']);
  await kit.index('action_tasks', ['owner_id']);
  await kit.index('action_tasks', ['runner_id', 'id']);
  // Those whose runner is silent, and those that run for too long.
  await kit.index('action_tasks', ['updated_at', 'id'], { where: `status = 'running'` });
  await kit.index('action_tasks', ['started_at', 'id'], { where: `status = 'running'` });
  await kit.index('action_tasks', ['stopped_at', 'id'], { where: 'stopped_at > 0 and not log_expired' });
  await kit.table('action_task_steps', {
    id: 'id',
    task_id: 'ref:action_tasks',
    repository_id: 'ref:repositories',
    number: 'integer',
    name: 'text',
    status: 'text',
    log_index: 'integer=0',
    log_length: 'integer=0',
    ...CLOCK,
  });
  await kit.index('action_task_steps', ['task_id', 'number'], { unique: true });
  await kit.index('action_task_steps', ['repository_id']);
  await kit.table('action_task_outputs', { task_id: 'ref:action_tasks', name: 'text', value: 'text' }, { primaryKey: ['task_id', 'name'] });
}

async function schedules(kit: SchemaKit): Promise<void> {
  await kit.table('action_schedules', {
    id: 'id',
    ...OWNED,
    title: 'text',
    workflow_id: 'text',
    trigger_user_id: 'integer',
    ref: 'text',
    commit_sha: 'text',
    event: 'text',
    event_payload: 'text',
    content: 'text',
    created_at: 'time',
  });
  await kit.index('action_schedules', ['repository_id', 'workflow_id']);
  await kit.index('action_schedules', ['owner_id']);
  await kit.table('action_schedule_specs', {
    id: 'id',
    schedule_id: 'ref:action_schedules',
    repository_id: 'ref:repositories',
    spec: 'text',
    next_at: 'time?',
    previous_at: 'time?',
  });
  await kit.index('action_schedule_specs', ['schedule_id']);
  await kit.index('action_schedule_specs', ['repository_id']);
  await kit.index('action_schedule_specs', ['next_at', 'id'], { where: 'next_at is not null' });
}
