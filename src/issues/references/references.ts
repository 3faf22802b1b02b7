import { findRepositoryOf, type Repository } from '../../access/find-repository.ts';
import { findUser } from '../../access/find-user.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import { isBlockedByAny } from '../../accounts/blocks/blocked.ts';
import type { Context } from '../../context.ts';
import { preparedIn } from '../../database/prepared.ts';
import type { CommentRow, ReferenceEffect } from '../../database/tables/issues.ts';
import type { FoundReference } from '../../markup/references.ts';
import { canReadIssue, canWriteIssue, findIssue, type Issue } from '../find.ts';
import { addEvent } from '../timeline/events.ts';

/** Maximum number of references of one text. */
export const MAX_REFERENCES = 100;

/** The location of a text that refers to issues. */
export interface Source {
  repository: Repository;
  isPull: boolean;
  /** The issue itself is not a target; undefined before it exists. */
  issueId?: number | undefined;
  /** The text is a comment, not a title or body. */
  isComment: boolean;
}

/** An issue that a text refers to, and the effect on it when the pull request with the text is merged. */
export interface Target {
  issue: Issue;
  effect: Exclude<ReferenceEffect, 'neutered'>;
}

/** The existing issues among these references that the caller may refer to; each once. */
export async function findTargets(context: Context, source: Source, references: readonly FoundReference[]): Promise<Target[]> {
  const targets = new Map<number, Target>();
  for (const reference of references.slice(0, MAX_REFERENCES)) {
    const issue = await referencedIssue(context, source.repository, reference);
    if (!issue || issue.id === source.issueId) continue;
    const effect = await effectOn(context, source, issue, reference);
    if (effect === undefined) continue;
    const known = targets.get(issue.id);
    if (!known) targets.set(issue.id, { issue, effect });
    else if (effect !== 'none') known.effect = effect;
  }
  return [...targets.values()];
}

/** The issue or pull request of a reference, if there is one; without any check of access. */
export async function referencedIssue(
  { db }: Context,
  from: Repository,
  { owner, name, index }: Pick<FoundReference, 'owner' | 'name' | 'index'>,
): Promise<Issue | undefined> {
  if (owner === '' && name === '') return findIssue(db, from, index);
  const account = owner === from.owner.lower_name ? from.owner : await findUser(db, owner);
  const repository = account && (await findRepositoryOf(db, account, name));
  return repository && findIssue(db, repository, index);
}

/** The effect of a reference; undefined when the caller may not refer to the issue. Only pull requests close and reopen, and only issues. */
async function effectOn(context: Context, source: Source, issue: Issue, { action }: FoundReference): Promise<Target['effect'] | undefined> {
  const isElsewhere = issue.repository_id !== source.repository.id;
  const { actor } = context;
  if (!actor || (!isElsewhere && action === undefined)) return 'none';
  const access = await repositoryAccess(context, issue.repository, actor);
  if (!canReadIssue(access, issue)) return undefined;
  if (await isBlockedByAny(context.db, [issue.author_id, issue.repository.owner_id], actor)) return undefined;
  if (action === undefined || issue.is_pull || !source.isPull) return 'none';
  // For a new pull request in the same repository, the rights of the merger decide about what it closes.
  const mayClose = actor.id === issue.author_id || canWriteIssue(access, issue) || (!isElsewhere && !source.isComment);
  return mayClose ? action : 'none';
}

/**
 * Records on the timelines of the targets that this issue, or a comment of it, refers to them; rows of references that an edit has
 * removed stay as neutered. The caller holds the lock of the issues of the targets' repositories.
 */
export async function refer(
  context: Context,
  from: Issue,
  comment: Pick<CommentRow, 'id'> | null,
  targets: readonly Target[],
  options: { isNew?: boolean } = {},
): Promise<void> {
  const before = options.isNew ? [] : await activeReferences(context, from.id, comment?.id ?? null);
  const kept = new Set<CommentRow>();
  for (const { issue, effect } of await remaining(context, targets)) {
    const same = before.find((row) => row.issue_id === issue.id && row.ref_effect === effect);
    if (same) kept.add(same);
    else {
      await addEvent(context, issue, comment ? 'comment_ref' : from.is_pull ? 'pull_ref' : 'issue_ref', {
        ref_repository_id: from.repository_id,
        ref_issue_id: from.id,
        ref_comment_id: comment?.id ?? null,
        ref_effect: effect,
        ref_is_pull: from.is_pull,
      });
    }
  }
  await neuter(
    context,
    before.filter((row) => !kept.has(row)),
  );
}

const existing = preparedIn((db, ids) => db.selectFrom('issues').select('id').where('id', 'in', ids));

/** Those that have not been deleted since they were found. */
async function remaining({ db }: Context, targets: readonly Target[]): Promise<Target[]> {
  const rows = await existing(
    db,
    targets.map(({ issue }) => issue.id),
  );
  return targets.filter(({ issue }) => rows.some(({ id }) => id === issue.id));
}

/** Removes the references of a comment. */
export async function takeBackReferences(context: Context, issueId: number, commentId: number): Promise<void> {
  await neuter(context, await activeReferences(context, issueId, commentId));
}

function activeReferences({ db }: Context, issueId: number, commentId: number | null): Promise<CommentRow[]> {
  return db
    .selectFrom('comments')
    .selectAll()
    .where('ref_issue_id', '=', issueId)
    .where('ref_comment_id', commentId === null ? 'is' : '=', commentId)
    .where('ref_effect', '!=', 'neutered')
    .execute();
}

async function neuter({ db }: Context, rows: readonly CommentRow[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await db.updateTable('comments').set({ ref_effect: 'neutered' }).where('id', 'in', ids).execute();
}
