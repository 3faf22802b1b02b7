import { setTimeout } from 'node:timers/promises';
import { findRepository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { StoredEvent } from '../../events/events.ts';
import { withMutex } from '../../git/mutex.ts';
import { storedRef } from '../../git/refs/stored-refs.ts';
import { RefLockedError, updateRef } from '../../git/refs/update-refs.ts';
import { headRef } from '../find.ts';

/** A head may move again while its ref is written; this many times it is written again, after that by the next event. */
const MAX_ROUNDS = 5;
/** Pause before a locked ref is tried again. */
const LOCKED_MS = 50;

/**
 * Writes the ref of a pull request's head. The row is changed first and the ref follows it, so that nothing is lost when the server stops
 * in between: a change of the head calls {@link keepHeadNow} after the commit, and the handler of its event does this again.
 */
export function keepHead(context: Pick<Context, 'db' | 'git'>, pullId: number): Promise<void> {
  return withMutex(`ref of pull ${pullId}`, () => keep(context, pullId));
}

async function keep({ db, git }: Pick<Context, 'db' | 'git'>, pullId: number): Promise<void> {
  const find = () =>
    db.selectFrom('pull_requests').select(['repository_id', 'number', 'head_id']).where('id', '=', pullId).executeTakeFirst();
  let pull = await find();
  const repository = pull && (await findRepository(db, pull.repository_id));
  if (!repository) return;
  const folder = git.locate(repository);
  for (let round = 0; pull && round < MAX_ROUNDS; round++) {
    if (storedRef(folder, headRef(pull)) === pull.head_id) return;
    try {
      await updateRef(folder, { name: headRef(pull), to: pull.head_id });
    } catch (error) {
      // Another process writes the same.
      if (!(error instanceof RefLockedError) || round === MAX_ROUNDS - 1) throw error;
      await setTimeout(LOCKED_MS);
    }
    pull = await find();
  }
}

/** {@link keepHead} right after the head has moved; a failure is left to the event. */
export async function keepHeadNow(context: Context, pullId: number): Promise<void> {
  try {
    await keepHead(context, pullId);
  } catch (error) {
    context.log.error({ pull: pullId, err: error }, 'the ref of a pull request is left to its event');
  }
}

/** {@link keepHead} for the pull request of an event, if it is about one. */
export async function keepHeadOf(
  { payload }: StoredEvent<'issue.opened' | 'pull.synchronized'>,
  context: Pick<Context, 'db' | 'git'>,
): Promise<void> {
  const pull = await context.db.selectFrom('pull_requests').select('id').where('issue_id', '=', payload.issueId).executeTakeFirst();
  if (pull) await keepHead(context, pull.id);
}

/** Deletes the ref of a deleted pull request; its number is not reused. */
export async function removeHead({ payload }: StoredEvent<'issue.deleted'>, { db, git }: Pick<Context, 'db' | 'git'>): Promise<void> {
  const repository = payload.isPull ? await findRepository(db, payload.repositoryId) : undefined;
  if (!repository) return;
  const folder = git.locate(repository);
  const name = headRef(payload);
  if (storedRef(folder, name) !== undefined) await updateRef(folder, { name, to: null });
}
