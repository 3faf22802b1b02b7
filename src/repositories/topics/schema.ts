import { array, define, defineOption, int64, string, timestamp } from '../../http/schema.ts';

export const TopicName = define('TopicName', { topics: array(string(), { goName: 'TopicNames' }) }, { description: 'Topics by name.' });

export const TopicResponse = define(
  'TopicResponse',
  {
    id: int64(),
    topic_name: string({ goName: 'Name' }),
    repo_count: int64({ description: 'repositories with it' }),
    created: timestamp(),
    updated: timestamp(),
  },
  { description: 'A topic of any repository.' },
);

export const RepoTopicOptions = defineOption(
  'RepoTopicOptions',
  { topics: array(string(), { description: 'names; all others are taken away' }) },
  { description: 'The topics of a repository.' },
);
