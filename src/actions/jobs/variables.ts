import type { Context } from '../../context.ts';
import type { ActionRun } from '../../database/tables/actions.ts';

/** The variables that a run sees, by name: those of the repository come before those of its owner, and these before the instance's. */
export async function variablesOfRun(
  { db }: Pick<Context, 'db'>,
  { repository_id: repositoryId, owner_id: ownerId }: Pick<ActionRun, 'repository_id' | 'owner_id'>,
): Promise<Record<string, string>> {
  const all = db.selectFrom('action_variables').select(['name', 'value']);
  const rows = [
    ...(await all.where('repository_id', 'is', null).where('owner_id', 'is', null).execute()),
    ...(await all.where('owner_id', '=', ownerId).execute()),
    ...(await all.where('repository_id', '=', repositoryId).execute()),
  ];
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
