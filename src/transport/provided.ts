import type { Repository } from '../access/find-repository.ts';
import type { ProcReceived } from '../git/protocol/proc-receive.ts';
import type { PushCommand } from '../git/protocol/push-commands.ts';

declare module '../context.ts' {
  interface Provided {
    /** Why the caller may push nothing below `refs/for/`; undefined when they may. */
    refuseForRefs(context: Context, repository: Repository): Promise<string | undefined>;
    /** Makes pull requests of refs below `refs/for/`. */
    takeForRefs(
      context: Context,
      repository: Repository,
      push: { commands: readonly PushCommand[]; options: readonly string[] },
    ): Promise<readonly ProcReceived[]>;
    /** The number of the open pull request from a branch into the default branch of `base`. */
    findOpenPull(context: Context, base: Repository, head: Repository, branch: string): Promise<number | undefined>;
  }
}
