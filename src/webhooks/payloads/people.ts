import { findUserById } from '../../access/find-user.ts';
import { ACTIONS_ID, actionsUser, ghost } from '../../accounts/users/ghost.ts';
import { placeholderEmail, presentUser } from '../../accounts/users/present.ts';
import type { User as UserShape } from '../../accounts/users/schema.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Shape } from '../../http/schema.ts';

/** The actor, even if deleted since. */
export async function actorOf({ db }: Context, id: number): Promise<User> {
  return (await findUserById(db, id)) ?? (id === ACTIONS_ID ? actionsUser : ghost);
}

/** The actor, as everybody sees them. */
export function presentSender(context: Context, actor: User): Shape<typeof UserShape> {
  return presentUser(context, actor, null);
}

/**
 * The context for presenting a payload as the actor. But others read it, so private fields of the account, its
 * hidden e-mail address, and administrators' view of others are left out.
 */
export function asSeenBy(context: Context, actor: User): Context {
  const email = actor.keep_email_private ? placeholderEmail(context, actor) : actor.email;
  const shown = { ...actor, email, is_admin: false, login_name: '', source_id: 0, language: '', last_login_at: 0 };
  return { ...context, actor: shown.id > 0 ? shown : null };
}
