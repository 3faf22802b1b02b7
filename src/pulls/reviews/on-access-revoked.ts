import { type Context, inTransaction } from '../../context.ts';
import type { Events, StoredEvent } from '../../events/events.ts';
import { removeAttachments } from '../../issues/attachments/remove.ts';
import { changingIssue } from '../../issues/find.ts';
import { recheckAccess } from '../../repositories/recheck-access.ts';
import { type Pull, withIssues } from '../find.ts';
import { takeBack } from './requests.ts';

type Reduced = StoredEvent<'access.reduced'>;

/** Removes review requests for users and teams who no longer see the pull requests. */
export async function withdrawRevokedRequests({ payload }: Reduced, context: Context): Promise<void> {
  const links = context.db
    .selectFrom('reviews')
    .innerJoin('issues', 'issues.id', 'reviews.issue_id')
    .select(['reviews.reviewer_id as user_id', 'issues.repository_id'])
    .where('reviews.type', '=', 'request')
    .where('reviews.reviewer_id', 'is not', null)
    .$narrowType<{ user_id: number }>();
  await recheckAccess(context, payload, links, async (repository, linked) => {
    for (const { user, access } of linked) {
      if (access.canRead('pulls')) continue;
      const pulls = await pullsWith(context, { reviewer_id: user.id }, repository.id);
      await inTransaction(context, async (context) => {
        for (const pull of pulls) await takeBackIn(context, pull, { users: [user], teams: [] });
      });
    }
  });
  await withdrawRevokedTeamRequests(context, payload);
}

async function withdrawRevokedTeamRequests(context: Context, { ownerId, repositoryId }: Events['access.reduced']): Promise<void> {
  // Teams keep their access when single users lose theirs everywhere.
  if (ownerId === undefined) return;
  const rows = await context.db
    .selectFrom('reviews')
    .innerJoin('issues', 'issues.id', 'reviews.issue_id')
    .innerJoin('repositories', 'repositories.id', 'issues.repository_id')
    .innerJoin('teams', 'teams.id', 'reviews.reviewer_team_id')
    .leftJoin('team_repositories', (join) =>
      join.onRef('team_repositories.team_id', '=', 'teams.id').onRef('team_repositories.repository_id', '=', 'repositories.id'),
    )
    .selectAll('teams')
    .select('repositories.id as repository_id')
    .where('reviews.type', '=', 'request')
    .where('repositories.owner_id', '=', ownerId)
    .where('repositories.is_private', '=', true)
    .where('team_repositories.team_id', 'is', null)
    .$if(repositoryId !== undefined, (query) => query.where('repositories.id', '=', repositoryId ?? 0))
    .execute();
  for (const { repository_id: id, ...team } of rows) {
    const pulls = await pullsWith(context, { reviewer_team_id: team.id }, id);
    await inTransaction(context, async (context) => {
      for (const pull of pulls) await takeBackIn(context, pull, { users: [], teams: [team] });
    });
  }
}

async function takeBackIn(context: Context, pull: Pull, requested: Parameters<typeof takeBack>[2]): Promise<void> {
  await changingIssue(context, pull.issue, (context, issue) => takeBack(context, { ...pull, issue }, requested));
}

async function pullsWith(
  { db }: Context,
  of: { reviewer_id: number } | { reviewer_team_id: number },
  repositoryId: number,
): Promise<Pull[]> {
  const rows = await db
    .selectFrom('pull_requests')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('issue_id', 'in', (reviews) => {
      const requests = reviews.selectFrom('reviews').select('issue_id').where('type', '=', 'request');
      return 'reviewer_id' in of
        ? requests.where('reviewer_id', '=', of.reviewer_id)
        : requests.where('reviewer_team_id', '=', of.reviewer_team_id);
    })
    .execute();
  return withIssues(db, rows);
}

/** Deletes the review requests of a deleted account, and its pending reviews. */
export async function endUnfinishedReviews({ userId }: Events['user.deleting'], context: Context): Promise<void> {
  const { db } = context;
  const drafts = db.selectFrom('reviews').select('id').where('reviewer_id', '=', userId).where('type', '=', 'pending');
  const comments = await db.selectFrom('comments').select('id').where('review_id', 'in', drafts).execute();
  for (const { id } of comments) await removeAttachments(context, { comment_id: id });
  await db.deleteFrom('comments').where('review_id', 'in', drafts).execute();
  await db.deleteFrom('reviews').where('reviewer_id', '=', userId).where('type', 'in', ['pending', 'request']).execute();
}
