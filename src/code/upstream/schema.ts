import { boolean, define, defineOption, string } from '../../http/schema.ts';

/** What to merge into a fork. */
export const MergeUpstreamRequest = defineOption(
  'MergeUpstreamRequest',
  {
    branch: string({ description: 'the branch of the fork' }),
    ff_only: boolean({ description: 'refuse where that needs a merge commit' }),
  },
  { description: 'What a fork takes over from its source.' },
);

/** The result of the merge. */
export const MergeUpstreamResponse = define(
  'MergeUpstreamResponse',
  { merge_type: string({ goName: 'MergeStyle', description: 'up-to-date, fast-forward or merge' }) },
  { description: 'How the new commits of the source were merged into the fork.' },
);
