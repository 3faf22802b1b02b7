import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Events } from '../../events/events.ts';
import { findIssuesById, type Issue } from '../../issues/find.ts';
import { findPullOfIssue } from '../../pulls/find.ts';
import { presentPull } from '../../pulls/present.ts';
import { enqueueDeliveries } from '../deliveries/enqueue.ts';
import { presentMatter } from './issues.ts';
import { actorOf, asSeenBy, presentSender } from './people.ts';
import { activeHooksOf, repositoryFor } from './repositories.ts';

/** Delivers a deleted issue or pull request. Within the transaction, since the payload cannot be built later. */
export async function enqueueDeletedIssue({ issueId, actorId }: Events['issue.deleting'], context: Context): Promise<void> {
  const issue = (await findIssuesById(context.db, [issueId])).get(issueId);
  if (!issue) return;
  const payload = async () => {
    const actor = await actorOf(context, actorId);
    return {
      action: 'deleted',
      number: issue.number,
      ...(await lastLook(context, issue, actor)),
      repository: await repositoryFor({ ...context, actor: null }, issue.repository, actor),
      sender: presentSender(context, actor),
      commit_id: '',
      ...(issue.is_pull && { review: null }),
    };
  };
  const delivery = { event: issue.is_pull ? 'pull_request' : 'issues', payload } as const;
  await enqueueDeliveries(context, { hooks: await activeHooksOf(context, issue.repository) }, delivery);
}

/** Clients expect an issue as its author sees it, and a pull request as the actor sees it: in full, as it cannot be completed later. */
async function lastLook(context: Context, issue: Issue, actor: User) {
  if (!issue.is_pull) return presentMatter(context, issue, await actorOf(context, issue.author_id));
  const pull = await findPullOfIssue(context.db, issue);
  return { pull_request: pull ? await presentPull(asSeenBy(context, actor), pull) : null, requested_reviewer: null };
}
