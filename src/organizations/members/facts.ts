import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';

/** What members of an organization know about each other; only its owners know about two-factor authentication. */
export interface MemberFacts {
  readonly isPublic: boolean;
  readonly isOwner: boolean;
  readonly hasTwoFactor: boolean;
}

/** The facts about some members, by their ids. */
export async function memberFacts(
  { db }: Pick<Context, 'db'>,
  organization: User,
  users: readonly User[],
): Promise<Map<number, MemberFacts>> {
  const ids = users.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const memberships = await db
    .selectFrom('organization_members')
    .select(['user_id', 'is_public'])
    .where('organization_id', '=', organization.id)
    .where('user_id', 'in', ids)
    .execute();
  const owners = await db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .select('team_members.user_id')
    .where('team_members.organization_id', '=', organization.id)
    .where('team_members.user_id', 'in', ids)
    .where('teams.access_level', '=', 4)
    .execute();
  const secured = await db.selectFrom('two_factors').select('user_id').where('user_id', 'in', ids).execute();
  const has = (rows: readonly { user_id: number }[], id: number) => rows.some(({ user_id }) => user_id === id);
  return new Map(
    memberships.map(({ user_id: id, is_public: isPublic }) => [id, { isPublic, isOwner: has(owners, id), hasTwoFactor: has(secured, id) }]),
  );
}
