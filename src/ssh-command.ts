import type { Readable, Writable } from 'node:stream';
import type { Repository } from './access/find-repository.ts';
import type { RepositoryAccess } from './access/repository-access.ts';
import type { Context } from './context.ts';

/** A command of a client over SSH, such as `git-lfs-transfer owner/name upload`, whose caller may do what the operation needs. */
export interface SshCommandRun {
  readonly repository: Repository;
  readonly access: RepositoryAccess;
  readonly isWiki: boolean;
  /** What stands after the path, one of the command's operations. */
  readonly operation: string;
  /** Set where a deploy key of the repository, with this id in `deploy_keys`, stands in for a user: then `context.actor` is null. */
  readonly deployKey?: { readonly id: number; readonly canWrite: boolean };
  /** The user's key, by its id in `ssh_keys`; undefined for a deploy key or a certificate. */
  readonly keyId?: number;
  readonly input: Readable;
  readonly output: Writable;
  /** Shows the client a text that is no part of the output. */
  readonly complain: (text: string) => void;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** A command that a feature serves over SSH beside those of git. */
export interface SshCommand {
  /** The operations that may stand after the path, and what each needs of the code. Others are refused. */
  readonly operations: Readonly<Record<string, 'read' | 'write'>>;
  /**
   * Serves it, and answers the exit code.
   * @throws HttpError whose message is shown to the client
   */
  readonly run: (context: Context, command: SshCommandRun) => Promise<number>;
}
