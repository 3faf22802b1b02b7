import type { Context } from '../../context.ts';
import type { ActionRun } from '../../database/tables/actions.ts';
import { variablesOf } from '../variables/variables.ts';

/** The variables that a run sees, by name. */
export async function variablesOfRun(
  context: Pick<Context, 'db'>,
  { repository_id: repositoryId, owner_id: ownerId }: Pick<ActionRun, 'repository_id' | 'owner_id'>,
): Promise<Record<string, string>> {
  return Object.fromEntries(await variablesOf(context, { repositoryId, ownerId }));
}
