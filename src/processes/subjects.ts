/** What processes tell each other of, most of it for pages that follow it. The words are short, since they go from process to process with each change. */
export const subjects = {
  /** The notifications of a user. */
  notifications: (userId: number) => `u${userId}`,
  /** Who is signed in as a user may have ended. */
  signIns: (userId: number) => `x${userId}`,
  /** Who may see what of an owner. */
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
