import type { Repository } from '../access/find-repository.ts';
import type { User } from '../database/tables/accounts.ts';
import type { RefUpdate } from '../git/ref-update.ts';

declare module '../context.ts' {
  interface Provided {
    /** To which of these branches somebody may write though not to the whole repository: as maintainer of a pull request's base. */
    maintainedBranches(context: Context, repository: Repository, branches: readonly string[], user: User): Promise<ReadonlySet<string>>;
    /**
     * What follows a move of refs before who asked for it hears that it is done: pull requests of the branches follow. It follows again
     * from the event, so it does nothing twice, and may fail.
     */
    followMovedRefs(context: Context, repository: Repository, updates: readonly RefUpdate[]): Promise<void>;
    /**
     * Reads from git what the transaction that records these moves will need of their tags, before it begins: within it, all other
     * writers of SQLite would wait for git.
     */
    prepareMovedTags(context: Context, repository: Repository, updates: readonly RefUpdate[]): Promise<void>;
  }
}
