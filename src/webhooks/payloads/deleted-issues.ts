import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Events } from '../../events/events.ts';
import { findIssuesById, type Issue } from '../../issues/find.ts';
import { findPullOfIssue } from '../../pulls/find.ts';
import { presentPull } from '../../pulls/present.ts';
import { tell } from '../deliveries/tell.ts';
import { presentMatter } from './issues.ts';
import { asSeenBy, doerOf, presentSender } from './people.ts';
import { audienceOfRepository, repositoryFor } from './repositories.ts';

/** Tells of an issue or a pull request that goes, within the transaction: afterwards there is nothing left to tell of. */
export async function tellOfDeletedIssue({ issueId, doerId }: Events['issue.deleting'], context: Context): Promise<void> {
  const issue = (await findIssuesById(context.db, [issueId])).get(issueId);
  if (!issue) return;
  const payload = async () => {
    const doer = await doerOf(context, doerId);
    return {
      action: 'deleted',
      number: issue.number,
      ...(await lastLook(context, issue, doer)),
      repository: await repositoryFor({ ...context, doer: null }, issue.repository, doer),
      sender: presentSender(context, doer),
      commit_id: '',
      ...(issue.is_pull && { review: null }),
    };
  };
  const news = { event: issue.is_pull ? 'pull_request' : 'issues', payload } as const;
  await tell(context, await audienceOfRepository(context, issue.repository), news);
}

/** Clients know an issue as its author sees it, a pull request as whoever deletes it does: in full, as it cannot be completed later. */
async function lastLook(context: Context, issue: Issue, doer: User) {
  if (!issue.is_pull) return presentMatter(context, issue, await doerOf(context, issue.author_id));
  const pull = await findPullOfIssue(context.db, issue);
  return { pull_request: pull ? await presentPull(asSeenBy(context, doer), pull) : null, requested_reviewer: null };
}
