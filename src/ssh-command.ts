import type { Readable, Writable } from 'node:stream';
import type { Repository } from './access/find-repository.ts';
import type { RepositoryAccess } from './access/repository-access.ts';
import type { Context } from './context.ts';

/** A command of a client over SSH, such as `git-lfs-transfer owner/name upload`, whose caller may do what the operation needs. */
export interface SshCommandRun {
  readonly repository: Repository;
  readonly access: RepositoryAccess;
  readonly isWiki: boolean;
  /** The word after the path, one of the command's operations. */
  readonly operation: string;
  /** Set if a deploy key of the repository, with this id in `deploy_keys`, is used instead of a user; `context.actor` is null then. */
  readonly deployKey?: { readonly id: number; readonly canWrite: boolean };
  /** The user's key, by its id in `ssh_keys`; undefined for a deploy key or a certificate. */
  readonly keyId?: number;
  readonly input: Readable;
  readonly output: Writable;
  /** Writes a text to the client's standard error. */
  readonly complain: (text: string) => void;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Whether the caller still may do what the operation needs: a long conversation asks again. */
  readonly mayStill: () => Promise<boolean>;
}

/** A command that a feature serves over SSH beside those of git. */
export interface SshCommand {
  /** The operations that are allowed after the path, and the access to the code that each needs. */
  readonly operations: Readonly<Record<string, 'read' | 'write'>>;
  /**
   * Runs the command.
   * @returns the exit code
   * @throws HttpError whose message is sent to the client
   */
  readonly run: (context: Context, command: SshCommandRun) => Promise<number>;
}
