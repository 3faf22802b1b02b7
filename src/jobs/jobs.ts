import type { PackageType } from '../database/tables/package-types.ts';
import type { EventType } from '../events/events.ts';

/** The types of jobs and their payloads. */
export interface Jobs {
  /** Deletes the rest of a deleted repository: folders, stored files, then its row, if it still has one. */
  'repository.remove-folder': { repositoryId: number };
  /**
   * Packs loose objects, writes the commit graph, and updates the size; only for the wiki if the payload says so. `full`: packs everything,
   * and deletes what has been unreachable for long.
   */
  'repository.maintain': { repositoryId: number; isWiki?: boolean; full?: boolean };
  /** Deletes the former copy of a repository that was moved to another volume. */
  'repository.finish-move': { repositoryId: number };
  /** Deletes at once the unreachable objects of a repository and its wiki. */
  'repository.purge': { repositoryId: number };
  /** Deletes archives that were not used lately. */
  'archives.expire': Record<string, never>;
  /** Deletes the bytes of deleted attachments. */
  'attachments.remove': { uuids: string[] };
  'attachments.expire': { id: number };
  /** Deletes LFS objects that no repository has any more. */
  'lfs.collect': Record<string, never>;
  /** Deletes the bytes of LFS objects whose rows are deleted. */
  'lfs.remove-bytes': { keys: string[] };
  /** Detects languages and licenses of the default branch. */
  'repository.statistics': { repositoryId: number };
  /** Counts the contributions to the default branch. */
  'repository.contributions': { repositoryId: number };
  /** Updates the code index of a repository. */
  'code-search.update': { repositoryId: number };
  /** Deletes code indexes that nothing reads any more, and updates missing or outdated ones. */
  'code-search.clean': Record<string, never>;
  /** Checks whether a pull request can be merged. */
  'pull.check': { pullId: number };
  /** The same for all open pull requests to a branch. */
  'pulls.check': { repositoryId: number; branch: string };
  /** Detects pull requests that a push to a branch has merged. */
  'pulls.notice-merges': { repositoryId: number; actorId: number; branch: string; oldId: string; newId: string };
  /** Runs a scheduled merge if its checks allow it now. */
  'pull.auto-merge': { pullId: number };
  /** Sends a mail to the SMTP server; it is stored encrypted, see mail/mail.ts. */
  'mail.send': { sealed: string };
  /** Mails an event to some of its recipients. */
  'notifications.mail': { event: { id: number; type: EventType; payload: unknown; createdAt: number }; userIds: number[] };
  /** Sends an activity of a user to an inbox on another instance. */
  'federation.deliver': { userId: number; inbox: string; activity: string };
  /** Synchronizes a mirror with its source. */
  'mirror.sync': { mirrorId: number };
  /** Pushes a repository to a mirror on another server. */
  'push-mirror.sync': { mirrorId: number };
  /** Rebuilds a package index, unless that has been done since; later also the files of documents that are composed of parts. */
  'packages.index': { ownerId: number; type: PackageType; key: string; isLate?: boolean };
  /** Goes on with the deletion of a package: its versions up to one, and itself if there are no others. */
  'packages.delete': { packageId: number; lastVersionId: number; actorId: number };
  /** Deletes the bytes of contents of packages whose rows are deleted. */
  'packages.remove-bytes': { keys: string[] };
  /** Starts the workflows for the events of a repository. */
  'actions.trigger': { repositoryId: number };
  /** Deletes stored logs and artifacts of deleted runs. */
  'actions.remove-files': { keys: string[] };
  /** Starts the jobs of a run, and of its concurrency groups, that nothing blocks any more. */
  'actions.advance': { runId: number };
  /** Migrates a project from another server, continuing the last attempt. */
  'repository.migrate': { migrationId: number };
}

export type JobType = keyof Jobs;

/** Every type of job: a server without work for one of them does not start. */
export const JOB_TYPES = Object.keys({
  'repository.remove-folder': true,
  'repository.maintain': true,
  'repository.finish-move': true,
  'repository.purge': true,
  'archives.expire': true,
  'attachments.remove': true,
  'attachments.expire': true,
  'lfs.collect': true,
  'lfs.remove-bytes': true,
  'repository.statistics': true,
  'repository.contributions': true,
  'code-search.update': true,
  'code-search.clean': true,
  'pull.check': true,
  'pulls.check': true,
  'pulls.notice-merges': true,
  'pull.auto-merge': true,
  'mail.send': true,
  'notifications.mail': true,
  'federation.deliver': true,
  'mirror.sync': true,
  'push-mirror.sync': true,
  'packages.index': true,
  'packages.delete': true,
  'packages.remove-bytes': true,
  'actions.trigger': true,
  'actions.remove-files': true,
  'actions.advance': true,
  'repository.migrate': true,
} satisfies Record<JobType, true>) as readonly JobType[];

/** The progress of a job; others can read it. */
export interface Progress {
  done?: number;
  total?: number;
  /** What is being done, for people. */
  text?: string;
}

/** The public state of a job. */
export interface JobStatus {
  id: number;
  type: string;
  isRunning: boolean;
  isCancelled: boolean;
  /** How often it was started. */
  attempts: number;
  progress: Progress | null;
  /** Why the last attempt failed; empty otherwise. */
  error: string;
  /** When it was last started, in seconds; null before that. */
  startedAt: number | null;
  /** When it is due, in seconds. */
  dueAt: number;
}
