import { findRepository, type Repository } from '../access/find-repository.ts';
import { escapePath } from '../code/escape-path.ts';
import type { Context } from '../context.ts';
import type { PushCommand } from '../git/protocol/push-commands.ts';
import { repositoryHtmlUrl } from '../repositories/urls.ts';

const BRANCHES = 'refs/heads/';
const PULL_HEAD = /^refs\/pull\/(\d+)\/head$/;
const MAX_BRANCHES = 50;

/**
 * The messages to the pusher: for each branch the existing pull request, or the URL for opening one; and the pull requests that were pushed
 * themselves.
 */
export async function pushMessages(context: Context, repository: Repository, commands: readonly PushCommand[]): Promise<string[]> {
  if (!context.settings.git.pushMessage) return [];
  const pushed = commands.filter(({ after }) => !/^0+$/.test(after));
  const numbers = pushed.flatMap(({ ref }) => PULL_HEAD.exec(ref)?.[1] ?? []);
  const lines = numbers.flatMap((number) => existing(context, repository, Number(number)));
  const branches = pushed.filter(({ ref }) => ref.startsWith(BRANCHES)).map(({ ref }) => ref.slice(BRANCHES.length));
  const target = branches.length === 0 ? undefined : await pullRequestTarget(context, repository);
  if (!target) return lines;
  const isFork = target.id !== repository.id;
  // Nobody would read more lines.
  for (const branch of branches.slice(0, MAX_BRANCHES)) {
    if (!isFork && branch === target.default_branch) continue;
    const number = await context.provided.findOpenPull(context, target, repository, branch);
    if (number !== undefined) lines.push(...existing(context, target, number));
    else lines.push('', `Create a new pull request for '${branch}':`, `  ${newPullUrl(context, repository, branch)}`, '');
  }
  return lines;
}

function existing({ settings }: Context, repository: Repository, number: number): string[] {
  return ['', 'Visit the existing pull request:', `  ${repositoryHtmlUrl(settings, repository)}/pulls/${number}`, ''];
}

/** The target of this repository's pull requests: its parent, or itself; undefined if neither accepts any. */
async function pullRequestTarget(context: Context, repository: Repository): Promise<Repository | undefined> {
  const parent = repository.fork_id === null ? undefined : await findRepository(context.db, repository.fork_id);
  if (parent?.units.pulls) return parent;
  return repository.units.pulls ? repository : undefined;
}

function newPullUrl({ settings }: Context, { owner, name }: Repository, branch: string): string {
  return `${settings.server.rootUrl}${escapePath(`${owner.name}/${name}/pulls/new/${branch}`)}`;
}
