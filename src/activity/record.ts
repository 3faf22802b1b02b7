import { join } from 'node:path/posix';
import { findRepository } from '../access/find-repository.ts';
import { followedRefs } from '../code/pushed-commits.ts';
import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import type { ActivityType } from '../database/tables/activity.ts';
import type { StoredEvent } from '../events/events.ts';
import { tagRef } from '../git/refs/ref-names.ts';
import { excerpt } from '../markup/excerpt.ts';
import { activitiesOfMove } from './push.ts';
import { type NewActivity, type Place, writeActivities } from './write.ts';

/** Columns of a comment that feeds show. */
const EXCERPT = 200;
/** Moved refs whose activities are in memory, and written in one transaction. */
const MOVES_AT_ONCE = 20;
/** Activities of one moved ref. */
const MAX_ACTIVITIES_OF_MOVE = 2;

/** Records a new repository, a new name, a new owner. Migrated and imported repositories do not count as new. */
export async function recordRepository(
  event: StoredEvent<'repository.created' | 'repository.renamed' | 'repository.transferred'>,
  context: Context,
): Promise<void> {
  const { payload } = event;
  const repository = await findRepository(context.db, payload.repositoryId);
  if (!repository || (event.type === 'repository.created' && repository.original_url !== '')) return;
  const activity: NewActivity =
    'oldName' in payload
      ? { type: 'rename_repo', content: payload.oldName }
      : 'oldOwnerName' in payload
        ? { type: 'transfer_repo', content: join(payload.oldOwnerName, repository.name) }
        : { type: 'create_repo' };
  await writeActivities(context, event, { repository, actorId: payload.actorId }, [activity]);
}

/** Records branches and tags that were created, moved or deleted. */
export async function recordRefs(event: StoredEvent<'refs.changed'>, context: Context): Promise<void> {
  const { repositoryId, actorId, updates, isRename = false, isMirror = false } = event.payload;
  const repository = await findRepository(context.db, repositoryId);
  if (!repository) return;
  const followed = followedRefs(repository, updates);
  for (let at = 0; at < followed.length; at += MOVES_AT_ONCE) {
    const activities: NewActivity[] = [];
    for (const update of followed.slice(at, at + MOVES_AT_ONCE))
      activities.push(...(await activitiesOfMove(context, repository, { ...update, isRename, isMirror })));
    await writeActivities(context, event, { repository, actorId }, activities, MAX_ACTIVITIES_OF_MOVE * at);
  }
}

const OF_ISSUES = {
  'issue.opened': ['create_issue', 'create_pull_request'],
  'issue.closed': ['close_issue', 'close_pull_request'],
  'issue.reopened': ['reopen_issue', 'reopen_pull_request'],
} as const satisfies Record<string, readonly [ActivityType, ActivityType]>;

/** Records an issue or a pull request that was opened, closed or reopened. */
export async function recordIssue(event: StoredEvent<'issue.opened' | 'issue.closed' | 'issue.reopened'>, context: Context): Promise<void> {
  const { payload, type } = event;
  const issue = await issueOf(context, payload.issueId);
  if (!issue) return;
  // A merge has an activity of its own.
  if (type === 'issue.closed' && issue.merged_at !== null) return;
  const [ofIssue, ofPull] = OF_ISSUES[type];
  await writeActivities(context, event, { repository: issue.repository, actorId: payload.actorId }, [
    {
      type: issue.is_pull ? ofPull : ofIssue,
      issueId: issue.id,
      ...('commentId' in payload && { commentId: payload.commentId }),
      content: `${issue.number}|${type === 'issue.opened' ? issue.title : ''}`,
    },
  ]);
}

/** Records a merged pull request. */
export async function recordMerge(event: StoredEvent<'pull.merged'>, context: Context): Promise<void> {
  const { issueId, actorId, isAutomatic } = event.payload;
  const issue = await issueOf(context, issueId);
  if (!issue) return;
  const type = isAutomatic ? 'auto_merge_pull_request' : 'merge_pull_request';
  const activity = { type, issueId, content: `${issue.number}|${issue.title}` } as const;
  await writeActivities(context, event, { repository: issue.repository, actorId: actorId }, [activity]);
}

/** Records a comment. */
export async function recordComment(event: StoredEvent<'comment.created'>, context: Context): Promise<void> {
  const { issueId, commentId, actorId } = event.payload;
  const issue = await issueOf(context, issueId);
  const comment = await context.db.selectFrom('comments').select('body').where('id', '=', commentId).executeTakeFirst();
  if (!issue || !comment) return;
  await writeActivities(context, event, { repository: issue.repository, actorId: actorId }, [
    {
      type: issue.is_pull ? 'comment_pull' : 'comment_issue',
      issueId,
      commentId,
      content: `${issue.number}|${excerpt(comment.body, EXCERPT)}`,
    },
  ]);
}

/** Records a published release. */
export async function recordRelease(event: StoredEvent<'release.published'>, context: Context): Promise<void> {
  const { repositoryId, releaseId, actorId } = event.payload;
  const repository = await findRepository(context.db, repositoryId);
  const release = await context.db.selectFrom('releases').select(['tag_name', 'title']).where('id', '=', releaseId).executeTakeFirst();
  if (!repository || !release) return;
  const activity: NewActivity = { type: 'publish_release', ref: tagRef(release.tag_name), content: release.title };
  await writeActivities(context, event, { repository, actorId: actorId }, [activity]);
}

const OF_REVIEWS = { approve: 'approve_pull_request', reject: 'reject_pull_request' } as const;

/** Records a review, and before it each of its comments on code. */
export async function recordReview(event: StoredEvent<'review.submitted'>, context: Context): Promise<void> {
  const { issueId, reviewId, commentId, actorId } = event.payload;
  const { db } = context;
  const issue = await issueOf(context, issueId);
  const review = await db.selectFrom('reviews').select('type').where('id', '=', reviewId).executeTakeFirst();
  if (!issue || !review) return;
  const comments = await db
    .selectFrom('comments')
    .select(['id', 'kind', 'body'])
    .where('review_id', '=', reviewId)
    .where((where) => where.or([where('kind', '=', 'code'), where('id', '=', commentId)]))
    .orderBy('id')
    .execute();
  const about = (comment: { id: number; body: string }, type: ActivityType): NewActivity => ({
    type,
    issueId,
    commentId: comment.id,
    content: `${issue.number}|${comment.body.split('\n', 1)[0]}`,
  });
  const activities = comments.filter(({ kind }) => kind === 'code').map((comment) => about(comment, 'comment_pull'));
  const own = comments.find(({ kind }) => kind === 'review');
  const type = review.type === 'approve' || review.type === 'reject' ? OF_REVIEWS[review.type] : 'comment_pull';
  if (own && (type !== 'comment_pull' || own.body.trim() !== '')) activities.push(about(own, type));
  await writeActivities(context, event, { repository: issue.repository, actorId: actorId }, activities);
}

const issueInPlace = prepared((db, id: number) =>
  db
    .selectFrom('issues')
    .innerJoin('repositories', 'repositories.id', 'issues.repository_id')
    .innerJoin('users as owner', 'owner.id', 'repositories.owner_id')
    .select(['issues.id', 'number', 'title', 'is_pull', 'merged_at', 'repository_id', 'owner_id', 'owner.type as owner_type'])
    .where('issues.id', '=', id)
    .where('state', '=', 'ready'),
);

/** The parts of an issue that feeds show, and its repository; undefined if it was deleted. */
async function issueOf({ db }: Context, id: number) {
  const [row] = await issueInPlace(db, id);
  if (!row) return undefined;
  const { repository_id, owner_id, owner_type, ...issue } = row;
  const repository: Place = { id: repository_id, owner: { id: owner_id, type: owner_type } };
  return { ...issue, repository };
}
