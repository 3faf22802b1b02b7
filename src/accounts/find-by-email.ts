import type { Context } from '../context.ts';
import { preparedIn } from '../database/prepared.ts';
import type { User } from '../database/tables/accounts.ts';

/** How many e-mail addresses one query searches. */
const BATCH = 200;

const withEmails = preparedIn(
  (db, emails: readonly string[]) =>
    db
      .selectFrom('email_addresses')
      .innerJoin('users', 'users.id', 'email_addresses.user_id')
      .selectAll('users')
      .select('lower_email')
      .where('lower_email', 'in', emails)
      .where('is_activated', '=', true),
  { isCached: true },
);

/**
 * The users by e-mail addresses in commits: by a confirmed address, or by the substitute that the server gives to users who
 * hide theirs (`id+name@…` or `name@…`). The keys are the addresses in lower case.
 */
export async function findUsersByEmails(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  emails: Iterable<string>,
): Promise<Map<string, User>> {
  const wanted = [...new Set([...emails].map((email) => email.toLowerCase()))].filter((email) => email !== '');
  const found = new Map<string, User>();
  for (let at = 0; at < wanted.length; at += BATCH) {
    const rows = await withEmails(db, wanted.slice(at, at + BATCH));
    for (const row of rows) found.set(row.lower_email, row);
  }
  const ending = `@${settings.users.noReplyDomain.toLowerCase()}`;
  const hidden = wanted.filter((email) => email.endsWith(ending) && !found.has(email));
  for (let at = 0; at < hidden.length; at += BATCH) await findHidden(db, hidden.slice(at, at + BATCH), ending, found);
  return found;
}

async function findHidden(db: Context['db'], emails: string[], ending: string, found: Map<string, User>): Promise<void> {
  const named = emails.map((email) => ({ email, ...readLocalPart(email.slice(0, -ending.length)) }));
  const ids = named.map(({ id }) => id).filter((id) => id !== 0);
  const names = named.filter(({ id }) => id === 0).map(({ name }) => name);
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('type', '=', 'individual')
    .where((where) =>
      where.or([...(ids.length > 0 ? [where('id', 'in', ids)] : []), ...(names.length > 0 ? [where('lower_name', 'in', names)] : [])]),
    )
    .execute();
  for (const { email, id, name } of named) {
    const user = rows.find((row) => (id === 0 ? row.lower_name === name : row.id === id));
    if (user) found.set(email, user);
  }
}

/** Parses `12+name`: the id counts, as the name may have changed since. */
function readLocalPart(local: string): { id: number; name: string } {
  const [, digits, name] = /^(\d{1,15})\+(.*)$/.exec(local) ?? [];
  return digits === undefined ? { id: 0, name: local } : { id: Number(digits), name: name ?? '' };
}
