import { array, boolean, define, int64, nullable, ref, string } from '../../http/schema.ts';
import { PayloadCommit } from '../commits/schema.ts';

/** A branch with its newest commit and what protects it. */
export const Branch = define(
  'Branch',
  {
    name: string({ description: 'The name of the branch.' }),
    commit: nullable(ref(PayloadCommit)),
    protected: boolean({ description: 'Whether a protection holds for the branch.' }),
    required_approvals: int64({ description: 'How many approvals a merge into it needs.' }),
    enable_status_check: boolean({ description: 'Whether a merge waits for checks.' }),
    status_check_contexts: array(string(), { description: 'The checks that have to succeed.' }),
    user_can_push: boolean({ description: 'Whether the caller may push to it.' }),
    user_can_merge: boolean({ description: 'Whether the caller may merge into it.' }),
    effective_branch_protection_name: string({ description: 'The rule of the protection, for administrators of the repository.' }),
  },
  { description: 'A branch.' },
);
