import { User } from '../accounts/users/schema.ts';
import { array, boolean, define, defineOption, int64, nullable, oneOf, ref, string, timestamp } from '../http/schema.ts';
import { Attachment } from './attachments/schema.ts';
import { Label } from './labels/schema.ts';
import { Milestone } from './milestones/schema.ts';

/** The pull request of an issue. */
export const PullRequestMeta = define('PullRequestMeta', {
  merged: boolean({ goName: 'HasMerged', description: 'It has been merged.' }),
  merged_at: nullable(timestamp({ goName: 'Merged', description: 'When it was merged.' })),
  draft: boolean({ goName: 'IsWorkInProgress', description: 'Its title says that it is not ready.' }),
  html_url: string({ goName: 'HTMLURL', description: 'The page of the pull request.' }),
});

/** The repository of an issue. */
export const RepositoryMeta = define('RepositoryMeta', {
  id: int64({ description: 'The id of the repository.' }),
  name: string({ description: 'Its name.' }),
  owner: string({ description: 'The name of its owner.' }),
  full_name: string({ description: 'Owner and name.' }),
});

/** An issue or a pull request. */
export const Issue = define('Issue', {
  id: int64({ description: 'The id, unique on the instance.' }),
  url: string({ description: 'The API URL of the issue.' }),
  html_url: string({ goName: 'HTMLURL', description: 'The page.' }),
  number: int64({ goName: 'Index', description: 'The number in the repository.' }),
  user: nullable(ref(User)),
  original_author: string({ description: 'Who wrote it where it was migrated from.' }),
  original_author_id: int64({ description: 'The id of that author there.' }),
  title: string({ description: 'The title.' }),
  body: string({ description: 'The text, in Markdown.' }),
  ref: string({ description: 'The branch or tag that it is about.' }),
  assets: array(ref(Attachment), { goName: 'Attachments', description: 'Its files.' }),
  labels: array(ref(Label), { description: 'Its labels, by name.' }),
  milestone: nullable(ref(Milestone)),
  assignee: nullable(ref(User)),
  assignees: nullable(array(ref(User), { description: 'Who is to do it; null for nobody.' })),
  state: oneOf(['open', 'closed'], { description: 'Open or closed.' }),
  is_locked: boolean({ description: 'Only users with write access can comment.' }),
  comments: int64({ description: 'How many comments it has.' }),
  created_at: timestamp({ goName: 'Created', description: 'When it was opened.' }),
  updated_at: timestamp({ goName: 'Updated', description: 'When anything of it last changed.' }),
  closed_at: nullable(timestamp({ goName: 'Closed', description: 'When it was closed.' })),
  due_date: nullable(timestamp({ goName: 'Deadline', description: 'When it is due.' })),
  time_estimate: int64({ description: 'Seconds that it is thought to take.' }),
  pull_request: nullable(ref(PullRequestMeta)),
  repository: nullable(ref(RepositoryMeta, { goName: 'Repo' })),
  pin_order: int64({ description: 'The place among the pinned, from 1; 0 for not pinned.' }),
  content_version: int64({ description: 'Counts the changes of the text.' }),
});

/** Characters of the name of a branch or tag. */
const MAX_REF = 1024;

/** A new issue. Fields that need write access are ignored for callers without it. */
export const CreateIssueOption = defineOption(
  'CreateIssueOption',
  {
    title: string({ description: 'The title.' }),
    body: string({ description: 'The text, in Markdown.' }),
    ref: string({ maxLength: MAX_REF, description: 'The branch or tag that it is about.' }),
    assignee: string({ description: 'The name of the assignee; better use assignees.' }),
    assignees: array(string(), { description: 'The names of the assignees.' }),
    due_date: timestamp({ goName: 'Deadline', description: 'When it is due.' }),
    milestone: int64({ description: 'The id of the milestone.' }),
    labels: array(int64(), { description: 'The ids of the labels.' }),
    closed: boolean({ description: 'It is closed at once.' }),
  },
  { required: ['title'] },
);

/** The changes of an issue; missing fields stay. */
export const EditIssueOption = defineOption('EditIssueOption', {
  title: string({ description: 'The title.' }),
  body: string({ description: 'The text, in Markdown.' }),
  ref: string({ maxLength: MAX_REF, description: 'The branch or tag that it is about.' }),
  assignee: string({ description: 'The name of the assignee; better use assignees.' }),
  assignees: array(string(), { description: 'The names of the assignees, replacing the former ones; an empty list for none.' }),
  milestone: int64({ description: 'The id of the milestone; 0 for none.' }),
  state: string({ description: 'Open or closed.' }),
  due_date: timestamp({ goName: 'Deadline', description: 'The due date; it ends with that day.' }),
  unset_due_date: boolean({ goName: 'RemoveDeadline', description: 'It is not due any more.' }),
  content_version: int64({ description: 'The version that the change was made from; refused when it is not the present one.' }),
});

/** When an issue is due. */
export const IssueDeadline = define('IssueDeadline', {
  due_date: nullable(timestamp({ goName: 'Deadline', description: 'The end of the day.' })),
});

/** The new due date of an issue. */
export const EditDeadlineOption = defineOption(
  'EditDeadlineOption',
  { due_date: timestamp({ goName: 'Deadline', description: 'The day; null for none.' }) },
  { described: ['due_date'] },
);
