import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { type ChangedFile, changedFiles } from '../../git/diff/changes.ts';
import { emptyTreeId } from '../../git/repository.ts';
import { unprocessable } from '../../http/errors.ts';
import type { Pull } from '../find.ts';
import { pullRange } from '../range.ts';

/** The state of a viewed file: unchanged, or changed since. */
export type ViewedState = 'viewed' | 'changed';

/**
 * Marks a file of a pull request as viewed by the caller in its current state, or removes the mark.
 * @throws HttpError 422 for a file that the pull request does not change
 */
export async function markViewed(context: Context, pull: Pull, path: string, isViewed: boolean): Promise<void> {
  const key = { pull_id: pull.id, user_id: signedInActor(context).id, path };
  if (!isViewed) {
    const { pull_id: pullId, user_id: userId } = key;
    const marks = context.db.deleteFrom('pull_viewed_files').where('pull_id', '=', pullId).where('user_id', '=', userId);
    await marks.where('path', '=', path).execute();
    return;
  }
  const file = (await filesOf(context, pull)).find((one) => one.path === path);
  if (!file) throw unprocessable(`[path]: not changed by this pull request: ${path.slice(0, 200)}`);
  const mark = { content: contentOf(file), viewed_at: now() };
  await context.db
    .insertInto('pull_viewed_files')
    .values({ ...key, ...mark })
    .onConflict((clash) => clash.columns(['pull_id', 'user_id', 'path']).doUpdateSet(mark))
    .execute();
}

/** The states of the files of a pull request that the caller has viewed; empty for anonymous callers. */
export async function viewedStates(
  { db, actor }: Context,
  { id }: Pick<Pull, 'id'>,
): Promise<(file: ChangedFile) => ViewedState | undefined> {
  if (!actor) return () => undefined;
  const rows = await db
    .selectFrom('pull_viewed_files')
    .select(['path', 'content'])
    .where('pull_id', '=', id)
    .where('user_id', '=', actor.id)
    .execute();
  const marks = new Map(rows.map(({ path, content }) => [path, content]));
  return (file) => {
    const mark = marks.get(file.path);
    return mark === undefined ? undefined : mark === contentOf(file) ? 'viewed' : 'changed';
  };
}

async function filesOf(context: Context, pull: Pull): Promise<readonly ChangedFile[]> {
  const { git } = context;
  const folder = git.locate(pull.issue.repository);
  const { mergeBase, head } = await pullRange(context, pull);
  return (await changedFiles(folder, git.pool, mergeBase ?? emptyTreeId(folder.objectFormat), head)).files;
}

/** For a removed file, its former content: it may be added and removed again. */
function contentOf({ status, oid, oldOid, mode }: ChangedFile): string {
  return status === 'removed' ? `removed ${oldOid}` : `${mode} ${oid}`;
}
