import { boolean, define } from '../../http/schema.ts';

/** Whether one more can be pinned. */
export const NewIssuePinsAllowed = define('NewIssuePinsAllowed', {
  issues: boolean({ description: 'One more issue.' }),
  pull_requests: boolean({ description: 'One more pull request.' }),
});
