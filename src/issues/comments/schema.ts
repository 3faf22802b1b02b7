import { User } from '../../accounts/users/schema.ts';
import { array, define, defineOption, int64, nullable, ref, string, timestamp } from '../../http/schema.ts';
import { Attachment } from '../attachments/schema.ts';

/** A comment on an issue or a pull request. */
export const Comment = define('Comment', {
  id: int64({ description: 'The id of the comment.' }),
  html_url: string({ goName: 'HTMLURL', description: 'Where the page shows it.' }),
  pull_request_url: string({ goName: 'PRURL', description: 'The page of the pull request; empty for an issue.' }),
  issue_url: string({ description: 'The page of the issue; empty for a pull request.' }),
  user: nullable(ref(User)),
  original_author: string({ description: 'Who wrote it where it was migrated from.' }),
  original_author_id: int64({ description: 'The id of that author there.' }),
  body: string({ description: 'The text, in Markdown.' }),
  assets: array(ref(Attachment), { goName: 'Attachments', description: 'Its files.' }),
  created_at: timestamp({ goName: 'Created', description: 'When it was written.' }),
  updated_at: timestamp({ goName: 'Updated', description: 'When it was last changed.' }),
});

/** The text of a new comment. */
export const CreateIssueCommentOption = defineOption(
  'CreateIssueCommentOption',
  { body: string({ description: 'The text, in Markdown.' }) },
  { required: ['body'] },
);

/** The new text of a comment. */
export const EditIssueCommentOption = defineOption(
  'EditIssueCommentOption',
  { body: string({ description: 'The text, in Markdown.' }) },
  { required: ['body'] },
);
