import { findUserById } from '../access/find-user.ts';
import type { Context } from '../context.ts';
import { afterCommit } from '../context.ts';
import type { Feature } from '../feature.ts';
import { RecordedAct } from './act.ts';
import type { AuditAction, AuditObject } from './actions.ts';
import { type Deed, type Origin, writeEntry } from './entries.ts';
import { logEntry } from './log.ts';
import { accountObject, repositoryObject } from './object.ts';

/**
 * Acts that are recorded however they come about: by a route, a push, a command, a job or with something else. Where the request is about
 * just that, its own entry gets the object; else there is one more.
 */
export const recordedEvents: Feature['within'] = {
  'repository.created': async ({ repositoryId, actorId }, context) =>
    record(context, 'repository.create', await repositoryObject(context.db, repositoryId), actorId),
  'repository.deleted': async ({ repositoryId, ownerId, ownerName, name, actorId }, context) => {
    const object: AuditObject = { type: 'repository', id: repositoryId, name: `${ownerName}/${name}`, ownerId };
    await record(context, 'repository.delete', object, actorId);
  },
  'repository.renamed': async ({ repositoryId, oldName, actorId }, context) =>
    record(context, 'repository.rename', await repositoryObject(context.db, repositoryId), actorId, { old_name: oldName }),
  'repository.transferred': async ({ repositoryId, oldOwnerName, actorId }, context) =>
    record(context, 'repository.transfer', await repositoryObject(context.db, repositoryId), actorId, { old_owner: oldOwnerName }),
  'repository.transfer-started': async ({ repositoryId, actorId }, context) =>
    record(context, 'repository.transfer.start', await repositoryObject(context.db, repositoryId), actorId),
  'user.created': async ({ userId }, context) => {
    const user = await findUserById(context.db, userId);
    if (user) await record(context, user.type === 'organization' ? 'organization.create' : 'user.create', accountObject(user), undefined);
  },
  'user.renamed': async ({ userId, oldName }, context) => {
    const user = await findUserById(context.db, userId);
    const action = user?.type === 'organization' ? 'organization.rename' : 'user.rename';
    if (user) await record(context, action, accountObject(user), undefined, { old_name: oldName });
  },
  'user.deleting': async ({ userId }, context) => {
    const user = await findUserById(context.db, userId);
    if (user) await record(context, user.type === 'organization' ? 'organization.delete' : 'user.delete', accountObject(user), undefined);
  },
  'package.deleted': async ({ ownerId, type, packageId, package: { name, version }, actorId }, context) => {
    const owner = await findUserById(context.db, ownerId);
    const object: AuditObject = { type: 'package', id: packageId, name: `${owner?.name ?? ''}/${type}/${name}`, ownerId };
    await record(context, 'package.delete', object, actorId, { version });
  },
};

async function record(
  context: Context,
  action: AuditAction,
  object: AuditObject,
  actorId: number | undefined,
  details: Deed['details'] = {},
): Promise<void> {
  const act = context.act instanceof RecordedAct ? context.act : undefined;
  if (act && (await act.covers(context, action, object, details))) return;
  const origin = act?.origin ?? (await originOf(context, actorId));
  const deed: Deed = { action, object, details };
  await writeEntry(context, origin, deed);
  afterCommit(context, () => logEntry(context, origin, deed));
}

/** Who acts where no request is recorded: the actor of the context, else the account that the event names. */
async function originOf(context: Context, actorId: number | undefined): Promise<Origin> {
  const { actor, signIn, address, requestId } = context;
  const named = actor ?? (actorId === undefined ? undefined : await findUserById(context.db, actorId)) ?? null;
  return { actor: named, signIn, address, requestId, userAgent: '' };
}
