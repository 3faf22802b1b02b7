import { User } from '../../accounts/users/schema.ts';
import type { ReviewType } from '../../database/tables/pulls.ts';
import { array, boolean, define, defineOption, int64, nullable, oneOf, ref, string, timestamp } from '../../http/schema.ts';
import { Team } from '../../organizations/teams/schema.ts';

/** The states of reviews on the wire. */
export const STATES = {
  approve: 'APPROVED',
  pending: 'PENDING',
  comment: 'COMMENT',
  reject: 'REQUEST_CHANGES',
  request: 'REQUEST_REVIEW',
} as const satisfies Record<ReviewType, string>;

const ALL_STATES = Object.values(STATES);
const NEW_LINE = 'The number of the line on the side of the head, or 0.';
const OLD_LINE = 'The number of the line on the side of the base, or 0.';

/** A review of a pull request, or a request for one. */
export const PullReview = define('PullReview', {
  id: int64({ description: 'The id of the review.' }),
  user: nullable(ref(User, { goName: 'Reviewer' })),
  team: nullable(ref(Team, { goName: 'ReviewerTeam' })),
  state: oneOf(ALL_STATES, { description: 'What it says.' }),
  body: string({ description: 'The text, in Markdown.' }),
  commit_id: string({ description: 'The commit that was reviewed.' }),
  stale: boolean({ description: 'The changes are others since.' }),
  official: boolean({ description: 'It counts towards the approvals that the base branch wants.' }),
  dismissed: boolean({ description: 'It was taken out of the count.' }),
  comments_count: int64({ goName: 'CodeCommentsCount', description: 'How many lines of code it comments on.' }),
  submitted_at: timestamp({ goName: 'Submitted', description: 'When it was written.' }),
  updated_at: timestamp({ goName: 'Updated', description: 'When it was last changed.' }),
  html_url: string({ goName: 'HTMLURL', description: 'Where the page shows it.' }),
  pull_request_url: string({ goName: 'HTMLPullURL', description: 'The page of the pull request.' }),
});

/** A comment of a review, on a line of code. */
export const PullReviewComment = define('PullReviewComment', {
  id: int64({ description: 'The id of the comment.' }),
  body: string({ description: 'The text, in Markdown.' }),
  user: nullable(ref(User, { goName: 'Poster' })),
  resolver: nullable(ref(User)),
  pull_request_review_id: int64({ goName: 'ReviewID', description: 'The review that it belongs to.' }),
  created_at: timestamp({ goName: 'Created', description: 'When it was written.' }),
  updated_at: timestamp({ goName: 'Updated', description: 'When it was last changed.' }),
  path: string({ description: 'The file.' }),
  commit_id: string({ description: 'The commit that last changed the line.' }),
  original_commit_id: string({ goName: 'OrigCommitID', description: 'The commit that it came from where it was migrated from.' }),
  diff_hunk: string({ description: 'The piece of the difference that ends with the line.' }),
  position: int64({ format: 'uint64', goName: 'LineNum', description: NEW_LINE }),
  original_position: int64({ format: 'uint64', goName: 'OldLineNum', description: OLD_LINE }),
  html_url: string({ goName: 'HTMLURL', description: 'Where the page shows it.' }),
  pull_request_url: string({ goName: 'HTMLPullURL', description: 'The page of the pull request.' }),
});

/** A new comment on a line of code, as part of a review. */
export const CreatePullReviewComment = defineOption('CreatePullReviewComment', {
  path: string({ description: 'The file.' }),
  body: string({ description: 'The text, in Markdown.' }),
  old_position: int64({ goName: 'OldLineNum', description: OLD_LINE }),
  new_position: int64({ goName: 'NewLineNum', description: NEW_LINE }),
});

/** Any other word makes a review pending, so it is described but not validated. */
const event = string({ enum: ALL_STATES, description: 'What the review says; it stays pending without.' });

/** A new review. */
export const CreatePullReviewOptions = defineOption('CreatePullReviewOptions', {
  event,
  body: string({ description: 'The text, in Markdown.' }),
  commit_id: string({ description: 'The commit that was reviewed; the head when left out.' }),
  comments: array(ref(CreatePullReviewComment), { description: 'Comments on lines of code.' }),
});

/** How a pending review is submitted. */
export const SubmitPullReviewOptions = defineOption('SubmitPullReviewOptions', {
  event,
  body: string({ description: 'The text, in Markdown.' }),
});

/** Why a review is dismissed. */
export const DismissPullReviewOptions = defineOption('DismissPullReviewOptions', {
  message: string({ description: 'The reason.' }),
  priors: boolean({ description: 'Dismiss the earlier reviews of the same reviewer, too.' }),
});

/** The reviewers to request or to remove. */
export const PullReviewRequestOptions = defineOption('PullReviewRequestOptions', {
  reviewers: array(string(), { description: 'Names or e-mail addresses of users.' }),
  team_reviewers: array(string(), { description: 'Names of teams of the organization that owns the repository.' }),
});
