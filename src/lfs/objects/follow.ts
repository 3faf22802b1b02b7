import type { Context } from '../../context.ts';
import type { Events, StoredEvent } from '../../events/events.ts';
import { lfsPointers } from '../../git/lfs-pointers.ts';
import { collectLater } from './collect.ts';
import { copyLinks, findLinked, linkObjects, unlinkObjects } from './links.ts';

const BATCH = 500;

/** Links the objects of the source to a fork. */
export async function copyToFork({ repositoryId, forkId }: Events['repository.forked'], context: Context): Promise<void> {
  await copyLinks(context, repositoryId, forkId);
}

/** Links the objects of a template to a repository that is created with its content. */
export async function copyFromTemplate({ repositoryId, from }: Events['repository.creating'], context: Context): Promise<void> {
  if (from?.content) await copyLinks(context, from.repositoryId, repositoryId);
}

/** Unlinks all objects of a repository that is being deleted. */
export async function unlinkAll({ repositoryId }: Events['repository.removing'], context: Context): Promise<void> {
  let isAny = false;
  for (;;) {
    const rows = await context.db
      .selectFrom('lfs_links')
      .select('object_id')
      .where('repository_id', '=', repositoryId)
      .limit(BATCH)
      .execute();
    if (rows.length === 0) break;
    isAny = true;
    await unlinkObjects(
      context,
      repositoryId,
      rows.map(({ object_id }) => object_id),
    );
  }
  if (isAny) await collectLater(context);
}

/** Links the objects in the commits of a merged pull request to its base repository. */
export async function linkMerged({ payload }: Pick<StoredEvent<'pull.merged'>, 'payload'>, context: Context): Promise<void> {
  const { db, git, settings } = context;
  const pull = await db
    .selectFrom('pull_requests')
    .innerJoin('repositories', 'repositories.id', 'pull_requests.repository_id')
    .select(['pull_requests.repository_id', 'head_repository_id', 'head_id', 'merge_base', 'object_format'])
    .where('issue_id', '=', payload.issueId)
    .executeTakeFirst();
  if (!pull || pull.head_repository_id === null || pull.head_repository_id === pull.repository_id) return;
  const any = await db
    .selectFrom('lfs_links')
    .select('object_id')
    .where('repository_id', '=', pull.head_repository_id)
    .limit(1)
    .executeTakeFirst();
  if (!any) return;
  const folder = git.locate({ id: pull.repository_id, object_format: pull.object_format });
  const range = { from: pull.head_id, without: pull.merge_base === '' ? [] : [pull.merge_base] };
  const oids = new Set<string>();
  for await (const { oid } of lfsPointers(folder, git.pool, range, { timeoutMs: settings.git.maintenanceTimeout })) oids.add(oid);
  const all = [...oids];
  for (let at = 0; at < all.length; at += BATCH) {
    const linked = await findLinked(db, pull.head_repository_id, all.slice(at, at + BATCH));
    await linkObjects(
      context,
      pull.repository_id,
      [...linked.values()].map(({ id }) => id),
    );
  }
}
