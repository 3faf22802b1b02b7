import type { Context } from '../context.ts';
import type { PushCommand } from '../git/push-commands.ts';
import { findRepository, type Repository } from '../repositories/find.ts';

const BRANCHES = 'refs/heads/';

/** What is told to who pushed: for each branch that a pull request could be opened for, where to do so. */
export async function pushMessages(context: Context, repository: Repository, commands: readonly PushCommand[]): Promise<string[]> {
  if (!context.settings.git.pushMessage) return [];
  const branches = commands
    .filter(({ ref, after }) => ref.startsWith(BRANCHES) && !/^0+$/.test(after))
    .map(({ ref }) => ref.slice(BRANCHES.length));
  if (branches.length === 0) return [];
  const target = await pullRequestTarget(context, repository);
  if (!target) return [];
  const isFork = target.id !== repository.id;
  return branches
    .filter((branch) => isFork || branch !== target.default_branch)
    .flatMap((branch) => ['', `Create a new pull request for '${branch}':`, `  ${newPullUrl(context, repository, branch)}`, '']);
}

/** Where pull requests of this repository go: to what it was forked from, or to itself; nowhere if neither takes any. */
async function pullRequestTarget(context: Context, repository: Repository): Promise<Repository | undefined> {
  const parent = repository.fork_id === null ? undefined : await findRepository(context.db, repository.fork_id);
  if (parent?.units.pulls) return parent;
  return repository.units.pulls ? repository : undefined;
}

function newPullUrl({ settings }: Context, { owner, name }: Repository, branch: string): string {
  const path = [owner.name, name, 'pulls', 'new', ...branch.split('/')].map(encodeURIComponent).join('/');
  return `${settings.server.rootUrl}${path}`;
}
