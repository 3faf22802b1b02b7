import { define, defineOption, int64, nullable, ref, string, timestamp } from '../../http/schema.ts';
import { Issue } from '../schema.ts';

/** Time that a user spent on an issue. */
export const TrackedTime = define('TrackedTime', {
  id: int64({ description: 'The id of the entry.' }),
  created: timestamp({ description: 'When the work was done.' }),
  time: int64({ description: 'Seconds.' }),
  user_id: int64({ description: 'The id of the user who did the work; use user_name.' }),
  user_name: string({ description: 'The name of the user who did the work.' }),
  issue_id: int64({ description: 'The id of the issue; use issue.' }),
  issue: nullable(ref(Issue)),
});

/** Time to log. */
export const AddTimeOption = defineOption(
  'AddTimeOption',
  {
    time: int64({ description: 'Seconds.' }),
    created: timestamp({ description: 'When the work was done; now when left out.' }),
    user_name: string({ goName: 'User', description: 'Who did it; for administrators.' }),
  },
  { required: ['time'] },
);
