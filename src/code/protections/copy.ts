import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { NewBranchProtection } from '../../database/tables/code.ts';
import type { NewRepositoryEvent } from '../../events/events.ts';

/** Empties the lists of a rule for readers who may not know them: so it applies to everybody. */
const NOBODY = {
  push_user_ids: [],
  push_team_ids: [],
  force_push_user_ids: [],
  force_push_team_ids: [],
  merge_user_ids: [],
  merge_team_ids: [],
  approvals_user_ids: [],
  approvals_team_ids: [],
};

/** Copies the branch protections of a template repository to a new repository. */
export async function copyBranchProtections({ repositoryId, from }: NewRepositoryEvent, { db }: Context): Promise<void> {
  if (!from?.protections) return;
  const rules = await db
    .selectFrom('branch_protections')
    .selectAll()
    .where('repository_id', '=', from.repositoryId)
    .orderBy('id')
    .execute();
  if (rules.length === 0) return;
  const time = now();
  const rows = rules.map(({ id: _, ...rule }) => {
    const columns = Object.entries(from.whitelists ? rule : { ...rule, ...NOBODY }).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : value,
    ]);
    return { ...Object.fromEntries(columns), repository_id: repositoryId, created_at: time, updated_at: time } as NewBranchProtection;
  });
  await db.insertInto('branch_protections').values(rows).execute();
}
