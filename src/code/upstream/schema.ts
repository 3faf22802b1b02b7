import { boolean, define, defineOption, string } from '../../http/schema.ts';

/** What a fork shall take over. */
export const MergeUpstreamRequest = defineOption(
  'MergeUpstreamRequest',
  {
    branch: string({ description: 'the branch of the fork' }),
    ff_only: boolean({ description: 'refuse where that needs a merge commit' }),
  },
  { description: 'What a fork takes over from its source.' },
);

/** What became of it. */
export const MergeUpstreamResponse = define(
  'MergeUpstreamResponse',
  { merge_type: string({ goName: 'MergeStyle', description: 'up-to-date, fast-forward or merge' }) },
  { description: 'How a fork has taken over what its source had new.' },
);
