import type { PackageType } from '../database/tables/package-types.ts';
import type { EventType } from '../events/events.ts';

/** The types of jobs and their payloads. */
export interface Jobs {
  /** Removes what is left of a deleted repository: folders, stored files, then its row, if it still has one. */
  'repository.remove-folder': { repositoryId: number };
  /**
   * Packs what has gathered, writes the commit graph, and updates the size; of the wiki alone if the payload says so. `full`: packs
   * everything, and removes what has been out of reach for long.
   */
  'repository.maintain': { repositoryId: number; isWiki?: boolean; full?: boolean };
  /** Removes what a repository that was moved to another volume has left on the former one. */
  'repository.finish-move': { repositoryId: number };
  /** Removes at once what no ref of a repository and its wiki leads to. */
  'repository.purge': { repositoryId: number };
  /** Removes archives that were not used lately. */
  'archives.expire': Record<string, never>;
  /** Removes the bytes of attached files that are gone. */
  'attachments.remove': { uuids: string[] };
  'attachments.expire': { id: number };
  /** Removes the large files that no repository has any more. */
  'lfs.collect': Record<string, never>;
  /** Finds out languages and licenses of the default branch. */
  'repository.statistics': { repositoryId: number };
  /** Counts what people contributed to the default branch. */
  'repository.contributions': { repositoryId: number };
  /** Brings the index of a repository's code up to date. */
  'code-search.update': { repositoryId: number };
  /** Removes indexes of code that nothing reads any more, and updates those that are missing or out of date. */
  'code-search.clean': Record<string, never>;
  /** Finds out whether a pull request can be merged. */
  'pull.check': { pullId: number };
  /** The same for the open ones onto a branch. */
  'pulls.check': { repositoryId: number; branch: string };
  /** Looks for pull requests that a push onto a branch has merged. */
  'pulls.notice-merges': { repositoryId: number; actorId: number; branch: string; oldId: string; newId: string };
  /** Does a merge that waits for its checks, if these let it by now. */
  'pull.auto-merge': { pullId: number };
  /** Hands a mail to the SMTP server; it waits encrypted, see mail/mail.ts. */
  'mail.send': { sealed: string };
  /** Mails an event to some of its receivers. */
  'notifications.mail': { event: { id: number; type: EventType; payload: unknown; createdAt: number }; userIds: number[] };
  /** Brings an activity of a user to an inbox on another instance. */
  'federation.deliver': { userId: number; inbox: string; activity: string };
  /** Brings a repository up to date with the one that it follows. */
  'mirror.sync': { mirrorId: number };
  /** Brings a repository of another server up to date with ours. */
  'push-mirror.sync': { mirrorId: number };
  /** Builds an index of packages again, unless that has been done since. */
  'packages.index': { ownerId: number; type: PackageType; key: string };
  /** Starts the workflows that the events of a repository are for. */
  'actions.trigger': { repositoryId: number };
  /** Removes stored logs and artifacts of what is deleted. */
  'actions.remove-files': { keys: string[] };
  /** Starts the jobs of a run, and of its concurrency groups, that nothing blocks any more. */
  'actions.advance': { runId: number };
  /** Copies a project from another server, from where the last attempt got to. */
  'repository.migrate': { migrationId: number };
}

export type JobType = keyof Jobs;

/** Every type of job: a server whose features leave one undone does not start. */
export const JOB_TYPES = Object.keys({
  'repository.remove-folder': true,
  'repository.maintain': true,
  'repository.finish-move': true,
  'repository.purge': true,
  'archives.expire': true,
  'attachments.remove': true,
  'attachments.expire': true,
  'lfs.collect': true,
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
  'actions.trigger': true,
  'actions.remove-files': true,
  'actions.advance': true,
  'repository.migrate': true,
} satisfies Record<JobType, true>) as readonly JobType[];

/** How far a job is; others can read it. */
export interface Progress {
  done?: number;
  total?: number;
  /** What is being done, for people. */
  text?: string;
}

/** A job as others see it. */
export interface JobStatus {
  id: number;
  type: string;
  isRunning: boolean;
  isCancelled: boolean;
  /** How often it was begun. */
  attempts: number;
  progress: Progress | null;
  /** Why the last attempt failed; empty otherwise. */
  error: string;
  /** When it was last begun, in seconds; null before that. */
  startedAt: number | null;
  /** When it is due, in seconds. */
  dueAt: number;
}
