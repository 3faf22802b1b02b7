import { repositoryAccess } from '../../access/repository-access.ts';
import { isListed } from '../../accounts/blocks/blocked.ts';
import type { Context } from '../../context.ts';
import { preparedIn } from '../../database/prepared.ts';
import type { User } from '../../database/tables/accounts.ts';
import { canReadIssue, type Issue } from '../find.ts';

/** Maximum number of names in one text that are looked up. */
const MAX_MENTIONS = 100;

/** The mentioned users who may read the issue, including members of teams; without the caller, and without users who have blocked them. */
export async function findMentioned(
  context: Context,
  issue: Pick<Issue, 'repository' | 'is_pull'>,
  names: readonly string[],
): Promise<User[]> {
  const lowerNames = [...new Set(names.map((name) => name.toLowerCase()))].slice(0, MAX_MENTIONS);
  const { owner } = issue.repository;
  const teams = owner.type === 'organization' ? teamNames(lowerNames, owner.lower_name) : [];
  const people = lowerNames.filter((name) => !name.includes('/'));
  const found = [...(await usersByName(context.db, people)), ...(await membersOf(context, owner.id, teams))];
  const mentioned: User[] = [];
  for (const user of new Map(found.map((user) => [user.id, user])).values()) {
    if (user.id === context.actor?.id) continue;
    if (!canReadIssue(await repositoryAccess(context, issue.repository, user), issue)) continue;
    if (context.actor && (await isListed(context.db, user.id, context.actor.id))) continue;
    mentioned.push(user);
  }
  return mentioned;
}

/** Records the users mentioned in an issue, for the filter of lists. */
export async function rememberMentions({ db }: Context, issueId: number, users: readonly User[]): Promise<void> {
  if (users.length === 0) return;
  await db
    .insertInto('issue_mentions')
    .values(users.map((user) => ({ issue_id: issueId, user_id: user.id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function teamNames(names: readonly string[], organization: string): string[] {
  return names.flatMap((name) => (name.startsWith(`${organization}/`) ? name.slice(organization.length + 1) : []));
}

const usersByName = preparedIn((db, names: readonly string[]) =>
  db
    .selectFrom('users')
    .selectAll()
    .where('lower_name', 'in', names)
    .where('type', '=', 'individual')
    .where('is_active', '=', true)
    .where('prohibit_login', '=', false),
);

async function membersOf({ db }: Context, organizationId: number, teams: readonly string[]): Promise<User[]> {
  if (teams.length === 0) return [];
  return db
    .selectFrom('teams')
    .innerJoin('team_members', 'team_members.team_id', 'teams.id')
    .innerJoin('users', 'users.id', 'team_members.user_id')
    .selectAll('users')
    .where('teams.organization_id', '=', organizationId)
    .where('teams.lower_name', 'in', [...teams])
    .where('users.is_active', '=', true)
    .where('users.prohibit_login', '=', false)
    .execute();
}
