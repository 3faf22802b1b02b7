import { labelsKey } from '../../../../actions/jobs/create-run.ts';
import type { Batch } from '../../batch.ts';
import type { Step } from '../../step.ts';
import { ownersOf, statusOf, timesOf } from './columns.ts';
import { readConcurrency, readJobWorkflow, readPermissions } from './payload.ts';

/** Jobs of runs. */
export const actionJobs: Step = {
  name: 'jobs of automation',
  table: 'action_run_job',
  batchSize: 200,
  run: async (rows, batch) => {
    const runs = await batch.existingOf('action_runs', rows, 'run_id');
    const owners = await ownersOf(rows, batch);
    const names = new Map<number, string>();
    for (const row of rows) {
      const [runId, ownerId] = [row.integer('run_id'), owners.get(row.integer('repo_id'))];
      if (ownerId === undefined || !runs.has(runId)) continue;
      const workflow = readJobWorkflow(row);
      names.set(runId, workflow.name);
      const labels = row.texts('runs_on');
      batch.add('action_jobs', {
        id: row.id,
        run_id: runId,
        repository_id: row.integer('repo_id'),
        owner_id: ownerId,
        commit_sha: row.line('commit_sha', 64),
        is_fork_pull_request: row.flag('is_fork_pull_request'),
        name: row.line('name'),
        attempt: Math.max(0, row.integer('attempt')),
        job_key: row.line('job_id'),
        needs: JSON.stringify(row.texts('needs')),
        has_condition: workflow.hasCondition,
        runs_on: JSON.stringify(labels),
        labels_key: labelsKey(labels),
        payload: row.text('workflow_payload'),
        task_id: row.reference('task_id'),
        status: statusOf(row),
        raw_concurrency: readConcurrency(row),
        is_concurrency_evaluated: row.flag('is_concurrency_evaluated'),
        concurrency_group: row.line('concurrency_group', 1000),
        concurrency_cancel: row.flag('concurrency_cancel'),
        max_parallel: workflow.maxParallel,
        fail_fast: workflow.failFast,
        continue_on_error: workflow.continueOnError,
        permissions: JSON.stringify(readPermissions(row)),
        ...timesOf(row),
      });
    }
    nameRuns(names, batch);
  },
};

/** Gitea does not store a workflow's own name with its runs. */
function nameRuns(names: ReadonlyMap<number, string>, batch: Batch): void {
  for (const [name, entries] of Map.groupBy(names, ([, name]) => name)) {
    const ids = entries.map(([id]) => id);
    if (name !== '') batch.change((db) => db.updateTable('action_runs').set({ workflow_name: name }).where('id', 'in', ids).execute());
  }
}
