import type { Contributions } from '../../git/history/tally.ts';
import type { Json } from './platform.ts';

/** The contributions to the default branch of a repository, up to one of its commits. */
export interface RepositoryContributionsTable {
  repository_id: number;
  /** The commit that was counted last. */
  head: string;
  contributions: Json<Contributions>;
  counted_at: number;
}

export interface ContributionTables {
  repository_contributions: RepositoryContributionsTable;
}
