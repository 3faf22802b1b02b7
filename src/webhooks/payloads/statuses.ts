import { findRepository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { wireTime } from '../../http/schema.ts';
import { enqueueDeliveries, type Receivers } from '../deliveries/enqueue.ts';
import type { CommittingEvent } from './at-commit.ts';
import { actorOf, presentSender } from './people.ts';
import { repositoryForOwner } from './repositories.ts';

/** Delivers a commit status. */
export async function enqueueStatus(event: CommittingEvent<'commit.status'>, context: Context, receivers: Receivers): Promise<void> {
  const { repositoryId, statusId, sha, actorId } = event.payload;
  const repository = await findRepository(context.db, repositoryId);
  const status = await context.db.selectFrom('commit_statuses').selectAll().where('id', '=', statusId).executeTakeFirst();
  if (!repository || !status) return;
  const payload = async () => {
    return {
      commit: null,
      context: status.context,
      created_at: wireTime(status.created_at),
      description: status.description,
      id: status.id,
      repository: await repositoryForOwner(context, repository),
      sender: presentSender(context, await actorOf(context, actorId)),
      sha,
      state: status.state,
      target_url: absolute(context.settings.server.rootUrl, status.target_url),
      updated_at: wireTime(status.updated_at),
    };
  };
  await enqueueDeliveries(context, receivers, { event: 'status', payload, completion: { kind: 'status', repositoryId, sha } });
}

/** Checks of the instance itself say only the path; a link of any scheme stays unchanged. */
function absolute(rootUrl: string, target: string): string {
  return /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target) ? target : rootUrl + target.replace(/^\//, '');
}
