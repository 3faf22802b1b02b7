import type { Repository } from '../../access/find-repository.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import { isAncestor } from '../../git/history/log.ts';
import { readCommit, summary } from '../../git/objects/commits.ts';
import { PROC_RECEIVE_PREFIX, type ProcReceived } from '../../git/protocol/proc-receive.ts';
import type { PushCommand } from '../../git/protocol/push-commands.ts';
import { isValidBranchName } from '../../git/refs/ref-names.ts';
import { zeroObjectId } from '../../git/repository.ts';
import { HttpError } from '../../http/errors.ts';
import { refuseBlocked } from '../../issues/blocked.ts';
import { canWriteIssue } from '../../issues/find.ts';
import { createPull } from '../create.ts';
import { headRef, type Pull, withIssues } from '../find.ts';
import { moveHead } from '../heads/sync.ts';
import { type ForOptions, readForOptions } from './options.ts';
import { findForTarget } from './target.ts';

/** Users who may read code and pull requests may open one by a push. */
export async function refuseForRefs(context: Context, repository: Repository): Promise<string | undefined> {
  const access = await repositoryAccess(context, repository, context.actor);
  const mayOpen = context.actor !== null && access.canRead('pulls') && access.canRead('code');
  if (!mayOpen) return 'User permission denied for creating pull-request.';
  return repository.is_empty ? "Can't create pull request for an empty repository." : undefined;
}

/**
 * Opens a pull request for each commit that is pushed to `refs/for/BRANCH/TOPIC`, or to `refs/for/BRANCH` with the option `topic`; the
 * next commit that the same user pushes for the same topic becomes its head. The objects are already in the repository.
 */
export async function takeForRefs(
  context: Context,
  repository: Repository,
  { commands, options }: { commands: readonly PushCommand[]; options: readonly string[] },
): Promise<ProcReceived[]> {
  const requested = readForOptions(options);
  const results: ProcReceived[] = [];
  for (const command of commands) {
    try {
      results.push(await take(context, repository, command, requested));
    } catch (error) {
      if (!(error instanceof HttpError)) context.log.error({ repository: repository.id, err: error }, 'a pushed pull request failed');
      results.push({ ref: command.ref, refused: error instanceof HttpError ? error.message : 'internal error' });
    }
  }
  return results;
}

async function take(context: Context, repository: Repository, { ref, after }: PushCommand, requested: ForOptions): Promise<ProcReceived> {
  const refused = (reason: string): ProcReceived => ({ ref, refused: reason });
  if (/^0+$/.test(after)) return refused("Can't delete not exist branch");
  const target = await findForTarget(context, repository, ref.slice(PROC_RECEIVE_PREFIX.length));
  if (!target) return refused('base-branch does not exist');
  const topic = target.topic || requested.topic;
  if (topic === '') return refused('topic-branch is not set');
  // Two users may choose the same topic.
  const owned = `${context.actor?.lower_name ?? ''}/`;
  const branch = topic.startsWith(owned) ? topic : owned + topic;
  if (!isValidBranchName(branch)) return refused('topic-branch is not a name of a branch');
  const commit = await readCommit(context.git.locate(repository), context.git.pool, after);
  if (!commit) return refused('only commits become pull requests');
  const pull = await findOpenFor(context, repository, { base: target.branch, branch });
  if (pull) return update(context, pull, { ref, after }, requested);
  const title = requested.title || summary(commit.message) || topic;
  // Unchanged, including the final line end.
  const [, ...paragraphs] = commit.message.split('\n\n');
  const made = await createPull(context, {
    base: { repository, branch: target.branch, id: target.tip },
    head: { repository, branch, id: after },
    flow: 'agit',
    title,
    body: requested.description || paragraphs.join('\n\n') || title,
    allowMaintainerEdit: false,
    assignees: [],
    deadline: null,
    milestoneId: null,
    labelIds: [],
    reviewers: [],
    reviewerTeams: [],
  });
  return { ref, moved: { ref: headRef(made), before: zeroObjectId(repository.object_format), after } };
}

/** The caller's own: the name may have belonged to a user who was deleted. */
async function findOpenFor(
  { db, actor }: Context,
  repository: Repository,
  { base, branch }: { base: string; branch: string },
): Promise<Pull | undefined> {
  const rows = await db
    .selectFrom('pull_requests')
    .innerJoin('issues', 'issues.id', 'pull_requests.issue_id')
    .selectAll('pull_requests')
    .where('pull_requests.repository_id', '=', repository.id)
    .where('pull_requests.base_branch', '=', base)
    .where('pull_requests.head_branch', '=', branch)
    .where('pull_requests.flow', '=', 'agit')
    .where('issues.is_closed', '=', false)
    .where('issues.author_id', '=', actor?.id ?? 0)
    .execute();
  return (await withIssues(db, rows))[0];
}

async function update(
  context: Context,
  pull: Pull,
  { ref, after }: Pick<PushCommand, 'ref' | 'after'>,
  { force }: ForOptions,
): Promise<ProcReceived> {
  const { git } = context;
  await refuseBlocked(context, pull.issue);
  const access = await repositoryAccess(context, pull.issue.repository, context.actor);
  if (pull.issue.is_locked && !canWriteIssue(access, pull.issue)) return { ref, refused: 'the pull request is locked' };
  const before = pull.head_id;
  if (before === after) return { ref, refused: 'new commit is same with old commit' };
  const isForced = !(await isAncestor(git.locate(pull.issue.repository), git.pool, before, after));
  if (isForced && !force) return { ref, refused: 'request `force-push` push option' };
  if (!(await moveHead(context, pull, after))) return { ref, refused: 'the pull request has changed meanwhile' };
  return { ref, moved: { ref: headRef(pull), before, after, forced: isForced } };
}
