import type { Context } from '../context.ts';
import type { ProcReceived } from '../git/proc-receive.ts';
import type { PushCommand } from '../git/push-commands.ts';
import type { Repository } from '../repositories/find.ts';

/** What pull requests make of pushes: subscriptions.ts puts it in. */
export const forRefs: {
  /** Why the caller may push nothing below `refs/for/`; undefined when they may. */
  refuse?: (context: Context, repository: Repository) => Promise<string | undefined>;
  /** Makes pull requests of these refs. */
  take?: (
    context: Context,
    repository: Repository,
    push: { commands: readonly PushCommand[]; options: readonly string[] },
  ) => Promise<readonly ProcReceived[]>;
  /** The number of the open pull request from a branch into the default branch of `base`. */
  findOpen?: (context: Context, base: Repository, head: Repository, branch: string) => Promise<number | undefined>;
} = {};
