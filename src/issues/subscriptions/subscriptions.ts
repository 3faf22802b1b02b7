import { findUser } from '../../access/find-user.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { TimelineKind } from '../../database/tables/issues.ts';
import { forbidden, notFound } from '../../http/errors.ts';
import { type Page, totalOf } from '../../http/paging.ts';
import { watchMode } from '../../repositories/watches/watches.ts';
import { canReadIssue, type Issue } from '../find.ts';

/** The kinds of timeline rows whose authors are participants. */
export const PARTICIPATION: readonly TimelineKind[] = ['comment', 'code', 'review'];

/** Whether a user is subscribed to an issue: explicitly, or as a watcher of the repository or a participant. */
export async function isSubscribed({ db }: Context, issue: Issue, user: User): Promise<boolean> {
  const own = await ownWish(db, issue, user);
  if (own !== undefined) return own;
  const mode = await watchMode(db, issue.repository_id, user.id);
  return (mode !== undefined && mode !== 'ignored') || (await takesPart(db, issue, user));
}

async function ownWish(db: Db, issue: Issue, user: User): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('issue_watches')
    .select('is_watching')
    .where('issue_id', '=', issue.id)
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  return row?.is_watching;
}

async function takesPart(db: Db, issue: Issue, user: User): Promise<boolean> {
  if (issue.author_id === user.id) return true;
  const row = await db
    .selectFrom('comments')
    .select('id')
    .where('issue_id', '=', issue.id)
    .where('kind', 'in', [...PARTICIPATION])
    .where('author_id', '=', user.id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The author of an issue, and commenters and reviewers, at most `limit` of them, with the number of all. */
export async function listParticipants({ db }: Context, issue: Issue, limit: number): Promise<{ users: User[]; total: number }> {
  const found = db.selectFrom('users').where((where) =>
    where.or([
      where('users.id', '=', issue.author_id),
      where('users.id', 'in', (select) =>
        select
          .selectFrom('comments')
          .select('author_id')
          .where('issue_id', '=', issue.id)
          .where('kind', 'in', [...PARTICIPATION])
          .where((where) => where.or([where('review_id', 'is', null), where('kind', '=', 'review')])),
      ),
    ]),
  );
  const users = await found.selectAll('users').orderBy('users.id').limit(limit).execute();
  const count = () => found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { users, total: await totalOf({ limit, offset: 0 }, users, count) };
}

/** The users who subscribed to an issue explicitly and can be notified. */
export async function listSubscribers({ db }: Context, issue: Issue, page: Page): Promise<{ users: User[]; total: number }> {
  const found = db
    .selectFrom('issue_watches')
    .innerJoin('users', 'users.id', 'issue_watches.user_id')
    .where('issue_watches.issue_id', '=', issue.id)
    .where('issue_watches.is_watching', '=', true)
    .where('users.is_active', '=', true)
    .where('users.prohibit_login', '=', false);
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const users = await found.selectAll('users').orderBy('users.id').limit(page.limit).offset(page.offset).execute();
  return { users, total: Number(total) };
}

/**
 * The user whose subscription the caller may change: the caller, or for an administrator anybody who may see the issue.
 * @throws HttpError 404, 403
 */
export async function findSubscriber(context: Context, issue: Issue, name: string): Promise<User> {
  const actor = signedInActor(context);
  const user = await findUser(context.db, name);
  if (user?.type !== 'individual') throw notFound();
  if (user.id !== actor.id && !actor.is_admin) throw forbidden(`${actor.name} is not permitted to change subscriptions for ${user.name}`);
  if (!canReadIssue(await repositoryAccess(context, issue.repository, user), issue)) throw notFound();
  return user;
}

/** Subscribes a user to an issue, or unsubscribes them. Returns whether that is a change. */
export async function subscribe(context: Context, issue: Issue, user: User, isWatching: boolean): Promise<boolean> {
  if ((await isSubscribed(context, issue, user)) === isWatching) return false;
  await context.db
    .insertInto('issue_watches')
    .values({ issue_id: issue.id, user_id: user.id, is_watching: isWatching, created_at: now() })
    .onConflict((conflict) => conflict.columns(['issue_id', 'user_id']).doUpdateSet({ is_watching: isWatching }))
    .execute();
  return true;
}
