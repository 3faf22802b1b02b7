import type { Events } from '../../../src/events/events.ts';
import type { Jobs } from '../../../src/jobs/jobs.ts';

/** What events and jobs are about. */
export interface Ids {
  readonly repository: number;
  readonly issue: number;
  readonly comment: number;
  readonly review: number;
  readonly release: number;
  readonly actor: number;
  /** Of everything else: nothing has it. */
  readonly other: number;
  readonly oldCommit: string;
  readonly newCommit: string;
}

/** An event of every type about these. */
export function eventsAbout(ids: Ids): Events {
  const { repository: repositoryId, issue: issueId, comment: commentId, review: reviewId, release: releaseId, actor: actorId, other } = ids;
  const { oldCommit: oldId, newCommit: newId } = ids;
  const ofRepository = { repositoryId, actorId };
  const ofIssue = { repositoryId, issueId, actorId };
  const ofComment = { ...ofIssue, commentId };
  const ofRelease = { repositoryId, releaseId, actorId };
  const ofMilestone = { repositoryId, milestoneId: other, actorId };
  const deleted = { ...ofIssue, number: 1, isPull: true };
  const assigned = { ...ofComment, assigneeId: actorId, assigneeIds: [actorId] };
  const page = { repositoryId, page: 'Home', comment: '', actorId };
  const aPackage = { ownerId: actorId, type: 'generic' as const, packageId: other, versionId: other, actorId };
  const run = { repositoryId, runId: other, status: 'success' as const, actorId };
  return {
    'repository.creating': { repositoryId },
    'repository.created': ofRepository,
    'repository.deleting': { repositoryId },
    'repository.deleted': { repositoryId, ownerId: actorId, ownerName: 'alice', name: 'demo', isPrivate: false, actorId },
    'repository.removing': { repositoryId },
    'repository.forked': { ...ofRepository, forkId: other },
    'repository.renamed': { ...ofRepository, oldName: 'old' },
    'repository.archived': { repositoryId },
    'repository.transferred': { ...ofRepository, oldOwnerId: other, oldOwnerName: 'bob' },
    'repository.transfer-started': { ...ofRepository, recipientId: other },
    'refs.changed': {
      ...ofRepository,
      updates: [
        { ref: 'refs/heads/main', oldId, newId },
        { ref: 'refs/heads/topic', oldId, newId },
        { ref: 'refs/tags/v1', oldId: '0'.repeat(40), newId },
      ],
    },
    'default-branch.changed': { repositoryId },
    'commit.status': { ...ofRepository, statusId: other, sha: newId },
    'branch.renamed': { ...ofRepository, from: 'topic', to: 'other' },
    'commits.copied': { ...ofRepository, sourceId: repositoryId, head: newId, without: oldId },
    'tag.creating': { ...ofRepository, tag: 'v1' },
    'tag.deleting': { ...ofRepository, tag: 'v1' },
    'tag.deleted': { ...ofRepository, tag: 'v1', objectId: oldId },
    'user.created': { userId: actorId, notify: true },
    'user.renamed': { userId: actorId, oldName: 'old' },
    'user.purging': { userId: actorId, actorId },
    'user.deleting': { userId: actorId, withComments: false },
    'user.blocked': { blockerId: actorId, blockedId: other, actorId },
    'user.deleted': { userId: actorId, name: 'alice' },
    'access.reduced': { ownerId: actorId, userIds: [actorId, other], repositoryId },
    'issue.opened': { ...ofIssue, mentions: [actorId, other] },
    'issue.edited': { ...ofIssue, oldTitle: 'WIP: old', oldBody: 'old' },
    'issue.ref-changed': { ...ofIssue, oldRef: '' },
    'issue.closed': { ...ofComment, commitId: newId },
    'issue.reopened': ofComment,
    'issue.deleting': deleted,
    'issue.deleted': deleted,
    'issue.labels-changed': { ...ofIssue, added: [other], removed: [], cleared: false },
    'issue.milestone-changed': { ...ofIssue, oldMilestoneId: null, milestoneId: other },
    'issue.assigned': assigned,
    'issue.unassigned': assigned,
    'issue.deadline-changed': { ...ofIssue, oldDeadline: null, deadline: 0 },
    'comment.created': { ...ofComment, mentions: [actorId, other] },
    'comment.edited': { ...ofComment, oldBody: 'old' },
    'comment.deleted': { ...ofComment, comment: {} },
    'milestone.created': ofMilestone,
    'milestone.edited': ofMilestone,
    'milestone.deleted': { ...ofMilestone, title: 'one' },
    'pull.synchronized': { ...ofComment, oldId, newId, commitIds: [newId], isForcePush: false },
    'pull.retargeted': { ...ofIssue, oldBase: 'main' },
    'pull.merged': { ...ofComment, style: 'merge', isAutomatic: false },
    'review.requested': { ...ofComment, reviewerId: actorId, isRemoval: false },
    'review.submitted': { ...ofComment, reviewId, mentions: [actorId, other] },
    'review.dismissed': { ...ofComment, reviewId },
    'review.undismissed': { ...ofIssue, reviewId },
    'review.deleted': { ...ofIssue, reviewId },
    'release.published': ofRelease,
    'release.updated': ofRelease,
    'release.deleted': { ...ofRelease, release: {} },
    'wiki.page-created': page,
    'wiki.page-edited': page,
    'wiki.page-deleted': page,
    'package.published': aPackage,
    'package.deleting': aPackage,
    'package.deleted': { ...aPackage, package: { name: 'a', version: '1', repositoryId, creatorId: actorId, createdAt: 0 } },
    'workflow-run.changed': run,
    'workflow-job.changed': { ...run, jobId: other },
    'star.added': ofRepository,
  };
}

/** A job of every type about these, but for those that are about nothing, and mails, which hold all that they need. */
export function jobsAbout(ids: Ids): Omit<Jobs, 'archives.expire' | 'lfs.collect' | 'code-search.clean' | 'mail.send'> {
  const { repository: repositoryId, issue, actor: actorId, other, oldCommit: oldId, newCommit: newId } = ids;
  const event = { id: other, type: 'issue.opened' as const, payload: eventsAbout(ids)['issue.opened'], createdAt: 0 };
  return {
    'repository.remove-folder': { repositoryId },
    'repository.maintain': { repositoryId, full: true },
    'repository.finish-move': { repositoryId },
    'repository.purge': { repositoryId },
    'attachments.remove': { uuids: ['11111111-1111-4111-8111-111111111111'] },
    'attachments.expire': { id: other },
    'lfs.remove-bytes': { keys: [`lfs/00/00/${'0'.repeat(60)}-0`] },
    'repository.statistics': { repositoryId },
    'repository.contributions': { repositoryId },
    'code-search.update': { repositoryId },
    'pull.check': { pullId: issue },
    'pulls.check': { repositoryId, branch: 'main' },
    'pulls.notice-merges': { repositoryId, actorId, branch: 'main', oldId, newId },
    'pull.auto-merge': { pullId: issue },
    'notifications.mail': { event, userIds: [actorId, other] },
    'federation.deliver': { userId: other, inbox: 'http://127.0.0.1:9/inbox', activity: '{}' },
    'mirror.sync': { mirrorId: other },
    'push-mirror.sync': { mirrorId: other },
    'packages.index': { ownerId: actorId, type: 'debian', key: 'stable|main' },
    'packages.delete': { packageId: other, lastVersionId: other, actorId },
    'packages.remove-bytes': { keys: [`packages/${'0'.repeat(64)}`] },
    'actions.trigger': { repositoryId },
    'actions.remove-files': { keys: ['action-logs/9'] },
    'actions.advance': { runId: other },
    'repository.migrate': { migrationId: other },
  };
}
