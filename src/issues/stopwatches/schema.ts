import { define, int64, string, timestamp } from '../../http/schema.ts';

/** A running stopwatch. */
export const StopWatch = define('StopWatch', {
  created: timestamp({ description: 'When it was started.' }),
  seconds: int64({ description: 'How long it has been running.' }),
  duration: string({ description: 'The same in words.' }),
  issue_index: int64({ description: 'The number of the issue.' }),
  issue_title: string({ description: 'The title of the issue.' }),
  repo_owner_name: string({ description: 'The owner of the repository.' }),
  repo_name: string({ description: 'The name of the repository.' }),
});
