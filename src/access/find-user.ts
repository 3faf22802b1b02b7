import type { Db } from '../database/database.ts';
import { prepared, preparedIn } from '../database/prepared.ts';
import type { User } from '../database/tables/accounts.ts';

const byName = prepared((db, lowerName: string) => db.selectFrom('users').selectAll().where('lower_name', '=', lowerName), {
  isCached: true,
});
const byId = prepared((db, id: number) => db.selectFrom('users').selectAll().where('id', '=', id), { isCached: true });
const byIds = preparedIn((db, ids) => db.selectFrom('users').selectAll().where('id', 'in', ids), { isCached: true });

/** The user or organization of this name, case-insensitively. */
export async function findUser(db: Db, name: string): Promise<User | undefined> {
  return (await byName(db, name.toLowerCase()))[0];
}

/** The user or organization with this id. */
export async function findUserById(db: Db, id: number): Promise<User | undefined> {
  return (await byId(db, id))[0];
}

/** The user with this confirmed e-mail address. */
export function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return db
    .selectFrom('email_addresses')
    .innerJoin('users', 'users.id', 'email_addresses.user_id')
    .selectAll('users')
    .where('lower_email', '=', email.toLowerCase())
    .where('is_activated', '=', true)
    .executeTakeFirst();
}

/** The users with these ids, by id. */
export async function findUsersById(db: Db, ids: Iterable<number>): Promise<Map<number, User>> {
  return new Map((await byIds(db, ids)).map((row) => [row.id, row]));
}

/** The account that used to have this name, if any. */
export async function findRenamedUser(db: Db, name: string): Promise<User | undefined> {
  return db
    .selectFrom('user_redirects')
    .innerJoin('users', 'users.id', 'user_redirects.user_id')
    .selectAll('users')
    .where('user_redirects.lower_name', '=', name.toLowerCase())
    .executeTakeFirst();
}
