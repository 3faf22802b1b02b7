import type { Context } from '../../context.ts';
import type { Events } from '../../events/events.ts';
import { findIssuesById } from '../../issues/find.ts';
import { tell } from '../deliveries/tell.ts';
import { presentMatter } from './issues.ts';
import { doerOf, presentSender } from './people.ts';
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
      // Clients know an issue as its author sees it, a pull request as whoever deletes it does.
      ...(await presentMatter(context, issue, issue.is_pull ? doer : await doerOf(context, issue.author_id))),
      repository: await repositoryFor({ ...context, doer: null }, issue.repository, doer),
      sender: presentSender(context, doer),
      commit_id: '',
      ...(issue.is_pull && { review: null }),
    };
  };
  const news = { event: issue.is_pull ? 'pull_request' : 'issues', payload } as const;
  await tell(context, await audienceOfRepository(context, issue.repository), { eventId: null }, news);
}
