import { findRepository, type Repository } from '../../access/find-repository.ts';
import { noAccess } from '../../access/repository-access.ts';
import { followedRefs, isNone } from '../../code/pushed-commits.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { asShown, type RefUpdate } from '../../git/refs/ref-update.ts';
import { zeroObjectId } from '../../git/repository.ts';
import { presentRepository } from '../../repositories/present.ts';
import { enqueueDeliveries, type NewDelivery, type Receivers } from '../deliveries/enqueue.ts';
import type { CommittingEvent } from './at-commit.ts';
import { actorOf, presentSender } from './people.ts';
import { repositoryForOwner } from './repositories.ts';

const BRANCHES = 'refs/heads/';
const TAGS = 'refs/tags/';

/** Delivers branches and tags that were created, moved or deleted. */
export async function enqueueRefs({ payload }: CommittingEvent<'refs.changed'>, context: Context, receivers: Receivers): Promise<void> {
  const { repositoryId, actorId, updates, isRename = false } = payload;
  const repository = await findRepository(context.db, repositoryId);
  if (!repository) return;
  const actor = await actorOf(context, actorId);
  for (const update of followedRefs(repository, updates)) {
    for (const delivery of deliveriesOf(context, repository, actor, { ...update, isRename }))
      await enqueueDeliveries(context, receivers, delivery);
  }
}

/** The events of a moved ref, in the order of delivery. */
export function deliveriesOf(
  context: Context,
  repository: Repository,
  actor: User,
  moved: RefUpdate & { isRename: boolean },
): NewDelivery[] {
  const update = asShown(moved);
  const { ref, oldId, newId } = update;
  const isTag = ref.startsWith(TAGS);
  const deliveries: NewDelivery[] = [];
  // Another name brings no commits.
  const isPush = !update.isRename && (isTag || (ref.startsWith(BRANCHES) && !isNone(newId)));
  if (isPush) deliveries.push(pushDelivery(context, repository, actor, update));
  if (isNone(oldId) || isMovedTag(update)) {
    const creating: NewDelivery = { event: 'create', ref, payload: () => creation(context, repository, actor, update) };
    // The creation of a branch comes before its push, that of a tag after it.
    if (isTag) deliveries.push(creating);
    else deliveries.unshift(creating);
  }
  if (isNone(newId)) deliveries.push({ event: 'delete', ref, payload: () => deletion(context, repository, actor, update) });
  return deliveries;
}

/** A tag that moves is delivered as a new one. */
function isMovedTag({ ref, oldId, newId }: RefUpdate): boolean {
  return ref.startsWith(TAGS) && !isNone(oldId) && !isNone(newId);
}

/** A push: its commits are put in before it is sent. */
function pushDelivery(context: Context, repository: Repository, actor: User, update: RefUpdate): NewDelivery {
  const { ref, oldId, newId } = update;
  const payload = async () => {
    const sender = presentSender(context, actor);
    return {
      ref,
      before: isMovedTag(update) ? zeroObjectId(repository.object_format) : oldId,
      after: newId,
      compare_url: '',
      commits: [],
      total_commits: 0,
      head_commit: null,
      repository: await repositoryForOwner(context, repository),
      pusher: sender,
      sender,
    };
  };
  return { event: 'push', ref, payload, completion: { kind: 'push', repositoryId: repository.id, ref, oldId, newId } };
}

async function creation(context: Context, repository: Repository, actor: User, { ref, newId }: RefUpdate) {
  return {
    sha: newId,
    ...shortRef(ref),
    repository: await presentRepository(context, repository, noAccess(repository)),
    sender: presentSender(context, actor),
  };
}

async function deletion(context: Context, repository: Repository, actor: User, { ref }: RefUpdate) {
  return {
    ...shortRef(ref),
    pusher_type: 'user',
    repository: await repositoryForOwner(context, repository),
    sender: presentSender(context, actor),
  };
}

function shortRef(ref: string) {
  return { ref: ref.replace(/^refs\/(heads|tags)\//, ''), ref_type: ref.startsWith(TAGS) ? 'tag' : 'branch' };
}
