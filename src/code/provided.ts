import type { Readable } from 'node:stream';
import type { Repository } from '../access/find-repository.ts';
import type { User } from '../database/tables/accounts.ts';
import type { RefUpdate } from '../git/refs/ref-update.ts';
import type { LfsPointer } from '../git/trees/lfs-pointer.ts';
import type { ByteRange } from '../http/byte-range.ts';

/** The LFS object of a pointer. */
export interface LargeFile {
  /** Bytes. */
  readonly size: number;
  open(range: ByteRange | undefined): Promise<Readable | Buffer>;
}

declare module '../context.ts' {
  interface Provided {
    /** The LFS object of a pointer in a repository; undefined if the repository does not have it, or LFS is disabled. */
    findLargeFile(context: Context, repository: Repository, pointer: LfsPointer): Promise<LargeFile | undefined>;
    /**
     * Stores a content as an LFS object of a repository.
     * @returns its pointer
     * @throws HttpError 422 for one that is too large
     */
    storeLargeFile(context: Context, repository: Repository, content: Uint8Array): Promise<LfsPointer>;
    /** The branches among these that a user without write access to the whole repository may write to: as maintainer of a pull request's base. */
    maintainedBranches(context: Context, repository: Repository, branches: readonly string[], user: User): Promise<ReadonlySet<string>>;
    /**
     * Updates the pull requests of moved branches before the caller gets the response. The event does the same again, so this is idempotent
     * and may fail.
     */
    followMovedRefs(context: Context, repository: Repository, updates: readonly RefUpdate[]): Promise<void>;
    /**
     * Reads the tags that the transaction recording these updates needs, before it begins: within it, all other
     * writers of SQLite would wait for git.
     */
    prepareMovedTags(context: Context, repository: Repository, updates: readonly RefUpdate[]): Promise<void>;
  }
}
