import type { Repository } from '../../access/find-repository.ts';
import { findUsersById } from '../../access/find-user.ts';
import { presentUser } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { Shape } from '../../http/schema.ts';
import { presentTeams } from '../../organizations/teams/present.ts';
import type { RepoTransfer } from './schema.ts';

type Wire = Shape<typeof RepoTransfer>;

/** The pending transfers, by repository: no query if there are none. */
export async function presentTransfers(context: Context, repositories: readonly Repository[]): Promise<Map<number, Wire>> {
  const ids = repositories.filter(({ is_transferring }) => is_transferring).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const { db } = context;
  const rows = await db.selectFrom('repository_transfers').selectAll().where('repository_id', 'in', ids).execute();
  const users = await findUsersById(
    db,
    rows.flatMap((row) => [row.actor_id, row.recipient_id]),
  );
  const teamIds = rows.flatMap((row) => row.team_ids);
  const teamRows = teamIds.length > 0 ? await db.selectFrom('teams').selectAll().where('id', 'in', teamIds).execute() : [];
  const teams = await presentTeams(context, teamRows);
  const user = (id: number) => {
    const found = users.get(id);
    return found ? presentUser(context, found, null) : null;
  };
  return new Map(
    rows.map((row) => [
      row.repository_id,
      { doer: user(row.actor_id), recipient: user(row.recipient_id), teams: teams.filter(({ id }) => row.team_ids.includes(id)) },
    ]),
  );
}
