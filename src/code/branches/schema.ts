import { array, boolean, define, defineOption, int64, nullable, ref, string } from '../../http/schema.ts';
import { PayloadCommit } from '../commits/schema.ts';

/** A branch with its newest commit and its protection. */
export const Branch = define(
  'Branch',
  {
    name: string({ description: 'The name of the branch.' }),
    commit: nullable(ref(PayloadCommit)),
    protected: boolean({ description: 'Whether a protection holds for the branch.' }),
    required_approvals: int64({ description: 'How many approvals a merge into it needs.' }),
    enable_status_check: boolean({ description: 'Whether a merge waits for checks.' }),
    status_check_contexts: nullable(array(string(), { description: 'The checks that have to succeed.' })),
    user_can_push: boolean({ description: 'Whether the caller may push to it.' }),
    user_can_merge: boolean({ description: 'Whether the caller may merge into it.' }),
    effective_branch_protection_name: string({ description: 'The rule of the protection, for administrators of the repository.' }),
  },
  { description: 'A branch.' },
);

const refName = (description: string, goName?: string) =>
  string({ maxLength: 100, rule: 'GitRefName', description, ...(goName && { goName }) });

/** The options of a new branch. */
export const CreateBranchRepoOption = defineOption(
  'CreateBranchRepoOption',
  {
    new_branch_name: refName('The name of the new branch.', 'BranchName'),
    old_branch_name: refName('The branch to begin from. Deprecated: see `old_ref_name`.'),
    old_ref_name: refName('The branch, tag or commit to begin from; the default branch if left out.'),
  },
  { required: ['new_branch_name'], description: 'A new branch.' },
);

/** The commit that a branch is moved to. */
export const UpdateBranchRepoOption = defineOption(
  'UpdateBranchRepoOption',
  {
    new_commit_id: string({ maxLength: 1000, goName: 'NewCommitID', description: 'The new commit of the branch.' }),
    old_commit_id: string({ maxLength: 1000, goName: 'OldCommitID', description: 'The commit that it has to stand on now.' }),
    force: boolean({ description: 'Moves the branch even if commits get lost.' }),
  },
  { required: ['new_commit_id'], description: 'A new place for a branch.' },
);

/** The new name of a branch. */
export const RenameBranchRepoOption = defineOption(
  'RenameBranchRepoOption',
  { name: refName('The new name.') },
  { required: ['name'], description: 'A new name for a branch.' },
);
