/**
 * The queues, and how many jobs of each a process runs at once. Long work has queues of its own, so that short work never waits for it.
 */
export const QUEUES = {
  /** Short work. */
  default: 2,
  mail: 2,
  /** Starting workflows and their jobs. */
  actions: 2,
  /** Mergeability checks of pull requests. */
  checks: 2,
  /** Requests to other instances, which may be slow. */
  federation: 2,
  /** Repacking. */
  maintenance: 1,
  /** Languages, licenses. */
  statistics: 1,
  /** Indexes for code search. */
  indexing: 1,
  /** Transfers from and to other servers, which may be slow and large. */
  mirrors: 4,
  /** Migrations of whole projects, which may take days where a source limits requests. */
  migrations: 8,
  /** Deletion of what nothing refers to any more. */
  cleanup: 1,
} as const satisfies Record<string, number>;

export type QueueName = keyof typeof QUEUES;

/** The names of all queues. */
export const QUEUE_NAMES = Object.keys(QUEUES) as readonly QueueName[];
