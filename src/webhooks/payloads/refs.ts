import { findRepository, type Repository } from '../../access/find-repository.ts';
import { noAccess } from '../../access/repository-access.ts';
import { isNone, pushedCommits } from '../../code/pushed-commits.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { StoredEvent } from '../../events/event-log.ts';
import type { RefUpdate } from '../../events/events.ts';
import { zeroObjectId } from '../../git/repository.ts';
import { presentRepository } from '../../repositories/present.ts';
import { type News, tell } from '../deliveries/tell.ts';
import { payloadCommits } from './commits.ts';
import { doerOf, presentSender } from './people.ts';
import { audienceOfRepository, repositoryForOwner } from './repositories.ts';

const TAGS = 'refs/tags/';

/** Tells of branches and tags that were made, moved or deleted. */
export async function tellOfRefs(event: StoredEvent<'refs.changed'>, context: Context): Promise<void> {
  const { repositoryId, doerId, updates, isRename = false } = event.payload;
  const repository = await findRepository(context.db, repositoryId);
  const audience = repository ? await audienceOfRepository(context, repository) : [];
  if (!repository || audience.length === 0) return;
  const doer = await doerOf(context, doerId);
  let part = 0;
  for (const update of updates) {
    for (const news of await newsOf(context, repository, doer, { ...update, isRename }))
      await tell(context, audience, { eventId: event.id, part: part++ }, news);
  }
}

async function newsOf(context: Context, repository: Repository, doer: User, update: RefUpdate & { isRename: boolean }): Promise<News[]> {
  const { ref, oldId, newId } = update;
  const news: News[] = [];
  // Another name brings no commits.
  const push = update.isRename ? undefined : await pushNews(context, repository, doer, update);
  if (push) news.push(push);
  if (isNone(oldId) || isMovedTag(update)) {
    const creating: News = { event: 'create', ref, payload: () => creation(context, repository, doer, update) };
    // That a branch was made comes before what was pushed to it, that a tag was made after.
    if (ref.startsWith(TAGS)) news.push(creating);
    else news.unshift(creating);
  }
  if (isNone(newId)) news.push({ event: 'delete', ref, payload: () => deletion(context, repository, doer, update) });
  return news;
}

/** A tag that moves is told of as a new one. */
function isMovedTag({ ref, oldId, newId }: RefUpdate): boolean {
  return ref.startsWith(TAGS) && !isNone(oldId) && !isNone(newId);
}

async function pushNews(context: Context, repository: Repository, doer: User, update: RefUpdate): Promise<News | undefined> {
  const push = await pushedCommits(context, repository, update);
  if (!push) return undefined;
  const payload = async () => {
    const sender = presentSender(context, doer);
    const [head = null] = push.head ? await payloadCommits(context, repository, [push.head]) : [];
    return {
      ref: update.ref,
      before: isMovedTag(update) ? zeroObjectId(repository.object_format) : update.oldId,
      after: update.newId,
      compare_url: context.settings.server.rootUrl + push.compare,
      commits: await payloadCommits(context, repository, push.commits),
      total_commits: push.total,
      head_commit: head,
      repository: await repositoryForOwner(context, repository),
      pusher: sender,
      sender,
    };
  };
  return { event: 'push', ref: update.ref, isEmptyPush: push.commits.length === 0, payload };
}

async function creation(context: Context, repository: Repository, doer: User, { ref, newId }: RefUpdate) {
  return {
    sha: newId,
    ...shortRef(ref),
    repository: await presentRepository(context, repository, noAccess(repository)),
    sender: presentSender(context, doer),
  };
}

async function deletion(context: Context, repository: Repository, doer: User, { ref }: RefUpdate) {
  return {
    ...shortRef(ref),
    pusher_type: 'user',
    repository: await repositoryForOwner(context, repository),
    sender: presentSender(context, doer),
  };
}

function shortRef(ref: string) {
  return { ref: ref.replace(/^refs\/(heads|tags)\//, ''), ref_type: ref.startsWith(TAGS) ? 'tag' : 'branch' };
}
