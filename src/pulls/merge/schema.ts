import { boolean, defineOption, string } from '../../http/schema.ts';

/** The merge styles, as in the API. */
export const MERGE_STYLES = ['merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only', 'manually-merged'] as const;

/** How to merge a pull request. */
export const MergePullRequestOption = defineOption(
  'MergePullRequestOption',
  {
    do: string({ enum: MERGE_STYLES, rule: 'In', allowed: MERGE_STYLES, goName: 'Do', description: 'The way to merge.' }),
    merge_title_field: string({ description: 'The first line of the commit’s message; a default when left out.' }),
    merge_message_field: string({ description: 'The rest of the commit’s message.' }),
    merge_commit_id: string({
      goName: 'MergeCommitID',
      description: 'For `manually-merged`: the commit of the base branch that merged it.',
    }),
    head_commit_id: string({ goName: 'HeadCommitID', description: 'The commit that the head has to be at.' }),
    force_merge: boolean({ description: 'Bypass protections, if administrators may.' }),
    merge_when_checks_succeed: boolean({ description: 'Merge as soon as the checks have succeeded.' }),
    delete_branch_after_merge: boolean({ description: 'Delete the head branch; as the repository has it when left out.' }),
    // Older clients write these without underscores.
    MergeTitleField: string({ undescribed: true }),
    MergeMessageField: string({ undescribed: true }),
    MergeCommitID: string({ undescribed: true }),
  },
  { required: ['do'], description: 'How a pull request is to be merged.' },
);
