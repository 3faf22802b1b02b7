import type { ActionStatus } from '../database/tables/actions.ts';
import type { PackageType } from '../database/tables/package-types.ts';
import type { MergeStyle } from '../database/tables/pulls.ts';
import type { RefUpdate } from '../git/ref-update.ts';

/**
 * What can happen. Payloads hold ids and what later cannot be found out any more (names of the deleted, old values),
 * never secrets: they are kept in the database for a day.
 */
export interface Events {
  /** Within the transaction that makes it ready: other features put in what it begins with. */
  'repository.creating': NewRepositoryEvent;
  'repository.created': { repositoryId: number; actorId: number };
  'repository.deleted': { repositoryId: number; ownerId: number; ownerName: string; name: string; isPrivate: boolean; actorId: number };
  /** In the background, once it is deleted: stored files go. Comes again when one who handles it has failed. */
  'repository.removing': { repositoryId: number };
  /** `forkId` was made of it. */
  'repository.forked': { repositoryId: number; forkId: number; actorId: number };
  'repository.renamed': { repositoryId: number; oldName: string; actorId: number };
  /** Nothing in it can be changed any more. */
  'repository.archived': { repositoryId: number };
  /** It belongs to another owner now. */
  'repository.transferred': { repositoryId: number; oldOwnerId: number; oldOwnerName: string; actorId: number };
  /** A transfer waits for the new owner to accept it. */
  'repository.transfer-started': { repositoryId: number; recipientId: number; actorId: number };
  /** Branches and tags that a push, or a change through the interface, moved. A branch of another name now is one that went and one that came. */
  'refs.changed': {
    repositoryId: number;
    actorId: number;
    updates: RefUpdate[];
    pushOptions?: Record<string, string>;
    isRename?: true;
    /** They were brought from the repository that this one follows. */
    isMirror?: true;
  };
  /** Within the transaction: another branch is the default one now. */
  'default-branch.changed': { repositoryId: number };
  /** A check has said something of a commit. */
  'commit.status': { repositoryId: number; statusId: number; sha: string; actorId: number };
  /** Within the transaction, after the ref has moved: what is kept by a branch's name gets the new one. */
  'branch.renamed': { repositoryId: number; from: string; to: string; actorId: number };
  /**
   * A branch of a fork is about to get the commits that lead to `head` and not to `without`, from the repository `sourceId`. Should
   * the branch not move after all, they stay unused.
   */
  'commits.copied': { repositoryId: number; sourceId: number; head: string; without: string; actorId: number };
  /** Before a user creates a tag, other than by a push: a handler refuses by throwing, such as when the name is taken. */
  'tag.creating': { repositoryId: number; tag: string; actorId: number };
  /** Before a user deletes a tag: a handler refuses by throwing, such as when a release needs it. */
  'tag.deleting': { repositoryId: number; tag: string; actorId: number };
  /** `notify`: the user gets a mail. */
  'user.created': { userId: number; notify: boolean };
  'user.renamed': { userId: number; oldName: string };
  /** Within the transaction, before an account goes with all that it owns: what it owns goes first. */
  'user.purging': { userId: number; actorId: number };
  /** Within the transaction, right before an account goes: the last moment to refuse that. */
  'user.deleting': { userId: number; withComments: boolean };
  /** Within the transaction: the two are to have nothing more to do with each other. */
  'user.blocked': { blockerId: number; blockedId: number; actorId: number };
  'user.deleted': { userId: number; name: string };
  /**
   * Somebody may have lost access to repositories of this owner: these users, or anybody when there are none named; to this
   * repository, or any. What ties them to it (watches, assignments, notifications …) has to be looked through.
   */
  'access.reduced': { ownerId: number; userIds?: number[]; repositoryId?: number };
  'issue.opened': IssueEvent & { mentions: number[] };
  /** The title or the text changed; what did not is left out. */
  'issue.edited': IssueEvent & { oldTitle?: string; oldBody?: string };
  'issue.ref-changed': IssueEvent & { oldRef: string };
  /** With the commit whose message closed it, if that was how. */
  'issue.closed': IssueEvent & { commentId: number; commitId?: string };
  'issue.reopened': IssueEvent & { commentId: number; commitId?: string };
  /** Within the transaction, before it goes with all that belongs to it. */
  'issue.deleting': IssueEvent & { number: number; isPull: boolean };
  'issue.deleted': IssueEvent & { number: number; isPull: boolean };
  /** Labels came or went, or were to; `cleared` when all were taken off at once. */
  'issue.labels-changed': IssueEvent & { added: number[]; removed: number[]; cleared: boolean };
  'issue.milestone-changed': IssueEvent & { oldMilestoneId: number | null; milestoneId: number | null };
  /** `assigneeIds` are all that it has then. */
  'issue.assigned': IssueEvent & { assigneeId: number; assigneeIds: number[]; commentId: number };
  'issue.unassigned': IssueEvent & { assigneeId: number; assigneeIds: number[]; commentId: number };
  'issue.deadline-changed': IssueEvent & { oldDeadline: number | null; deadline: number | null };
  'comment.created': IssueEvent & { commentId: number; mentions: number[] };
  'comment.edited': IssueEvent & { commentId: number; oldBody: string };
  /** With the comment as it was on the wire, without its files. */
  'comment.deleted': IssueEvent & { commentId: number; comment: unknown };
  'milestone.created': MilestoneEvent;
  'milestone.edited': MilestoneEvent;
  'milestone.deleted': MilestoneEvent & { title: string };
  /** The head of an open pull request moved; `commitIds` are those that are new, oldest first. */
  'pull.synchronized': IssueEvent & { commentId: number; oldId: string; newId: string; commitIds: string[]; isForcePush: boolean };
  /** It is to be merged into another branch now. */
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
  /** One that others could see. */
  'review.deleted': IssueEvent & { reviewId: number };
  /** Others than those who write releases can see it from now on. */
  'release.published': ReleaseEvent;
  /** Of a release that is no draft. */
  'release.updated': ReleaseEvent;
  /** Of a release that was no draft: with the release as it was on the wire, without its files. */
  'release.deleted': ReleaseEvent & { release: unknown };
  'wiki.page-created': WikiEvent;
  'wiki.page-edited': WikiEvent;
  'wiki.page-deleted': WikiEvent;
  /** A version of a package can be used from now on. */
  'package.published': PackageEvent;
  /** Within the transaction, before a version goes: its format notes what follows from that. */
  'package.deleting': PackageEvent;
  /** With what is not known any more. */
  'package.deleted': PackageEvent & { package: DeletedPackage };
  /** A run of a workflow was requested, is in progress, or is completed. */
  'workflow-run.changed': WorkflowRunEvent;
  'workflow-job.changed': WorkflowRunEvent & { jobId: number };
  'star.added': { repositoryId: number; actorId: number };
}

/** Something about a version of a package. */
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

/** What a new repository begins with. */
export interface NewRepositoryEvent {
  repositoryId: number;
  /** The name of a label template. */
  labelTemplate?: string;
  /** The template repository, and what comes along from it. */
  from?: { repositoryId: number; content: boolean; labels: boolean; protections: boolean; whitelists: boolean; webhooks: boolean };
}

/** Something about an issue or a pull request. */
export interface IssueEvent {
  repositoryId: number;
  issueId: number;
  actorId: number;
  /** It is about an issue, which concerns nobody who follows pull requests; left out where that is not known. */
  isPull?: boolean;
  /** It is of what was opened with these labels, assignees …: part of its opening. */
  isNew?: true;
  /** Where one request changed several things, one after the other: what the issue was like right before this. */
  amid?: IssueAmid;
}

/** Columns of an issue that one request can change besides its text. */
export interface IssueAmid {
  ref: string;
  deadline_at: number | null;
  milestone_id: number | null;
  is_closed: boolean;
  closed_at: number | null;
  /** Left out where they are as they will stay. */
  assigneeIds?: number[];
  /** It was put into the milestone by the same request. */
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

/** Something about a page of a wiki, made through the interface. */
export interface WikiEvent {
  repositoryId: number;
  /** Its name in addresses. */
  page: string;
  /** What the commit says; empty of a deletion. */
  comment: string;
  actorId: number;
}

/** Something about a run of a workflow. */
export interface WorkflowRunEvent {
  repositoryId: number;
  runId: number;
  /** Of the run, or of the job. */
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
