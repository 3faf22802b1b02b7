import { User } from '../../accounts/users/schema.ts';
import { boolean, define, int64, nullable, ref, string, timestamp } from '../../http/schema.ts';
import { Team } from '../../organizations/teams/schema.ts';
import { Comment } from '../comments/schema.ts';
import { Label } from '../labels/schema.ts';
import { Milestone } from '../milestones/schema.ts';
import { Issue } from '../schema.ts';
import { TrackedTime } from '../times/schema.ts';

/** A row of a timeline: a comment, or another event of the issue. */
export const TimelineComment = define('TimelineComment', {
  id: int64({ description: 'The id of the row; comments count in the same sequence.' }),
  type: string({ description: 'What happened.' }),
  html_url: string({ goName: 'HTMLURL', description: 'Where the page shows it.' }),
  pull_request_url: string({ goName: 'PRURL', description: 'The page of the pull request; empty for an issue.' }),
  issue_url: string({ description: 'The page of the issue; empty for a pull request.' }),
  user: nullable(ref(User)),
  body: string({ description: 'The text of a comment, or the event in words.' }),
  created_at: timestamp({ goName: 'Created', description: 'When it happened.' }),
  updated_at: timestamp({ goName: 'Updated', description: 'When it was last changed.' }),
  old_project_id: int64({ description: 'The project that it was in.' }),
  project_id: int64({ description: 'The project that it came into.' }),
  old_milestone: nullable(ref(Milestone)),
  milestone: nullable(ref(Milestone)),
  tracked_time: nullable(ref(TrackedTime)),
  old_title: string({ description: 'The title before.' }),
  new_title: string({ description: 'The title afterwards.' }),
  old_ref: string({ description: 'The branch or tag before.' }),
  new_ref: string({ description: 'The branch or tag afterwards.' }),
  ref_issue: nullable(ref(Issue)),
  ref_comment: nullable(ref(Comment)),
  ref_action: string({ description: 'What the reference does: none, closes, reopens, or neutered when it is no longer made.' }),
  ref_commit_sha: string({ goName: 'RefCommitSHA', description: 'The commit that refers to the issue.' }),
  review_id: int64({ description: 'The review that it belongs to.' }),
  label: nullable(ref(Label)),
  assignee: nullable(ref(User)),
  assignee_team: nullable(ref(Team)),
  removed_assignee: boolean({ description: 'The assignee went, not came.' }),
  resolve_doer: nullable(ref(User)),
  dependent_issue: nullable(ref(Issue)),
});
