import type { Step } from '../../step.ts';
import { ownersOf, statusOf, timesOf } from './columns.ts';
import { importLog } from './logs.ts';

/** Attempts of runners at jobs, with their logs. */
export const actionTasks: Step = {
  name: 'tasks of automation',
  table: 'action_task',
  batchSize: 20,
  run: async (rows, batch) => {
    const jobs = await batch.existingOf('action_jobs', rows, 'job_id');
    const owners = await ownersOf(rows, batch);
    for (const row of rows) {
      const ownerId = owners.get(row.integer('repo_id'));
      if (ownerId === undefined || !jobs.has(row.integer('job_id'))) continue;
      const { blocks, ...log } = await importLog(row, batch);
      batch.add('action_tasks', {
        id: row.id,
        job_id: row.integer('job_id'),
        attempt: Math.max(1, row.integer('attempt')),
        runner_id: row.integer('runner_id'),
        repository_id: row.integer('repo_id'),
        owner_id: ownerId,
        commit_sha: row.line('commit_sha', 64),
        is_fork_pull_request: row.flag('is_fork_pull_request'),
        status: statusOf(row),
        has_reported: true,
        // The token was valid for the duration of the task, which has ended with Gitea.
        token_hash: `imported ${row.id}`,
        ...log,
        ...timesOf(row),
      });
      for (const block of blocks) batch.add('action_log_blocks', block);
    }
  },
};

/** Steps of tasks. */
export const actionTaskSteps: Step = {
  name: 'steps of automation',
  table: 'action_task_step',
  run: async (rows, batch) => {
    const tasks = await batch.existingOf('action_tasks', rows, 'task_id');
    for (const row of rows) {
      if (!tasks.has(row.integer('task_id'))) continue;
      batch.add('action_task_steps', {
        id: row.id,
        task_id: row.integer('task_id'),
        repository_id: row.integer('repo_id'),
        number: row.integer('index'),
        name: row.line('name'),
        status: statusOf(row),
        log_index: Math.max(0, row.integer('log_index')),
        log_length: Math.max(0, row.integer('log_length')),
        started_at: row.time('started'),
        stopped_at: row.time('stopped'),
      });
    }
  },
};

/** Outputs of jobs for the jobs that need them. */
export const actionTaskOutputs: Step = {
  name: 'outputs of automation',
  table: 'action_task_output',
  batchSize: 100,
  run: async (rows, batch) => {
    const tasks = await batch.existingOf('action_tasks', rows, 'task_id');
    for (const row of rows) {
      if (!tasks.has(row.integer('task_id'))) continue;
      batch.add('action_task_outputs', { task_id: row.integer('task_id'), name: row.line('output_key'), value: row.text('output_value') });
    }
  },
};
