import type { Repository } from '../access/find-repository.ts';
import { type Context, inTransaction } from '../context.ts';

/** Commits from another repository for a branch that has `without` and gets `head`. */
export interface CommitCopy {
  readonly repository: Pick<Repository, 'id' | 'owner_id'>;
  readonly sourceId: number;
  readonly head: string;
  readonly without: string;
}

/** Emits the event for commits that a branch gets from another repository. It comes before the branch moves, so that no crash skips it. */
export async function announceCopy(context: Context, { repository, sourceId, head, without }: CommitCopy): Promise<void> {
  const actorId = context.actor?.id ?? repository.owner_id;
  await inTransaction(context, (context) =>
    context.events.emit(context, 'commits.copied', { repositoryId: repository.id, sourceId, head, without, actorId }),
  );
}
