import type { Readable } from 'node:stream';
import type { Repository } from '../access/find-repository.ts';
import type { User } from '../database/tables/accounts.ts';
import type { LfsPointer } from '../git/lfs-pointer.ts';
import type { RefUpdate } from '../git/ref-update.ts';
import type { ByteRange } from '../http/byte-range.ts';

/** The content of a large file that a pointer stands for. */
export interface LargeFile {
  /** Bytes. */
  readonly size: number;
  open(range: ByteRange | undefined): Promise<Readable | Buffer>;
}

declare module '../context.ts' {
  interface Provided {
    /** What a pointer in a repository stands for; undefined when the repository does not have it, or no large files are served. */
    findLargeFile(context: Context, repository: Repository, pointer: LfsPointer): Promise<LargeFile | undefined>;
    /**
     * Stores a content as a large file of a repository.
     * @returns the pointer that stands for it in the repository
     * @throws HttpError 422 for one that is too large
     */
    storeLargeFile(context: Context, repository: Repository, content: Uint8Array): Promise<LfsPointer>;
    /** To which of these branches somebody may write though not to the whole repository: as maintainer of a pull request's base. */
    maintainedBranches(context: Context, repository: Repository, branches: readonly string[], user: User): Promise<ReadonlySet<string>>;
    /**
     * Updates the pull requests of moved branches before the caller gets the response. The event does the same again, so this is idempotent
     * and may fail.
     */
    followMovedRefs(context: Context, repository: Repository, updates: readonly RefUpdate[]): Promise<void>;
    /**
     * Reads from git what the transaction that records these moves will need of their tags, before it begins: within it, all other
     * writers of SQLite would wait for git.
     */
    prepareMovedTags(context: Context, repository: Repository, updates: readonly RefUpdate[]): Promise<void>;
  }
}
