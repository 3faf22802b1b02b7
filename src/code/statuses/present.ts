import type { Repository } from '../../access/find-repository.ts';
import { findUsersById } from '../../access/find-user.ts';
import { presentUser } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { CommitStatusRow } from '../../database/tables/code.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { repositoryApiUrl } from '../../repositories/urls.ts';
import type { CommitStatus } from './schema.ts';

/** Commit statuses on the wire, in their order; one query for their creators. */
export async function presentStatuses(
  context: Context,
  repository: Repository,
  statuses: readonly CommitStatusRow[],
): Promise<Shape<typeof CommitStatus>[]> {
  const creators = await findUsersById(
    context.db,
    statuses.flatMap(({ creator_id }) => creator_id ?? []),
  );
  const apiUrl = repositoryApiUrl(context.settings, repository);
  return statuses.map((status) => {
    const creator = creators.get(status.creator_id ?? 0);
    return {
      id: status.number,
      status: status.state,
      target_url: status.target_url,
      description: status.description,
      url: `${apiUrl}/statuses/${status.sha}`,
      context: status.context,
      creator: creator ? presentUser(context, creator, null) : null,
      created_at: wireTime(status.created_at),
      updated_at: wireTime(status.updated_at),
    };
  });
}
