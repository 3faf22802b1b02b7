import { defineOption, string } from '../../http/schema.ts';

/** Why a conversation is locked. */
export const LockIssueOption = defineOption('LockIssueOption', {
  lock_reason: string({ goName: 'Reason', description: 'The reason, shown in the timeline.', maxLength: 4096 }),
});
