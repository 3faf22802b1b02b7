import { findUsersById } from '../access/find-user.ts';
import { ACTIONS_ID, actionsUser, ghost } from '../accounts/users/ghost.ts';
import { presentUser, type Viewer } from '../accounts/users/present.ts';
import type { User as UserShape } from '../accounts/users/schema.ts';
import type { Context } from '../context.ts';
import type { Db } from '../database/database.ts';
import type { User } from '../database/tables/accounts.ts';
import { presentOnce } from '../http/present-once.ts';
import type { Shape } from '../http/schema.ts';

/** Maps ids to users: including automation, and the ghost for deleted users. */
export type People = (id: number) => User;

/**
 * {@link People} for these ids, with at most one query.
 * @param known users that have been loaded already, such as the caller
 */
export async function findPeople(db: Db, ids: Iterable<number>, known: readonly (User | null)[] = []): Promise<People> {
  const users = new Map(known.flatMap((user) => (user ? [[user.id, user] as const] : [])));
  const missing = [...new Set(ids)].filter((id) => id > 0 && !users.has(id));
  for (const [id, user] of await findUsersById(db, missing)) users.set(id, user);
  return (id) => users.get(id) ?? (id === ACTIONS_ID ? actionsUser : ghost);
}

/** Those people on the wire, each presented once, for lists that repeat them. */
export function presentPeople(context: Context, people: People, viewer: Viewer): (id: number) => Shape<typeof UserShape> {
  const present = presentOnce((user: User) => presentUser(context, user, viewer));
  return (id) => present(people(id));
}
