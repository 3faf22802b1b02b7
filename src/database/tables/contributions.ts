import type { Contributions } from '../../git/tally.ts';
import type { Json } from './platform.ts';

/** What people contributed to the default branch of a repository, up to a commit of it. */
export interface RepositoryContributionsTable {
  repository_id: number;
  /** The commit that it was counted at. */
  head: string;
  contributions: Json<Contributions>;
  counted_at: number;
}

export interface ContributionTables {
  repository_contributions: RepositoryContributionsTable;
}
