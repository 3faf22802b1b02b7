import { findUserById } from '../../access/find-user.ts';
import { asInternal, beforeCommit, type Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { PackageEvent } from '../../events/events.ts';
import { presentOrganization } from '../../organizations/present.ts';
import { presentVersion } from '../../packages/api/present.ts';
import { activeHooks, enqueueDeliveries } from '../deliveries/enqueue.ts';
import { workflowReceiver } from '../deliveries/workflows.ts';
import { actorOf, asSeenBy, presentSender } from './people.ts';

/** Delivers a version that was published, as it is at the end of the transaction. */
export async function enqueuePublished(event: PackageEvent, context: Context): Promise<void> {
  await beforeCommit(context, () => enqueuePackage(event, context, 'created'));
}

/** Delivers a version that is about to be deleted. */
export async function enqueueDeletedPackage(event: PackageEvent, context: Context): Promise<void> {
  await enqueuePackage(event, context, 'deleted');
}

const repositoryOf = prepared((db, packageId: number) => db.selectFrom('packages').select('repository_id').where('id', '=', packageId));

async function enqueuePackage(event: PackageEvent, caller: Context, action: 'created' | 'deleted'): Promise<void> {
  const { ownerId, packageId, versionId, actorId } = event;
  const { db } = caller;
  const [row] = await repositoryOf(db, packageId);
  const hooks = row ? await activeHooks(caller, { repositoryId: row.repository_id, ownerId }) : [];
  const repositoryId = row?.repository_id ?? null;
  const type = action === 'created' ? 'package.published' : 'package.deleting';
  const workflows = repositoryId === null ? undefined : await workflowReceiver(caller, type, { ...event, repositoryId });
  if (hooks.length === 0 && !workflows) return;
  const context = asInternal(caller);
  const owner = await findUserById(db, ownerId);
  const version = await db.selectFrom('package_versions').selectAll().where('id', '=', versionId).executeTakeFirst();
  // It may have been deleted in the same transaction.
  if (!owner || !version) return;
  const payload = async () => {
    const actor = await actorOf(context, actorId);
    const seen = asSeenBy(context, actor);
    return {
      action,
      repository: null,
      package: await presentVersion(seen, owner, version),
      organization: owner.type === 'organization' ? presentOrganization(seen, owner) : null,
      sender: presentSender(context, actor),
    };
  };
  await enqueueDeliveries(context, { hooks, workflows }, { event: 'package', payload });
}
