import type { RepositoryAccess } from '../../access/repository-access.ts';
import { isBlockedByAny } from '../../accounts/blocks/blocked.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { preparedIn } from '../../database/prepared.ts';
import type { ReactionRow } from '../../database/tables/issue-activity.ts';
import type { CommentRow } from '../../database/tables/issues.ts';
import { forbidden } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { canWriteIssue, type Issue } from '../find.ts';

/** The target of a reaction: an issue, or a comment of it. */
export interface ReactionTarget {
  readonly issue: Issue;
  readonly comment?: CommentRow;
}

/** The reactions to an issue or a comment, oldest first; only those that the instance still offers. */
export async function listReactions(
  { db, settings }: Context,
  target: ReactionTarget,
  page?: Page,
): Promise<{ reactions: ReactionRow[]; total: number }> {
  const offered = [...settings.ui.reactions];
  if (offered.length === 0) return { reactions: [], total: 0 };
  const given = reactionsTo(db, target).where('content', 'in', offered);
  const { total } = await given.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const reactions = await given
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .$if(page !== undefined, (query) => query.limit(page?.limit ?? 0).offset(page?.offset ?? 0))
    .execute();
  return { reactions, total: Number(total) };
}

/**
 * Adds a reaction in the caller's name; an existing one stays.
 * @throws HttpError 403 for one that is not offered, on locked issues, and for blocked users
 */
export async function react(
  context: Context,
  target: ReactionTarget,
  access: RepositoryAccess,
  content: string,
): Promise<{ reaction: ReactionRow; isNew: boolean }> {
  const { db, settings } = context;
  const actor = signedInActor(context);
  refuseLocked(target, access);
  const { issue, comment } = target;
  const around = [issue.author_id, issue.repository.owner_id, ...(comment ? [comment.author_id] : [])];
  if (await isBlockedByAny(db, around, actor)) throw forbidden('user is blocked');
  if (!settings.ui.reactions.includes(content)) throw forbidden(`'${content}' is not an allowed reaction`);
  const made = await db
    .insertInto('reactions')
    .values({ issue_id: issue.id, comment_id: comment?.id ?? null, user_id: actor.id, content, created_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (made) return { reaction: made, isNew: true };
  const own = reactionsTo(db, target).where('user_id', '=', actor.id).where('original_author_id', '=', 0).where('content', '=', content);
  return { reaction: await own.selectAll().executeTakeFirstOrThrow(), isNew: false };
}

/**
 * Removes a reaction of the caller, or all of them when none is named.
 * @throws HttpError 403 on locked issues
 */
export async function takeBackReaction(context: Context, target: ReactionTarget, access: RepositoryAccess, content: string): Promise<void> {
  refuseLocked(target, access);
  await context.db
    .deleteFrom('reactions')
    .where('issue_id', '=', target.issue.id)
    .where('comment_id', target.comment ? '=' : 'is', target.comment?.id ?? null)
    .where('user_id', '=', signedInActor(context).id)
    .where('original_author_id', '=', 0)
    .$if(content !== '', (query) => query.where('content', '=', content))
    .execute();
}

function reactionsTo(db: Db, { issue, comment }: ReactionTarget) {
  return db
    .selectFrom('reactions')
    .where('issue_id', '=', issue.id)
    .where('comment_id', comment ? '=' : 'is', comment?.id ?? null);
}

function refuseLocked({ issue }: ReactionTarget, access: RepositoryAccess): void {
  if (issue.is_locked && !canWriteIssue(access, issue)) throw forbidden('no permission to change reaction');
}

/** The number of reactions of one kind. */
export interface ReactionCount {
  readonly content: string;
  readonly count: number;
  /** Whether the caller has reacted so. */
  readonly isOwn: boolean;
}

const NO_COMMENT = 0;

/** Those of an issue itself and of these comments of it. */
const countsOf = preparedIn((db, commentIds, issueId: number, actorId: number) =>
  db
    .selectFrom('reactions')
    .where('issue_id', '=', issueId)
    .where((where) => where.or([where('comment_id', 'is', null), where('comment_id', 'in', [...commentIds])]))
    .groupBy(['comment_id', 'content'])
    .select(['comment_id', 'content', (select) => select.fn.countAll<number>().as('count')])
    .select((select) => select.fn.sum<number>(select.case().when('user_id', '=', actorId).then(1).else(0).end()).as('own')),
);

/**
 * The reactions to an issue and to comments of it, by the id of the comment (0 for the issue itself); only those that the instance offers.
 * @param commentIds of comments of the issue
 */
export async function countReactions(
  { db, settings, actor }: Context,
  { id }: Issue,
  commentIds: readonly number[],
): Promise<Map<number, ReactionCount[]>> {
  const offered = settings.ui.reactions;
  if (offered.length === 0) return new Map();
  const rows = await countsOf(db, commentIds.length > 0 ? commentIds : [NO_COMMENT], id, actor?.id ?? 0);
  const shown = rows.filter(({ content }) => offered.includes(content));
  const counts = shown.map((row) => ({ ...row, count: Number(row.count), isOwn: Number(row.own) > 0 }));
  counts.sort((a, b) => offered.indexOf(a.content) - offered.indexOf(b.content));
  return Map.groupBy(counts, (row) => row.comment_id ?? 0);
}
