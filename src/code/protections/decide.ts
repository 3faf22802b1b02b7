import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import { TimeSlice } from '../../concurrency/time-slice.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { BranchProtection } from '../../database/tables/code.ts';
import { isValidBranchName, isValidTagName } from '../../git/refs/ref-names.ts';
import type { GitRepository } from '../../git/repository.ts';
import { matchingPaths } from './match.ts';
import { hasPathPattern } from './patterns.ts';
import { firstUnverified, isRewritten, knownTips, pushedPaths } from './pushed.ts';
import { branchRules, firstClosedTag, mayForcePush, mayPush, type Pusher, pusherOf, ruleFor, rulesFor, tagRules } from './rules.ts';

export { type Pusher, pusherOf } from './rules.ts';

/** A ref update; zeros mean no object. */
export interface RefMove {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
}

/** Why a ref may not move. */
export interface Refusal {
  readonly reason: 'permission' | 'ref' | 'default-branch' | 'deletion' | 'rewrite' | 'unverified' | 'file' | 'force-push' | 'push' | 'tag';
  /** The message for the pusher. */
  readonly message: string;
  /** The path, if one is the reason, and whether the branch could be pushed to otherwise. */
  readonly path?: string;
  readonly mayPush?: boolean;
}

/** The effect of a change of a branch, computed only if a rule needs it. */
export interface BranchChange {
  readonly branch: string;
  readonly kind: 'create' | 'update' | 'delete';
  /** Whether commits of the branch are lost. */
  readonly rewrites: () => Promise<boolean>;
  /** The changed paths. */
  readonly paths: () => Promise<readonly string[]>;
  /** The first new commit without a valid signature. */
  readonly unverified: () => Promise<string | undefined>;
}

/** Whether a user may write to a branch at all, before the details are checked. */
export async function mayWriteTo(context: Context, repository: Repository, access: RepositoryAccess, branch: string): Promise<boolean> {
  if (access.canWrite('code')) return true;
  return context.actor !== null && (await isMaintainer(context, repository, branch, context.actor));
}

/** Whether a commit of the caller would probably be accepted; otherwise a form offers another branch. @param path the changed path */
export async function mayCommitTo(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  branch: string,
  path = '',
): Promise<boolean> {
  if (!(await mayWriteTo(context, repository, access, branch))) return false;
  const rule = await ruleFor(context, await branchRules(context.db, repository.id), branch);
  if (!rule) return true;
  if ((await matchingPaths(context, rule.protected_file_patterns, [path])).length > 0) return false;
  if (mayPush(rule, await pusherOf(context, repository, context.actor, access))) return true;
  return (await matchingPaths(context, rule.unprotected_file_patterns, [path])).length > 0;
}

/**
 * Whether these refs may move: the only code that decides this, for every way to move them. Returns the first reason against it, undefined
 * if there is none.
 * @param folder with the quarantine of the push, if its objects are in one
 */
export async function decidePush(
  context: Context,
  repository: Repository,
  folder: GitRepository,
  pusher: Pusher,
  moves: readonly RefMove[],
): Promise<Refusal | undefined> {
  const rules = await rulesOfMoves(context, repository, moves);
  const tags = namesIn(moves, 'refs/tags/');
  const closed = tags.length > 0 ? await firstClosedTag(context, await tagRules(context.db, repository.id), tags, pusher) : undefined;
  const slice = new TimeSlice();
  for (const move of moves) {
    if (slice.isOver) await slice.next();
    const change = move.ref.startsWith('refs/heads/') ? changeOf(context, repository, folder, move) : undefined;
    const unusable = refuseName(move) ?? (await refuseWriting(context, repository, pusher, change));
    if (unusable) return unusable;
    if (closed !== undefined && move.ref === `refs/tags/${closed}`) {
      return { reason: 'tag', message: `Tag ${closed} is protected` };
    }
    if (change) {
      const refusal = await decideBranch(context, repository, rules.get(change.branch), pusher, change);
      if (refusal) return refusal;
    }
  }
  return undefined;
}

/** The rules for the moving branches, by their names. */
async function rulesOfMoves(context: Context, repository: Repository, moves: readonly RefMove[]): Promise<Map<string, BranchProtection>> {
  const names = namesIn(moves, 'refs/heads/');
  if (names.length === 0) return new Map();
  const found = await rulesFor(context, await branchRules(context.db, repository.id), names);
  return new Map(names.flatMap((name, at) => (found[at] ? [[name, found[at]] as const] : [])));
}

function namesIn(moves: readonly RefMove[], folder: string): string[] {
  return moves.filter(({ ref }) => ref.startsWith(folder)).map(({ ref }) => ref.slice(folder.length));
}

/** Whether the server itself may change a branch like this. */
export async function decideChange(
  context: Context,
  repository: Repository,
  pusher: Pusher,
  change: BranchChange,
): Promise<Refusal | undefined> {
  const unusable = await refuseWriting(context, repository, pusher, change);
  if (unusable) return unusable;
  const rule = await ruleFor(context, await branchRules(context.db, repository.id), change.branch);
  return await decideBranch(context, repository, rule, pusher, change);
}

async function decideBranch(
  context: Context,
  repository: Repository,
  rule: BranchProtection | undefined,
  pusher: Pusher,
  change: BranchChange,
): Promise<Refusal | undefined> {
  const { branch, kind } = change;
  if (kind === 'delete' && branch === repository.default_branch) {
    return { reason: 'default-branch', message: `branch ${branch} is the default branch and cannot be deleted` };
  }
  if (!rule) return undefined;
  if (kind === 'delete') return { reason: 'deletion', message: `branch ${branch} is protected from deletion` };
  const rewrites = kind === 'update' && (await change.rewrites());
  if (rewrites && !rule.can_force_push) return { reason: 'rewrite', message: `branch ${branch} is protected from force push` };
  const unverified = rule.require_signed_commits ? await change.unverified() : undefined;
  if (unverified !== undefined) {
    return { reason: 'unverified', message: `branch ${branch} is protected from unverified commit ${unverified}` };
  }
  const [path] = !hasPathPattern(rule.protected_file_patterns)
    ? []
    : await matchingPaths(context, rule.protected_file_patterns, await change.paths(), 1);
  if (path !== undefined)
    return { reason: 'file', message: `branch ${branch} is protected from changing file ${path}`, path, mayPush: mayPush(rule, pusher) };
  if ((rewrites ? mayForcePush : mayPush)(rule, pusher)) return undefined;
  if (await touchesOnlyOpenFiles(context, rule, change)) return undefined;
  return rewrites
    ? { reason: 'force-push', message: `Not allowed to force-push to protected branch ${branch}` }
    : { reason: 'push', message: `Not allowed to push to protected branch ${branch}` };
}

/** Users who may not push may still change files that the rule leaves open, and create a branch without changes. */
async function touchesOnlyOpenFiles(
  context: Context,
  { unprotected_file_patterns: open }: BranchProtection,
  change: BranchChange,
): Promise<boolean> {
  if (!hasPathPattern(open)) return false;
  const paths = await change.paths();
  return (await matchingPaths(context, open, paths)).length === paths.length;
}

function changeOf(context: Context, repository: Repository, folder: GitRepository, { ref, before, after }: RefMove): BranchChange {
  const kind = isNone(after) ? 'delete' : isNone(before) ? 'create' : 'update';
  const branch = ref.slice('refs/heads/'.length);
  const range = async () => (isNone(before) ? { known: await knownTips(context, repository, branch), after } : { before, after });
  return {
    branch,
    kind,
    rewrites: () => isRewritten(folder, before, after),
    paths: async () => pushedPaths(folder, await range()),
    unverified: async () => firstUnverified(context, folder, await range()),
  };
}

/** Refuses refs that the server manages, and names that the API cannot address; existing ones of the latter may be deleted. */
function refuseName({ ref, after }: RefMove): Refusal | undefined {
  const unusable =
    /^refs\/(pull|for)\//.test(ref) ||
    (!isNone(after) && ref.startsWith('refs/heads/') && !isValidBranchName(ref.slice('refs/heads/'.length))) ||
    (!isNone(after) && ref.startsWith('refs/tags/') && !isValidTagName(ref.slice('refs/tags/'.length)));
  return unusable ? { reason: 'ref', message: `Unexpected ref: ${ref}` } : undefined;
}

/** Users without write access may still move, but neither create nor delete, a branch that they maintain. */
async function refuseWriting(
  context: Context,
  repository: Repository,
  { access, deployKey, user }: Pusher,
  change: BranchChange | undefined,
): Promise<Refusal | undefined> {
  if (deployKey ? deployKey.canWrite : access.canWrite('code')) return undefined;
  const maintained = change?.kind === 'update' && user && !deployKey;
  if (maintained && (await isMaintainer(context, repository, change.branch, user))) return undefined;
  return { reason: 'permission', message: 'User permission denied for writing.' };
}

async function isMaintainer(context: Context, repository: Repository, branch: string, user: User): Promise<boolean> {
  return (await context.provided.maintainedBranches(context, repository, [branch], user)).has(branch);
}

function isNone(id: string): boolean {
  return /^0+$/.test(id);
}
