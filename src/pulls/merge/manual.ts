import { findRepository, type Repository } from '../../access/find-repository.ts';
import { findUserById } from '../../access/find-user.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { StoredEvent } from '../../events/events.ts';
import { isAncestor, listCommits, mergeBase } from '../../git/history/log.ts';
import { movedHistory } from '../../git/history/moved-history.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { runGit } from '../../git/processes/process.ts';
import { type GitRepository, isObjectId } from '../../git/repository.ts';
import { conflict } from '../../http/errors.ts';
import type { Issue } from '../../issues/find.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { type Pull, withIssues } from '../find.ts';
import { baseTip } from '../mergeability/check.ts';
import { checkedPull } from './checked-pull.ts';
import { finishMerge } from './finish.ts';
import { requireStyle } from './merge.ts';
import { requireMergeable } from './ready.ts';

const BRANCHES = 'refs/heads/';
/** Maximum number of commits of one push in which heads of pull requests are searched. */
const MAX_COMMITS = 20_000;
/** How many commits one query searches. */
const BATCH = 500;

/**
 * Marks a pull request as merged that a user has merged with git.
 * @param commitId the commit of the base branch that merged it
 * @throws HttpError 404 when it is closed, 405 when the caller may not merge or the repository does not allow this, 409 for other commits
 */
export async function markMergedManually(context: Context, pull: Pull, commitId: string): Promise<void> {
  signedInActor(context);
  await requireMergeable(context, pull, { kind: 'manual', force: false });
  requireStyle(pull, 'manually-merged');
  const { git } = context;
  const folder = git.locate(pull.issue.repository);
  const tip = baseTip(context, pull);
  const id = commitId.toLowerCase();
  const commit = isObjectId(id, folder.objectFormat) ? await readCommit(folder, git.pool, id) : undefined;
  const isThere = commit && tip !== undefined && (await isAncestor(folder, git.pool, commit.oid, tip));
  if (!isThere) throw conflict('Wrong commit ID');
  const isNew = await finishMerge(context, pull, manualMerge(pull, commit.oid, commit.author.seconds));
  if (!isNew) throw conflict('the pull request has changed meanwhile');
}

/** After a push, where the repository detects manual merges: it may have merged pull requests. */
export async function noticeMerges({ payload }: StoredEvent<'refs.changed'>, context: Context): Promise<void> {
  const repository = await findRepository(context.db, payload.repositoryId);
  if (!repository?.units.pulls?.autodetectManualMerge) return;
  for (const { ref, oldId, newId } of payload.updates) {
    if (!ref.startsWith(BRANCHES) || isNone(oldId) || isNone(newId)) continue;
    const { repositoryId, actorId } = payload;
    await context.jobs.add(context, 'pulls.notice-merges', { repositoryId, actorId, branch: ref.slice(BRANCHES.length), oldId, newId });
  }
}

/** Marks open pull requests whose heads a push has added to their base as merged, in the name of the pusher. */
export async function findMerges({ repositoryId, actorId, ...push }: Jobs['pulls.notice-merges'], context: Context): Promise<void> {
  const repository = await findRepository(context.db, repositoryId);
  if (!repository) return;
  const actor = (await findUserById(context.db, actorId)) ?? repository.owner;
  const { pool } = context.git;
  const folder = context.git.locate(repository);
  for (const found of await arrived(context, repository, push)) {
    // The same push may have moved the head.
    const pull = await checkedPull(context, found);
    const isOpen = pull.merged_commit_id === '' && !pull.issue.is_closed && pull.base_branch === push.branch;
    if (!isOpen || !(await isAncestor(folder, pool, pull.head_id, push.newId))) continue;
    const commit = await mergeOf(context, repository, pull.head_id, push.newId);
    // By now the base has all of its commits: what it changes is seen from where the base was.
    const base = (await mergeBase(folder, pool, push.oldId, pull.head_id)) ?? pull.merge_base;
    await finishMerge({ ...context, actor }, { ...pull, merge_base: base }, manualMerge(pull, commit.id, commit.at));
  }
}

/** Whether this commit merged this pull request: then it is the source of the number in its message. */
export async function isMergeOf({ db }: Context, { id }: Issue, commitId: string): Promise<boolean> {
  const pull = await db.selectFrom('pull_requests').select('merged_commit_id').where('issue_id', '=', id).executeTakeFirst();
  return pull?.merged_commit_id === commitId;
}

function isNone(id: string): boolean {
  return /^0+$/.test(id);
}

function manualMerge({ base_branch, head_id }: Pull, commit: string, at: number | undefined) {
  const style = 'manually-merged' as const;
  return { style, base_branch, head_id, commit_id: commit, is_automatic: false, ...(at !== undefined && { at }) };
}

/** The open pull requests to a branch whose heads are among its new commits. */
async function arrived(
  { db, git }: Context,
  repository: Repository,
  { branch, ...move }: { branch: string; oldId: string; newId: string },
): Promise<Pull[]> {
  const folder = git.locate(repository);
  const history = await movedHistory(folder, git.pool, move);
  if (!history?.exclude) return [];
  const ids = await listCommits(folder, git.pool, history, { limit: MAX_COMMITS });
  const pulls: Pull[] = [];
  for (let at = 0; at < ids.length; at += BATCH) {
    const rows = await db
      .selectFrom('pull_requests')
      .selectAll()
      .where('repository_id', '=', repository.id)
      .where('base_branch', '=', branch)
      .where('merged_commit_id', '=', '')
      .where('head_id', 'in', ids.slice(at, at + BATCH))
      .execute();
    pulls.push(...(await withIssues(db, rows)).filter(({ issue }) => !issue.is_closed));
  }
  return pulls;
}

/** The first merge that brought a head into a branch; the head itself after a fast-forward. */
async function mergeOf(
  { git }: Context,
  repository: Repository,
  head: string,
  tip: string,
): Promise<{ id: string; at: number | undefined }> {
  const folder = git.locate(repository);
  const id = (await firstMerge(folder, head, tip)) ?? head;
  return { id, at: (await readCommit(folder, git.pool, id))?.author.seconds };
}

async function firstMerge(folder: GitRepository, head: string, tip: string): Promise<string | undefined> {
  const args = ['rev-list', '--ancestry-path', '--merges', '--reverse', '--end-of-options', `${head}..${tip}`, '--'];
  const { stdout } = await runGit(args, { cwd: folder.path });
  return stdout.toString('latin1').split('\n', 1)[0] || undefined;
}
