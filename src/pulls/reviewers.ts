import type { Repository } from '../access/find-repository.ts';
import { findUser, findUserByEmail } from '../access/find-user.ts';
import { isUserVisible } from '../access/user-visibility.ts';
import { presentUser } from '../accounts/users/present.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { Team } from '../database/tables/organizations.ts';
import { notFound, unprocessable } from '../http/errors.ts';

const MAX_REVIEWERS = 100;

/**
 * The users of these names or e-mail addresses (as the caller sees them), and the teams of these names in the owning organization. Other
 * owners have no teams: their names are ignored then.
 * @throws HttpError 404 for unknown names, 422 for too many
 */
export async function findReviewers(
  context: Context,
  repository: Repository,
  { reviewers = [], team_reviewers: teamNames = [] }: { reviewers?: readonly string[]; team_reviewers?: readonly string[] },
): Promise<{ users: User[]; teams: Team[] }> {
  if (reviewers.length + teamNames.length > MAX_REVIEWERS) throw unprocessable(`more than ${MAX_REVIEWERS} reviewers`);
  const { db } = context;
  const users: User[] = [];
  for (const name of reviewers) {
    const user = await (name.includes('@') ? findByShownEmail(context, name) : findUser(db, name));
    if (!user) throw notFound(null, `User '${name}' not exist`);
    users.push(user);
  }
  if (repository.owner.type !== 'organization') return { users, teams: [] };
  const teams: Team[] = [];
  for (const name of teamNames) {
    const team = await db
      .selectFrom('teams')
      .selectAll()
      .where('organization_id', '=', repository.owner_id)
      .where('lower_name', '=', name.toLowerCase())
      .executeTakeFirst();
    if (!team) throw notFound(null, `Team '${name}' not exist`);
    teams.push(team);
  }
  return { users, teams };
}

/** Finds a user by e-mail address only if the user shows it, so that nobody can test hidden ones. */
async function findByShownEmail(context: Context, email: string): Promise<User | undefined> {
  const user = await findUserByEmail(context.db, email);
  if (!user || !(await isUserVisible(context.db, user, context.actor))) return undefined;
  return presentUser(context, user).email.toLowerCase() === email.toLowerCase() ? user : undefined;
}
