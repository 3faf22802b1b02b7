import { any, boolean, define, string, timestamp } from '../../http/schema.ts';

export const WatchInfo = define(
  'WatchInfo',
  {
    subscribed: boolean(),
    ignored: boolean(),
    reason: any(),
    created_at: timestamp(),
    url: string(),
    repository_url: string(),
  },
  { description: 'How the caller watches a repository.' },
);
