import type { Repository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import { commitsOfBranchAlone, countCommits, type HistoryFilter, listCommits } from '../git/history/log.ts';
import { movedHistory } from '../git/history/moved-history.ts';
import { type Commit, readCommit, readCommits } from '../git/objects/commits.ts';
import type { RefUpdate } from '../git/refs/ref-update.ts';
import { peelToCommit } from '../git/refs/tags.ts';
import { escapePath } from './escape-path.ts';

const BRANCHES = 'refs/heads/';
const TAGS = 'refs/tags/';
/** How many commits of a new branch count. */
const COMMITS_OF_NEW_BRANCH = 10;

/** How many refs of one push have activities, webhooks and workflows: these take far more time and space than the push itself. */
const MAX_FOLLOWED = 500;

/** The refs of a push that feeds, webhooks and workflows follow: all of them, or the first ones, beginning with the default branch. */
export function followedRefs(
  { default_branch: branch }: Pick<Repository, 'default_branch'>,
  updates: readonly RefUpdate[],
): readonly RefUpdate[] {
  if (updates.length <= MAX_FOLLOWED) return updates;
  const isDefault = ({ ref }: RefUpdate) => ref === BRANCHES + branch;
  return [...updates.filter(isDefault), ...updates.filter((update) => !isDefault(update))].slice(0, MAX_FOLLOWED);
}

/** The commits that a push added to a ref, for feeds and webhooks. */
export interface PushedCommits {
  /** Newest first; at most `ui.feedCommits`. None for a tag. */
  commits: readonly Commit[];
  /** The current commit of the ref; null for a deleted tag. */
  head: Commit | null;
  /** The URL of the comparison, relative to the instance; empty if there is nothing to compare. */
  compare: string;
  /** The number of all, even if fewer are listed. */
  total: number;
}

/** The commits of a ref update; undefined for a deleted branch and for a ref that leads to no commit. */
export async function pushedCommits(context: Context, repository: Repository, update: RefUpdate): Promise<PushedCommits | undefined> {
  const { ref, newId } = update;
  if (ref.startsWith(TAGS)) return movedTag(context, repository, newId);
  if (!ref.startsWith(BRANCHES) || isNone(newId)) return undefined;
  const folder = context.git.locate(repository);
  const history = await movedHistory(folder, context.git.pool, update);
  const head = history && (await readCommit(folder, context.git.pool, newId));
  if (!head) return undefined;
  return history.exclude ? movedBranch(context, repository, update, head, history) : newBranch(context, repository, update, head);
}

/** Whether an id of a {@link RefUpdate} means none. */
export function isNone(id: string): boolean {
  return /^0+$/.test(id);
}

async function movedTag({ git }: Context, repository: Repository, newId: string): Promise<PushedCommits | undefined> {
  if (isNone(newId)) return { commits: [], head: null, compare: '', total: 0 };
  const folder = git.locate(repository);
  const id = await peelToCommit(folder, git.pool, newId);
  const head = id && (await readCommit(folder, git.pool, id));
  return head ? { commits: [], head, compare: comparePath(repository, '0'.repeat(newId.length), newId), total: 0 } : undefined;
}

async function newBranch(context: Context, repository: Repository, { ref, newId }: RefUpdate, head: Commit): Promise<PushedCommits> {
  const { git, settings } = context;
  const folder = git.locate(repository);
  const branch = ref.slice(BRANCHES.length);
  const ids = await commitsOfBranchAlone(folder, git.pool, { branch, head: newId }, COMMITS_OF_NEW_BRANCH);
  const commits = await readCommits(folder, git.pool, ids);
  const before = commits.at(-1)?.parents[0] ?? (branch === repository.default_branch ? undefined : repository.default_branch);
  return {
    commits: commits.slice(0, settings.ui.feedCommits),
    head,
    compare: before === undefined ? '' : comparePath(repository, before, newId),
    total: commits.length,
  };
}

async function movedBranch(
  context: Context,
  repository: Repository,
  { oldId, newId }: RefUpdate,
  head: Commit,
  history: HistoryFilter,
): Promise<PushedCommits> {
  const { git, settings } = context;
  const folder = git.locate(repository);
  const ids = await listCommits(folder, git.pool, history, { limit: settings.ui.feedCommits });
  return {
    commits: await readCommits(folder, git.pool, ids),
    head,
    compare: comparePath(repository, oldId, newId),
    total: ids.length < settings.ui.feedCommits ? ids.length : await countCommits(folder, git.pool, history),
  };
}

function comparePath({ owner, name }: Repository, from: string, to: string): string {
  return `${escapePath(`${owner.name}/${name}/compare/${from}`)}...${to}`;
}
