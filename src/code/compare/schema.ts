import { array, define, int64, ref } from '../../http/schema.ts';
import { Commit } from '../commits/schema.ts';

/** The commits that one revision has and another does not. */
export const Compare = define(
  'Compare',
  {
    total_commits: int64({ description: 'How many commits the head has beyond the base.' }),
    commits: array(ref(Commit), { description: 'Those commits, the newest first.' }),
  },
  { description: 'The difference between two revisions.' },
);
