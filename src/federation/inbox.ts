import { findUserById } from '../access/find-user.ts';
import { now } from '../clock.ts';
import { type Context, inTransaction } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { badRequest, forbidden } from '../http/errors.ts';
import type { JobRun } from '../jobs/job-work.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { actorId } from './actor.ts';
import type { ForeignActor } from './foreign-keys.ts';
import { signedFetch } from './sign.ts';

/** An activity as received: nothing in it is certain except its sender. */
type Activity = Record<string, unknown>;

/** @throws HttpError 400 for anything but a JSON object with a type */
export function readActivity(body: Buffer): Activity {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw badRequest('the activity is not JSON');
  }
  const isActivity = typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
  if (!isActivity) throw badRequest('the activity has no type');
  return value as Activity;
}

/**
 * Handles an activity from an actor of another instance: follows and unfollows. Others are accepted and change nothing.
 * @throws HttpError 403 if it is in another actor's name, 400 if it follows another user
 */
export async function receive(context: Context, user: User, actor: ForeignActor, activity: Activity): Promise<void> {
  if (idOf(activity.actor) !== actor.id) throw forbidden('the activity is in the name of another actor');
  if (activity.type === 'Follow') return follow(context, user, actor, activity);
  if (activity.type === 'Undo' && isFollow(activity.object)) return unfollow(context, user, actor, activity.object as Activity);
}

function isFollow(object: unknown): boolean {
  return typeof object === 'object' && object !== null && 'type' in object && object.type === 'Follow';
}

/** The id of an object that is given by its id or in full. */
function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' ? value.id : undefined;
}

async function follow(context: Context, user: User, actor: ForeignActor, activity: Activity): Promise<void> {
  if (idOf(activity.object) !== actorId(context, user)) throw badRequest('the activity follows somebody else');
  const { id } = activity;
  const object = { type: 'Follow', ...(typeof id === 'string' && { id }), actor: actor.id, object: actorId(context, user) };
  const accept = { '@context': 'https://www.w3.org/ns/activitystreams', type: 'Accept', actor: actorId(context, user), object };
  await inTransaction(context, async (context) => {
    await context.db
      .insertInto('federation_followers')
      .values({ user_id: user.id, actor: actor.id, inbox: actor.inbox, created_at: now() })
      .onConflict((conflict) => conflict.columns(['user_id', 'actor']).doUpdateSet({ inbox: actor.inbox }))
      .execute();
    await context.jobs.add(context, 'federation.deliver', { userId: user.id, inbox: actor.inbox, activity: JSON.stringify(accept) });
  });
}

async function unfollow(context: Context, user: User, actor: ForeignActor, undone: Activity): Promise<void> {
  const sameActor = undone.actor === undefined || idOf(undone.actor) === actor.id;
  if (!sameActor || idOf(undone.object) !== actorId(context, user)) throw badRequest('the activity undoes what somebody else did');
  await context.db.deleteFrom('federation_followers').where('user_id', '=', user.id).where('actor', '=', actor.id).execute();
}

/** How many actors of other instances follow the user. */
export async function countFollowers({ db }: Context, user: User): Promise<number> {
  const { count } = await db
    .selectFrom('federation_followers')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Brings an activity of a user to an inbox.
 * @throws Error if it was not accepted, so that it is retried
 */
export async function deliver(
  { userId, inbox, activity }: Jobs['federation.deliver'],
  context: Context,
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const user = await findUserById(context.db, userId);
  if (!user) return;
  const { status } = await signedFetch(context, user, inbox, { body: activity, signal });
  if (status >= 300) throw new Error(`${new URL(inbox).host} responded with ${status} to an activity`);
}
