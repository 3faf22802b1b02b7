import { User } from '../accounts/users/schema.ts';
import { array, boolean, define, defineOption, int64, nullable, oneOf, optional, ref, string, timestamp } from '../http/schema.ts';
import { Label } from '../issues/labels/schema.ts';
import { Milestone } from '../issues/milestones/schema.ts';
import { Team } from '../organizations/teams/schema.ts';
import { Repository } from '../repositories/schema.ts';

/** One side of a pull request. */
export const PRBranchInfo = define('PRBranchInfo', {
  label: string({ goName: 'Name', description: 'The name of the branch.' }),
  ref: string({ description: 'The branch, or the ref that keeps its commits once it is deleted.' }),
  sha: string({ description: 'The commit that it is at.' }),
  repo_id: int64({ description: 'The id of its repository; -1 if that is deleted.' }),
  repo: nullable(ref(Repository)),
});

/** A pull request. */
export const PullRequest = define('PullRequest', {
  id: int64({ description: 'The id, unique on the instance.' }),
  url: string({ description: 'The page.' }),
  number: int64({ goName: 'Index', description: 'The number in the repository.' }),
  user: nullable(ref(User)),
  title: string({ description: 'The title.' }),
  body: string({ description: 'The text, in Markdown.' }),
  labels: array(ref(Label), { description: 'Its labels, by name.' }),
  milestone: nullable(ref(Milestone)),
  assignee: nullable(ref(User)),
  assignees: nullable(array(ref(User), { description: 'Who is to do it.' })),
  requested_reviewers: nullable(array(ref(User), { description: 'The users who are requested to review, or have reviewed.' })),
  requested_reviewers_teams: nullable(array(ref(Team), { description: 'The teams that are requested to review.' })),
  state: oneOf(['open', 'closed'], { description: 'Open or closed.' }),
  draft: boolean({ description: 'Its title says that it is not ready.' }),
  is_locked: boolean({ description: 'Only users with write access can comment.' }),
  comments: int64({ description: 'How many comments it has.' }),
  review_comments: optional(int64({ description: 'How many reviews it has.' })),
  additions: optional(int64({ description: 'Lines added; left out of lists.' })),
  deletions: optional(int64({ description: 'Lines removed; left out of lists.' })),
  changed_files: optional(int64({ description: 'How many files it changes; left out of lists.' })),
  html_url: string({ goName: 'HTMLURL', description: 'The page.' }),
  diff_url: string({ description: 'Where its changes are, as a diff.' }),
  patch_url: string({ description: 'Where its commits are, as mails.' }),
  mergeable: boolean({ description: 'Its changes fit, and it is not a draft.' }),
  merged: boolean({ goName: 'HasMerged', description: 'It has been merged.' }),
  merged_at: nullable(timestamp({ goName: 'Merged', description: 'When it was merged.' })),
  merge_commit_sha: nullable(string({ goName: 'MergedCommitID', description: 'The commit that it became.' })),
  merged_by: nullable(ref(User)),
  allow_maintainer_edit: boolean({ description: 'Who may write to the base may push to the head.' }),
  base: nullable(ref(PRBranchInfo)),
  head: nullable(ref(PRBranchInfo)),
  merge_base: string({ description: 'The commit from which on its changes are shown.' }),
  due_date: nullable(timestamp({ goName: 'Deadline', description: 'When it is due.' })),
  created_at: nullable(timestamp({ goName: 'Created', description: 'When it was opened.' })),
  updated_at: nullable(timestamp({ goName: 'Updated', description: 'When anything of it last changed.' })),
  closed_at: nullable(timestamp({ goName: 'Closed', description: 'When it was closed.' })),
  pin_order: int64({ description: 'The place among the pinned, from 1; 0 for not pinned.' }),
  content_version: int64({ description: 'Counts the changes of the text.' }),
});

/** A new pull request. */
export const CreatePullRequestOption = defineOption(
  'CreatePullRequestOption',
  {
    head: string({ description: 'The branch with the changes: branch, owner:branch or owner/repository:branch.' }),
    base: string({ description: 'The branch that it is to be merged into.' }),
    title: string({ description: 'The title.' }),
    body: string({ description: 'The text, in Markdown.' }),
    assignee: string({ description: 'The name of the assignee; better use assignees.' }),
    assignees: array(string(), { description: 'The names of the assignees.' }),
    milestone: int64({ description: 'The id of the milestone.' }),
    labels: array(int64(), { description: 'The ids of the labels.' }),
    due_date: timestamp({ goName: 'Deadline', description: 'When it is due.' }),
    reviewers: array(string(), { description: 'The names, or e-mail addresses, of the requested reviewers.' }),
    team_reviewers: array(string(), { description: 'The names of the teams that are requested to review.' }),
    allow_maintainer_edit: boolean({ description: 'Who may write to the base may push to the head.' }),
  },
  { required: ['head', 'base', 'title'], described: [] },
);

/** The changes of a pull request; missing fields stay. */
export const EditPullRequestOption = defineOption('EditPullRequestOption', {
  title: string({ description: 'The title.' }),
  body: string({ description: 'The text, in Markdown.' }),
  base: string({ description: 'The branch that it is to be merged into.' }),
  assignee: string({ description: 'The name of the assignee; better use assignees.' }),
  assignees: array(string(), { description: 'The names of the assignees, replacing the former ones; an empty list for none.' }),
  milestone: int64({ description: 'The id of the milestone.' }),
  labels: array(int64(), { description: 'The ids of the labels, instead of those before.' }),
  state: string({ description: 'Open or closed.' }),
  due_date: timestamp({ goName: 'Deadline', description: 'The due date; it ends with that day.' }),
  unset_due_date: boolean({ goName: 'RemoveDeadline', description: 'It is not due any more.' }),
  allow_maintainer_edit: boolean({ description: 'Who may write to the base may push to the head.' }),
  content_version: int64({ description: 'The version that the change was made from; refused when it is not the present one.' }),
});
