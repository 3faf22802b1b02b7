import type { Generated, Selectable } from 'kysely';
import type { Json } from './platform.ts';

/** The state of a run, a job, a task or a step of automation. The last three are final, `success` and `failure` come from a runner. */
export type ActionStatus = 'waiting' | 'blocked' | 'running' | 'success' | 'failure' | 'cancelled' | 'skipped';

/** The permissions of a job's token, by scope, such as `contents`. */
export type ActionPermissions = { readonly [scope: string]: 'none' | 'read' | 'write' };

/** The last run number of a repository. A number is never reused. */
export interface ActionRunCountersTable {
  repository_id: number;
  last_number: number;
}

/** Workflow files that do not run, by their file name. */
export interface ActionDisabledWorkflowsTable {
  repository_id: number;
  workflow_id: string;
}

/** Events in a repository that may start workflows; each is deleted once it is processed. */
export interface ActionEventsTable {
  id: Generated<number>;
  repository_id: number;
  /** The event of the webhook payload, or `refs` for branches and tags that moved. */
  event: string;
  actor_id: number;
  /** The ref whose workflows run; null for the default branch. */
  ref: string | null;
  /** The pull request of the event. */
  issue_id: number | null;
  /** JSON, as in webhooks. */
  payload: string;
  /** The parts of the payload that have to be read from git, see webhooks/deliveries/completion.ts. */
  completion: Json<unknown>;
  created_at: number;
}

/** Facts about the default branches of repositories. */
export interface ActionRepositoriesTable {
  repository_id: number;
  /** Counts the changes of the default branch. */
  version: Generated<number>;
  /** The default branch that `has_workflows` is about. */
  branch: Generated<string>;
  /** Null when it is not known. */
  has_workflows: boolean | null;
  /** The names of the events in `on` of its workflows, separated by blanks; null when they are not known. */
  triggers: Generated<string | null>;
}

/** Runs of workflows. */
export interface ActionRunsTable {
  id: Generated<number>;
  repository_id: number;
  /** The owner of the repository, so that lists of an owner need no join. */
  owner_id: number;
  /** Counts within the repository, from 1. */
  number: number;
  title: string;
  /** The name of the workflow's file, without its folder. */
  workflow_id: string;
  /** The workflow's `name`; empty where it has none. */
  workflow_name: Generated<string>;
  /** The user who triggered it; no foreign key, because automation itself (-2) is in no table. */
  trigger_user_id: number;
  schedule_id: Generated<number | null>;
  /** The full name of the ref. */
  ref: string;
  commit_sha: string;
  /** The event of the webhook payload, such as `pull_request_sync`. */
  event: string;
  /** The event's name in `on`, such as `pull_request`. */
  trigger_event: string;
  /** JSON, as in webhooks. */
  event_payload: string;
  /** Why the workflow file could not be used; empty otherwise. */
  error: Generated<string>;
  status: ActionStatus;
  is_fork_pull_request: Generated<boolean>;
  /** Waits for the approval of somebody who may write. */
  need_approval: Generated<boolean>;
  approved_by: Generated<number | null>;
  /** The text of `concurrency` of the workflow; empty without one. */
  raw_concurrency: Generated<string>;
  concurrency_group: Generated<string>;
  /** Cancels running ones of its group. */
  concurrency_cancel: Generated<boolean>;
  /** Counts from 1; each rerun is another attempt. */
  attempt: Generated<number>;
  /** The last attempt whose end was mailed; 0 before. */
  mailed_attempt: Generated<number>;
  /** Of the last attempt, like the next columns; 0 before. */
  started_at: Generated<number>;
  stopped_at: Generated<number>;
  /** Seconds that earlier attempts took. */
  previous_duration: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** Jobs of runs. */
export interface ActionJobsTable {
  id: Generated<number>;
  run_id: number;
  repository_id: number;
  owner_id: number;
  commit_sha: string;
  is_fork_pull_request: Generated<boolean>;
  name: string;
  /** How many times a runner took it. */
  attempt: Generated<number>;
  /** Its key under `jobs`; jobs of one matrix share it. */
  job_key: string;
  needs: Json<string[]>;
  /** It has an `if`, which a runner evaluates: it also starts when jobs that it needs have failed. */
  has_condition: Generated<boolean>;
  runs_on: Json<string[]>;
  /** `runs_on`, sorted, without duplicates, joined by line feeds: runners find matching jobs by it. */
  labels_key: Generated<string>;
  /** The workflow with this job alone, as YAML, with its matrix expanded: the payload for the runner. */
  payload: string;
  /** The last task; null before a runner took it. No foreign key, because tasks refer to jobs. */
  task_id: Generated<number | null>;
  status: ActionStatus;
  /** The text of its `concurrency`; empty without one. */
  raw_concurrency: Generated<string>;
  /** `concurrency_group` is known. It may need outputs of earlier jobs. */
  is_concurrency_evaluated: Generated<boolean>;
  concurrency_group: Generated<string>;
  concurrency_cancel: Generated<boolean>;
  /** How many jobs of its key may run at once; 0 for no limit. */
  max_parallel: Generated<number>;
  /** It waits for another job of its matrix (`max_parallel`), so no runner may take it. */
  is_held: Generated<boolean>;
  /** The other jobs of its matrix are cancelled when it fails. */
  fail_fast: Generated<boolean>;
  /** Its failure makes neither its run nor its matrix fail. */
  continue_on_error: Generated<boolean>;
  /** Null where the workflow does not say. */
  permissions: Json<ActionPermissions | null>;
  started_at: Generated<number>;
  stopped_at: Generated<number>;
  created_at: number;
  /** The last change of its status: waiting jobs are taken in this order. */
  updated_at: number;
}

/** Attempts of runners at jobs. */
export interface ActionTasksTable {
  id: Generated<number>;
  job_id: number;
  attempt: number;
  /** No foreign key: tasks stay when their runner is deleted. */
  runner_id: number;
  repository_id: number;
  owner_id: number;
  commit_sha: string;
  is_fork_pull_request: Generated<boolean>;
  status: ActionStatus;
  /** Its runner has reported on it: so the runner received it. */
  has_reported: Generated<boolean>;
  /** SHA-256 of the job's token. */
  token_hash: string;
  /** The storage key of its log; empty before there is one. */
  log_key: Generated<string>;
  /** The log is complete, and one blob. */
  log_in_storage: Generated<boolean>;
  log_lines: Generated<number>;
  log_size: Generated<number>;
  /** The offset of each line, as varints. */
  log_indexes: Generated<Uint8Array | null>;
  log_expired: Generated<boolean>;
  started_at: Generated<number>;
  stopped_at: Generated<number>;
  created_at: number;
  /** The last report of its runner. */
  updated_at: number;
}

/** Steps of tasks. */
export interface ActionTaskStepsTable {
  id: Generated<number>;
  task_id: number;
  repository_id: number;
  /** Counts from 0. */
  number: number;
  name: string;
  status: ActionStatus;
  /** Its first line in the log of the task. */
  log_index: Generated<number>;
  log_length: Generated<number>;
  started_at: Generated<number>;
  stopped_at: Generated<number>;
}

/** Outputs of jobs for the jobs that need them. */
export interface ActionTaskOutputsTable {
  task_id: number;
  name: string;
  value: string;
}

export interface ActionTables {
  action_run_counters: ActionRunCountersTable;
  action_disabled_workflows: ActionDisabledWorkflowsTable;
  action_events: ActionEventsTable;
  action_repositories: ActionRepositoriesTable;
  action_runs: ActionRunsTable;
  action_jobs: ActionJobsTable;
  action_tasks: ActionTasksTable;
  action_task_steps: ActionTaskStepsTable;
  action_task_outputs: ActionTaskOutputsTable;
}

export type ActionEvent = Selectable<ActionEventsTable>;
export type ActionRun = Selectable<ActionRunsTable>;
export type ActionJob = Selectable<ActionJobsTable>;
export type ActionTask = Selectable<ActionTasksTable>;
export type ActionTaskStep = Selectable<ActionTaskStepsTable>;
