import { branchRule } from '../../../code/protections/rules.ts';
import { latestStatuses } from '../../../code/statuses/statuses.ts';
import type { Context } from '../../../context.ts';
import type { CommitStatusRow } from '../../../database/tables/code.ts';
import { isDraftTitle } from '../../../issues/present.ts';
import type { Pull } from '../../../pulls/find.ts';
import { type Blocker, blockers } from '../../../pulls/merge/blockers.ts';

/** The merge requirements of a pull request, for the summary and the box of its page. */
export interface MergeFacts {
  readonly isDraft: boolean;
  /** The latest report of each check. */
  readonly statuses: readonly CommitStatusRow[];
  /** The unmet requirements of the base's protection rule. */
  readonly blockers: readonly Blocker[];
}

/** Reads the {@link MergeFacts}. */
export async function mergeFacts(context: Context, pull: Pull): Promise<MergeFacts> {
  const { repository, title, is_closed: isClosed } = pull.issue;
  const statuses = await latestStatuses(context, repository, pull.head_id);
  const isDraft = isDraftTitle(context.settings.pulls.workInProgressPrefixes, title);
  const rule =
    isClosed || pull.status === 'checking' || pull.status === 'error' ? undefined : await branchRule(context, repository, pull.base_branch);
  return { isDraft, statuses, blockers: rule ? await Array.fromAsync(blockers(context, pull, rule)) : [] };
}
