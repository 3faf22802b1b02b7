import type { Repository } from '../access/find-repository.ts';
import { repositoryAccess } from '../access/repository-access.ts';
import { isBlocked } from '../accounts/blocks/blocked.ts';
import { signedInActor } from '../accounts/sign-in/actor.ts';
import { type Context, inTransaction } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { Team } from '../database/tables/organizations.ts';
import type { NewPull as NewPullRow, PullRow } from '../database/tables/pulls.ts';
import { listCommits, mergeBase } from '../git/history/log.ts';
import { conflict, forbidden } from '../http/errors.ts';
import { createIssue, type NewIssue } from '../issues/create.ts';
import { belongsTo } from '../repositories/collaborators/candidates.ts';
import { requestCodeOwners } from './code-owners/request-reviews.ts';
import { findPullById, type Pull } from './find.ts';
import { addPushEvent, MAX_NAMED_COMMITS } from './heads/push-events.ts';
import { syncHead } from './heads/sync.ts';
import { takeOver } from './heads/take-over.ts';
import { keepHeadNow } from './heads/write-ref.ts';
import { checkWithin, knownWithin, mergeabilityColumns } from './mergeability/check.ts';
import { findMergeability } from './mergeability/mergeability.ts';
import { requestFirstReviews } from './reviews/requests.ts';

/** How long the response to a new pull request waits for its mergeability, in milliseconds. */
const PATIENCE_MS = 5000;

/** One side of a new pull request. */
export interface BranchAt {
  readonly repository: Repository;
  readonly branch: string;
  /** The commit. */
  readonly id: string;
}

/** A new pull request. */
export interface NewPull extends Pick<NewIssue, 'title' | 'body' | 'assignees' | 'deadline' | 'milestoneId' | 'labelIds'> {
  readonly base: BranchAt;
  readonly head: BranchAt;
  readonly flow: PullRow['flow'];
  readonly allowMaintainerEdit: boolean;
  readonly reviewers: readonly User[];
  readonly reviewerTeams: readonly Team[];
}

/**
 * Opens a pull request in the caller's name. The commits of the head are copied to the base repository first, the ref that keeps them
 * is written after the row.
 * @throws HttpError 403 for blocked users and for strangers without a right to the head, 409 when these branches have a pull request already
 */
export async function createPull(context: Context, fields: NewPull): Promise<Pull> {
  const { base, head } = fields;
  const { repository } = base;
  await requireMayOpen(context, fields);
  await takeOver(context, head.repository, repository, { want: head.id, have: base.id });
  const { pool } = context.git;
  const folder = context.git.locate(repository);
  const columns = await firstColumns(context, fields);
  const commits = await listCommits(folder, pool, { head: head.id, exclude: [base.id] }, { limit: MAX_NAMED_COMMITS });
  const id = await inTransaction(context, async (context) => {
    let row: PullRow | undefined;
    const issue = await createIssue(context, repository, { ...fields, ref: '', isPull: true, isClosed: false }, async (context, issue) => {
      await refuseSecond(context, { ...fields, authorId: signedInActor(context).id });
      row = await context.db
        .insertInto('pull_requests')
        .values({
          issue_id: issue.id,
          repository_id: repository.id,
          number: issue.number,
          base_branch: base.branch,
          head_repository_id: head.repository.id,
          head_branch: head.branch,
          flow: fields.flow,
          head_id: head.id,
          ...columns,
          allow_maintainer_edit: fields.allowMaintainerEdit,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
    if (!row) throw new Error('a pull request was lost on its way');
    if (commits.length > 0) await addPushEvent(context, issue, { is_force_push: false, commit_ids: [...commits].reverse() });
    await requestFirstReviews(context, { ...row, issue: { ...issue, isNew: true } }, fields.reviewers, fields.reviewerTeams);
    return row.id;
  });
  await keepHeadNow(context, id);
  const opened = await caughtUp(context, id, repository);
  await requestCodeOwners(context, opened);
  return opened;
}

/** The mergeability, as far as it is known by then: if it takes longer, or fails, a later check completes it. */
async function firstColumns(
  context: Context,
  { base, head }: NewPull,
): Promise<Pick<NewPullRow, 'merge_base' | 'conflicted_files' | 'changed_protected_files'>> {
  const { git, log } = context;
  const sides = { base: base.id, head: head.id };
  const finding = findMergeability(context, base.repository, base.branch, sides).catch((error: unknown) => {
    log.error({ repository: base.repository.id, ...sides, err: error }, 'a new pull request could not be checked');
    return undefined;
  });
  const found = await knownWithin(finding, PATIENCE_MS);
  if (found) return mergeabilityColumns(sides, found);
  const from = await mergeBase(git.locate(base.repository), git.pool, base.id, head.id);
  return { merge_base: from ?? base.id, conflicted_files: '[]', changed_protected_files: '[]' };
}

/** A push during the creation did not find the pull request: its updates are applied now. */
async function caughtUp(context: Context, id: number, repository: Repository): Promise<Pull> {
  const pull = await findPullById(context.db, id);
  if (pull) await syncHead(context, pull);
  const checked = pull && ((await checkWithin(context, pull, PATIENCE_MS)) ?? (await findPullById(context.db, id)));
  if (!checked) throw new Error('a pull request went as soon as it was opened');
  return { ...checked, issue: { ...checked.issue, repository } };
}

/** Requires a user who belongs to the base, or could push to the head; a push to `refs/for/` has proved enough. */
async function requireMayOpen(context: Context, { base, head, flow }: NewPull): Promise<void> {
  const actor = signedInActor(context);
  if (await isBlocked(context.db, base.repository.owner_id, actor)) throw forbidden('user is blocked');
  if (actor.is_admin || flow === 'agit' || (await belongsTo(context, base.repository, actor, ['code']))) return;
  const access = await repositoryAccess(context, head.repository, actor);
  if (!access.canWrite('code')) throw forbidden('user must be a collaborator');
}

/**
 * Two branches have at most one open pull request; of a topic in `refs/for/`, each author has one.
 * @throws HttpError 409
 */
export async function refuseSecond(
  { db }: Pick<Context, 'db'>,
  {
    base,
    head,
    flow,
    authorId,
  }: {
    base: Pick<BranchAt, 'repository' | 'branch'>;
    head: { repository: Pick<Repository, 'id'>; branch: string };
    flow: PullRow['flow'];
    authorId: number;
  },
): Promise<void> {
  const other = await db
    .selectFrom('pull_requests')
    .innerJoin('issues', 'issues.id', 'pull_requests.issue_id')
    .selectAll('pull_requests')
    .where('pull_requests.head_repository_id', '=', head.repository.id)
    .where('pull_requests.head_branch', '=', head.branch)
    .where('pull_requests.repository_id', '=', base.repository.id)
    .where('pull_requests.base_branch', '=', base.branch)
    .where('pull_requests.flow', '=', flow)
    .$if(flow === 'agit', (pulls) => pulls.where('issues.author_id', '=', authorId))
    .where('issues.is_closed', '=', false)
    .orderBy('pull_requests.id')
    .executeTakeFirst();
  if (!other) return;
  const facts = `id: ${other.id}, issue_id: ${other.number}, head_repo_id: ${head.repository.id}, base_repo_id: ${other.repository_id}`;
  throw conflict(
    `pull request already exists for these targets [${facts}, head_branch: ${other.head_branch}, base_branch: ${other.base_branch}]`,
  );
}
