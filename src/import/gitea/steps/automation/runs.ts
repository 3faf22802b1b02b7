import type { Step } from '../../step.ts';
import { jsonText, ownersOf, statusOf, timesOf } from './columns.ts';

/** Gitea counts durations in nanoseconds. */
const NANOSECONDS = 1_000_000_000;
const MAX_TITLE = 255;

/** Runs of workflows. */
export const actionRuns: Step = {
  name: 'runs of automation',
  table: 'action_run',
  batchSize: 100,
  run: async (rows, batch) => {
    const owners = await ownersOf(rows, batch);
    for (const row of rows) {
      const ownerId = owners.get(row.integer('repo_id'));
      if (ownerId === undefined) continue;
      batch.add('action_runs', {
        id: row.id,
        repository_id: row.integer('repo_id'),
        owner_id: ownerId,
        number: row.integer('index'),
        title: row.text('title').slice(0, MAX_TITLE).toWellFormed(),
        workflow_id: row.line('workflow_id'),
        trigger_user_id: row.integer('trigger_user_id'),
        schedule_id: row.reference('schedule_id'),
        ref: row.line('ref', 4000),
        commit_sha: row.line('commit_sha', 64),
        event: row.line('event', 100),
        trigger_event: row.line('trigger_event', 100) || row.line('event', 100),
        event_payload: jsonText(row, 'event_payload'),
        status: statusOf(row),
        is_fork_pull_request: row.flag('is_fork_pull_request'),
        need_approval: row.flag('need_approval'),
        approved_by: row.reference('approved_by'),
        concurrency_group: row.line('concurrency_group', 1000),
        concurrency_cancel: row.flag('concurrency_cancel'),
        previous_duration: Math.floor(Math.max(0, row.integer('previous_duration')) / NANOSECONDS),
        ...timesOf(row),
      });
    }
  },
};

/** The last run numbers of repositories, including numbers of deleted runs. */
export const actionRunNumbers: Step = {
  name: 'numbers of runs',
  table: 'repository',
  run: async (rows, batch) => {
    const repositories = await batch.existing(
      'repositories',
      rows.map((row) => row.id),
    );
    for (const counter of await batch.source.rowsWith('action_run_index', 'group_id', [...repositories])) {
      const values = { repository_id: counter.integer('group_id'), last_number: Math.max(0, counter.integer('max_index')) };
      batch.add('action_run_counters', values);
    }
  },
};
