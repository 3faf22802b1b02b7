import { boolean, define, int64, nullable, oneOf, ref, string, timestamp } from '../http/schema.ts';
import { Repository } from '../repositories/schema.ts';

/** The subject of a notification. */
export const NotificationSubject = define('NotificationSubject', {
  title: string({ description: 'The title of the issue, the id of the commit or the name of the repository.' }),
  url: string({ description: 'The API URL of the subject.' }),
  latest_comment_url: string({ description: 'The API URL of the last comment.' }),
  html_url: string({ goName: 'HTMLURL', description: 'The page.' }),
  latest_comment_html_url: string({ goName: 'LatestCommentHTMLURL', description: 'Where the page shows the last comment.' }),
  type: oneOf(['Issue', 'Pull', 'Commit', 'Repository'], { description: 'What it is.' }),
  state: string({ enum: ['open', 'closed', 'merged', ''], description: 'Its state; empty for subjects without one.' }),
});

/** A notification thread. */
export const NotificationThread = define('NotificationThread', {
  id: int64({ description: 'The id of the thread.' }),
  repository: nullable(ref(Repository)),
  subject: nullable(ref(NotificationSubject)),
  unread: boolean({ description: 'It has not been read.' }),
  pinned: boolean({ description: 'It is pinned to the top.' }),
  updated_at: timestamp({ description: 'When it was last updated.' }),
  url: string({ description: 'The API URL of the thread.' }),
});

/** The number of unread notifications. */
export const NotificationCount = define('NotificationCount', { new: int64({ description: 'Unread threads.' }) });
