/** The kinds of background work and what each is told. */
export interface Jobs {
  /** Removes the folder of a repository whose row is gone. */
  'repository.remove-folder': { repositoryId: number };
  /** Repacks, writes the commit-graph and bitmaps, and counts size and languages anew. */
  'repository.maintain': { repositoryId: number };
}

export type JobType = keyof Jobs;
