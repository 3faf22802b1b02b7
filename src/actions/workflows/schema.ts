import { array, define, defineOption, int64, map, ref, string, timestamp } from '../../http/schema.ts';

/** A workflow on the wire. */
export const ActionWorkflow = define(
  'ActionWorkflow',
  {
    id: string({ description: 'The name of its file.' }),
    name: string({ description: 'What it calls itself, or the name of its file.' }),
    path: string({ description: 'Its file.' }),
    state: string({ description: '`active` or `disabled_manually`.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
    url: string({ goName: 'URL', description: 'The API URL of the workflow.' }),
    html_url: string({ goName: 'HTMLURL', description: 'The page of its file.' }),
    badge_url: string({ goName: 'BadgeURL', description: 'A picture of its state.' }),
    deleted_at: timestamp(),
  },
  { description: 'A workflow.' },
);

/** All workflows of a repository. */
export const ActionWorkflowResponse = define(
  'ActionWorkflowResponse',
  { workflows: array(ref(ActionWorkflow)), total_count: int64({ description: 'How many there are.' }) },
  { description: 'Workflows.' },
);

/** What starts a workflow. */
export const CreateActionWorkflowDispatch = defineOption(
  'CreateActionWorkflowDispatch',
  {
    ref: string({ description: 'The branch, or the full name of a branch or tag.', example: 'refs/heads/main' }),
    inputs: map(string(), { description: 'What the workflow is given, by the names that it declares.' }),
  },
  { required: ['ref'], description: 'The start of a workflow.' },
);

/** The run that was started. */
export const RunDetails = define(
  'RunDetails',
  {
    workflow_run_id: int64({ description: 'The id of the run.' }),
    run_url: string({ goName: 'RunURL', description: 'The API URL of the run.' }),
    html_url: string({ goName: 'HTMLURL', description: 'Its page.' }),
  },
  { description: 'A run that was started.' },
);
