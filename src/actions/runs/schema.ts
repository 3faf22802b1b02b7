import { User } from '../../accounts/users/schema.ts';
import { array, define, int64, optional, ref, string, timestamp } from '../../http/schema.ts';
import { Repository } from '../../repositories/schema.ts';

const status = () => string({ description: '`queued`, `waiting`, `in_progress` or `completed`.' });
const conclusion = () => optional(string({ description: 'Once completed: `success`, `failure`, `cancelled` or `skipped`.' }));

/** A run on the wire. */
export const ActionWorkflowRun = define(
  'ActionWorkflowRun',
  {
    id: int64({ description: 'The id of the run.' }),
    url: string({ goName: 'URL', description: 'The API URL of the run.' }),
    html_url: string({ goName: 'HTMLURL', description: 'Its page.' }),
    display_title: string({ description: 'The title: the result of `run-name`, or that of the commit.' }),
    path: string({ description: 'The workflow file, and the ref after an `@`.' }),
    event: string({ description: 'The event that started it.' }),
    run_attempt: int64(),
    run_number: int64({ description: 'Counts the runs of the repository.' }),
    repository_id: optional(int64()),
    head_sha: string({ description: 'The commit.' }),
    head_branch: optional(string({ description: 'The branch, if it is for one.' })),
    status: status(),
    actor: optional(ref(User)),
    trigger_actor: optional(ref(User)),
    repository: optional(ref(Repository)),
    head_repository: optional(ref(Repository)),
    conclusion: conclusion(),
    started_at: timestamp(),
    completed_at: timestamp(),
  },
  { description: 'A run of a workflow.' },
);

/** A page of runs. */
export const ActionWorkflowRunsResponse = define(
  'ActionWorkflowRunsResponse',
  {
    workflow_runs: array(ref(ActionWorkflowRun), { goName: 'Entries' }),
    total_count: int64({ description: 'How many there are on all pages.' }),
  },
  { description: 'Runs of workflows.' },
);

/** A step of a job on the wire. */
export const ActionWorkflowStep = define(
  'ActionWorkflowStep',
  {
    name: string({ description: 'What it is called.' }),
    number: int64({ description: 'Counts from 0.' }),
    status: status(),
    conclusion: conclusion(),
    started_at: timestamp(),
    completed_at: timestamp(),
  },
  { description: 'A step of a job.' },
);

/** A job on the wire. */
export const ActionWorkflowJob = define(
  'ActionWorkflowJob',
  {
    id: int64({ description: 'The id of the job.' }),
    url: string({ goName: 'URL', description: 'The API URL of the job.' }),
    html_url: string({ goName: 'HTMLURL', description: 'Its page.' }),
    run_id: int64({ description: 'The id of its run.' }),
    run_url: string({ goName: 'RunURL', description: 'The API URL of its run.' }),
    name: string({ description: 'Its name, with the values of its matrix.' }),
    labels: array(string(), { description: 'What a runner needs to have to take it.' }),
    run_attempt: int64({ description: 'How often a runner took it.' }),
    head_sha: string({ description: 'The commit.' }),
    head_branch: optional(string({ description: 'The branch, if it is for one.' })),
    status: status(),
    conclusion: conclusion(),
    runner_id: optional(int64()),
    runner_name: optional(string()),
    steps: array(ref(ActionWorkflowStep)),
    created_at: timestamp(),
    started_at: timestamp(),
    completed_at: timestamp(),
  },
  { description: 'A job of a run.' },
);

/** A page of jobs. */
export const ActionWorkflowJobsResponse = define(
  'ActionWorkflowJobsResponse',
  {
    jobs: array(ref(ActionWorkflowJob), { goName: 'Entries' }),
    total_count: int64({ description: 'How many there are on all pages.' }),
  },
  { description: 'Jobs of runs.' },
);

/** A task on the wire. */
export const ActionTask = define(
  'ActionTask',
  {
    id: int64({ description: 'The id of the task.' }),
    name: string({ description: 'The name of the job.' }),
    head_branch: string({ description: 'The branch or tag, or the number of the pull request after a `#`.' }),
    head_sha: string({ description: 'The commit.' }),
    run_number: int64({ description: 'The number of the run.' }),
    event: string({ description: 'The event that started the run.' }),
    display_title: string({ description: 'The title of the run.' }),
    status: string({ description: 'What has become of it.' }),
    workflow_id: string({ description: 'The workflow file.' }),
    url: string({ goName: 'URL', description: 'The page of the run.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
    run_started_at: timestamp(),
  },
  { description: 'An attempt of a runner at a job.' },
);

/** A page of tasks. */
export const ActionTaskResponse = define(
  'ActionTaskResponse',
  {
    workflow_runs: array(ref(ActionTask), { goName: 'Entries' }),
    total_count: int64({ description: 'How many there are on all pages.' }),
  },
  { description: 'Attempts of runners at jobs.' },
);
