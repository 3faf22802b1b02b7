/** Messages between processes, mostly for pages that follow changes. The names are short, since each change sends them to all processes. */
export const subjects = {
  /** The notifications of a user. */
  notifications: (userId: number) => `u${userId}`,
  /** Sessions of a user may have ended. */
  signIns: (userId: number) => `x${userId}`,
  /** Permissions on something of an owner may have changed. */
  access: (ownerId: number) => `a${ownerId}`,
  /** An issue or a pull request. */
  issue: (issueId: number) => `i${issueId}`,
  /** The statuses of a commit. */
  statuses: (repositoryId: number, sha: string) => `s${repositoryId}:${sha}`,
  /** A run of a workflow. */
  run: (runId: number) => `r${runId}`,
  /** The log of a job, and the states of its steps. */
  log: (jobId: number) => `l${jobId}`,
  /** The runs of a repository. */
  runs: (repositoryId: number) => `g${repositoryId}`,
  /** A migration of a repository. */
  migration: (migrationId: number) => `m${migrationId}`,
  /** The packs of a repository or its wiki were replaced. */
  packs: (repositoryId: number) => `p${repositoryId}`,
};

/** The repository of a subject of packs. */
export function repositoryOfPacks(subject: string): number | undefined {
  return /^p\d+$/.test(subject) ? Number(subject.slice(1)) : undefined;
}
