import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { StatusState } from './statuses.ts';

/** The different latest states of the checks of several commits, by their ids; commits without checks are left out. One query for all of them. */
export async function statesOfCommits(
  { db }: Pick<Context, 'db'>,
  repository: Repository,
  shas: readonly string[],
): Promise<Map<string, StatusState[]>> {
  const states = new Map<string, StatusState[]>();
  if (shas.length === 0) return states;
  const rows = await db
    .selectFrom('commit_statuses')
    .select(['sha', 'state'])
    // A commit may have any number of checks, but few different states.
    .distinct()
    .where('id', 'in', (select) =>
      select
        .selectFrom('commit_statuses as newest')
        .select((of) => of.fn.max('newest.id').as('id'))
        .where('newest.repository_id', '=', repository.id)
        .where('newest.sha', 'in', shas)
        .groupBy(['newest.sha', 'newest.context']),
    )
    .execute();
  for (const { sha, state } of rows) states.set(sha, [...(states.get(sha) ?? []), state]);
  return states;
}
