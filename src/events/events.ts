import type { ActionStatus } from '../database/tables/actions.ts';
import type { PackageType } from '../database/tables/package-types.ts';
import type { MergeStyle } from '../database/tables/pulls.ts';
import type { RefUpdate } from '../git/refs/ref-update.ts';

/**
 * The events. Payloads hold ids and facts that cannot be found later (names of deleted objects, old values), never secrets: they are
 * stored in the database for a day.
 */
export interface Events {
  /** Within the transaction that makes it ready: other features add its initial content. */
  'repository.creating': NewRepositoryEvent;
  'repository.created': { repositoryId: number; actorId: number };
  /** Within the transaction that deletes it, while everything of it is still there. */
  'repository.deleting': { repositoryId: number };
  'repository.deleted': { repositoryId: number; ownerId: number; ownerName: string; name: string; isPrivate: boolean; actorId: number };
  /** In the background, once it is deleted: stored files are deleted. Emitted again when a handler has failed. */
  'repository.removing': { repositoryId: number };
  /** `forkId` was created from it. */
  'repository.forked': { repositoryId: number; forkId: number; actorId: number };
  'repository.renamed': { repositoryId: number; oldName: string; actorId: number };
  /** Nothing in it can be changed any more. */
  'repository.archived': { repositoryId: number };
  /** It has a new owner. */
  'repository.transferred': { repositoryId: number; oldOwnerId: number; oldOwnerName: string; actorId: number };
  /** A transfer waits for the new owner to accept it. */
  'repository.transfer-started': { repositoryId: number; recipientId: number; actorId: number };
  /** Branches and tags that a push, or a change by the API, moved. A renamed branch is one deleted and one created branch. */
  'refs.changed': {
    repositoryId: number;
    actorId: number;
    updates: RefUpdate[];
    pushOptions?: Record<string, string>;
    isRename?: true;
    /** They were fetched from the repository that this one mirrors. */
    isMirror?: true;
  };
  /** Within the transaction: the default branch has changed. */
  'default-branch.changed': { repositoryId: number };
  /** A status was reported for a commit. */
  'commit.status': { repositoryId: number; statusId: number; sha: string; actorId: number };
  /** Within the transaction, after the ref has moved: what is stored by a branch's name gets the new one. */
  'branch.renamed': { repositoryId: number; from: string; to: string; actorId: number };
  /**
   * A branch of a fork is about to get the commits that lead to `head` and not to `without`, from the repository `sourceId`. If the branch
   * does not move after all, they stay unused.
   */
  'commits.copied': { repositoryId: number; sourceId: number; head: string; without: string; actorId: number };
  /** Before a user creates a tag, other than by a push: a handler refuses by throwing, such as when the name is taken. */
  'tag.creating': { repositoryId: number; tag: string; actorId: number };
  /** Before a user deletes a tag: a handler refuses by throwing, such as when a release needs it. */
  'tag.deleting': { repositoryId: number; tag: string; actorId: number };
  /** Within the transaction: a user has deleted a tag that was this object, other than by a push. */
  'tag.deleted': { repositoryId: number; tag: string; objectId: string; actorId: number };
  /** `notify`: the user gets a mail. */
  'user.created': { userId: number; notify: boolean };
  'user.renamed': { userId: number; oldName: string };
  /** Within the transaction, before an account is deleted with everything that it owns: that is deleted first. */
  'user.purging': { userId: number; actorId: number };
  /** Within the transaction, right before an account is deleted: the last chance to refuse that. */
  'user.deleting': { userId: number; withComments: boolean };
  /** Within the transaction: relations between the two have to be removed. */
  'user.blocked': { blockerId: number; blockedId: number; actorId: number };
  'user.deleted': { userId: number; name: string };
  /**
   * Users may have lost access to repositories of this owner, or of all when there is none: these users, or anybody when there are none
   * named; to this repository, or to any. Their relations to it (watches, assignments, notifications …) have to be checked.
   */
  'access.reduced': { ownerId?: number; userIds?: number[]; repositoryId?: number };
  'issue.opened': IssueEvent & { mentions: number[] };
  /** The title or the text changed; an unchanged one is left out. Or a file was attached, which clients see as a change of the text. */
  'issue.edited': IssueEvent & { oldTitle?: string; oldBody?: string; fileId?: number };
  'issue.ref-changed': IssueEvent & { oldRef: string };
  /** With the commit whose message closed it, if any; `isHeadBeingDeleted` when the repository of its head is being deleted. */
  'issue.closed': IssueEvent & { commentId: number; commitId?: string; isHeadBeingDeleted?: true };
  'issue.reopened': IssueEvent & { commentId: number; commitId?: string };
  /** Within the transaction, before it is deleted with everything that belongs to it. */
  'issue.deleting': IssueEvent & { number: number; isPull: boolean };
  'issue.deleted': IssueEvent & { number: number; isPull: boolean };
  /** Labels were added or removed; `cleared` when all were removed at once, `isSilent` when neither webhooks nor workflows get it. */
  'issue.labels-changed': IssueEvent & { added: number[]; removed: number[]; cleared: boolean; isSilent?: true };
  'issue.milestone-changed': IssueEvent & { oldMilestoneId: number | null; milestoneId: number | null };
  /** `assigneeIds` are all assignees after the change. */
  'issue.assigned': IssueEvent & { assigneeId: number; assigneeIds: number[]; commentId: number };
  'issue.unassigned': IssueEvent & { assigneeId: number; assigneeIds: number[]; commentId: number };
  'issue.deadline-changed': IssueEvent & { oldDeadline: number | null; deadline: number | null };
  'comment.created': IssueEvent & { commentId: number; mentions: number[] };
  /** `fileId`: the file that was attached, if any. */
  'comment.edited': IssueEvent & { commentId: number; oldBody: string; fileId?: number };
  /** With the comment in wire form, without its files. */
  'comment.deleted': IssueEvent & { commentId: number; comment: unknown };
  'milestone.created': MilestoneEvent;
  'milestone.edited': MilestoneEvent;
  'milestone.deleted': MilestoneEvent & { title: string };
  /** The head of an open pull request moved; `commitIds` are the new ones, oldest first. */
  'pull.synchronized': IssueEvent & { commentId: number; oldId: string; newId: string; commitIds: string[]; isForcePush: boolean };
  /** Its base branch has changed. */
  'pull.retargeted': IssueEvent & { oldBase: string };
  /** After `issue.closed`; `isAutomatic` when it had been waiting for its checks. */
  'pull.merged': IssueEvent & { commentId: number; style: MergeStyle; isAutomatic: boolean };
  /** A review of a user or a team is requested, or the request removed. */
  'review.requested': IssueEvent & { reviewerId?: number; teamId?: number; commentId: number; isRemoval: boolean };
  /** A review that others can see: an approval, a request for changes, or comments. */
  'review.submitted': IssueEvent & { reviewId: number; commentId: number; mentions: number[] };
  'review.dismissed': IssueEvent & { reviewId: number; commentId: number };
  /** It counts again. */
  'review.undismissed': IssueEvent & { reviewId: number };
  /** A review that others could see. */
  'review.deleted': IssueEvent & { reviewId: number };
  /** It becomes visible to others than writers of releases. */
  'release.published': ReleaseEvent;
  /** Of a release that is not a draft. */
  'release.updated': ReleaseEvent;
  /** Of a release that was not a draft: with the release in wire form, without its files. */
  'release.deleted': ReleaseEvent & { release: unknown };
  'wiki.page-created': WikiEvent;
  'wiki.page-edited': WikiEvent;
  'wiki.page-deleted': WikiEvent;
  /** A version of a package is available from now on. */
  'package.published': PackageEvent;
  /** Within the transaction, before a version is deleted: its format records the consequences. */
  'package.deleting': PackageEvent;
  /** With facts that cannot be found any more. */
  'package.deleted': PackageEvent & { package: DeletedPackage };
  /** A run of a workflow was requested, is in progress, or is completed. */
  'workflow-run.changed': WorkflowRunEvent;
  'workflow-job.changed': WorkflowRunEvent & { jobId: number };
  'star.added': { repositoryId: number; actorId: number };
}

/** A version of a package. */
export interface PackageEvent {
  ownerId: number;
  type: PackageType;
  packageId: number;
  versionId: number;
  actorId: number;
}

/** A version that was deleted. */
export interface DeletedPackage {
  name: string;
  version: string;
  repositoryId: number | null;
  creatorId: number | null;
  createdAt: number;
}

/** The initial content of a new repository. */
export interface NewRepositoryEvent {
  repositoryId: number;
  /** The name of a label template. */
  labelTemplate?: string;
  /** The template repository, and what to copy from it. */
  from?: { repositoryId: number; content: boolean; labels: boolean; protections: boolean; whitelists: boolean; webhooks: boolean };
}

/** An issue or a pull request. */
export interface IssueEvent {
  repositoryId: number;
  issueId: number;
  actorId: number;
  /** Whether it is an issue, which followers of pull requests ignore; left out where that is not known. */
  isPull?: boolean;
  /** The change is part of opening the issue, with these labels, assignees … */
  isNew?: true;
  /** If one request made several changes in sequence: the state of the issue right before this one. */
  amid?: IssueAmid;
}

/** Columns of an issue that one request can change besides its text. */
export interface IssueAmid {
  ref: string;
  deadline_at: number | null;
  milestone_id: number | null;
  is_closed: boolean;
  closed_at: number | null;
  /** Left out if they do not change again. */
  assigneeIds?: number[];
  /** Left out if they do not change again. */
  labelIds?: number[];
  /** The same request set the milestone. */
  hasNewMilestone?: true;
}

/** Something about a milestone. */
export interface MilestoneEvent {
  repositoryId: number;
  milestoneId: number;
  actorId: number;
}

/** Something about a release. */
export interface ReleaseEvent {
  repositoryId: number;
  releaseId: number;
  actorId: number;
}

/** A page of a wiki, changed by the API. */
export interface WikiEvent {
  repositoryId: number;
  /** Its name in URLs. */
  page: string;
  /** The commit message; empty for a deletion. */
  comment: string;
  actorId: number;
}

/** Something about a run of a workflow. */
export interface WorkflowRunEvent {
  repositoryId: number;
  runId: number;
  /** The status of the run, or of the job. */
  status: ActionStatus;
  actorId: number;
}

export type EventType = keyof Events;

/** An event as a subscriber gets it. */
export interface StoredEvent<T extends EventType = EventType> {
  readonly id: number;
  readonly type: T;
  readonly payload: Events[T];
  /** Seconds. */
  readonly createdAt: number;
}
