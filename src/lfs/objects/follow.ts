import { findRepository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { Events, StoredEvent } from '../../events/events.ts';
import { type GitRepository, joinRepositories } from '../../git/repository.ts';
import { lfsPointers, type PointerRange } from '../../git/trees/lfs-pointers.ts';
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
  const { db, git } = context;
  const pull = await db
    .selectFrom('pull_requests')
    .innerJoin('repositories', 'repositories.id', 'pull_requests.repository_id')
    .select(['pull_requests.repository_id', 'head_repository_id', 'head_id', 'merge_base', 'object_format', 'volume'])
    .where('issue_id', '=', payload.issueId)
    .executeTakeFirst();
  if (!pull || pull.head_repository_id === null || pull.head_repository_id === pull.repository_id) return;
  const folder = git.locate({ ...pull, id: pull.repository_id });
  const range = { from: pull.head_id, without: pull.merge_base === '' ? [] : [pull.merge_base] };
  await linkRange(context, { folder, range, fromId: pull.head_repository_id, toId: pull.repository_id });
}

/** Links the objects in commits that a fork gets from its source, or from the base of its pull request. */
export async function linkCopied({ payload }: Pick<StoredEvent<'commits.copied'>, 'payload'>, context: Context): Promise<void> {
  const { repositoryId, sourceId, head, without } = payload;
  const [fork, source] = await Promise.all([findRepository(context.db, repositoryId), findRepository(context.db, sourceId)]);
  if (!fork || !source) return;
  const folder = joinRepositories(context.git.locate(fork), context.git.locate(source));
  // Where the branch did not move after all, the source may have lost the commit since.
  if (!(await context.git.pool.info(folder, head))) return;
  await linkRange(context, { folder, range: { from: head, without: [without] }, fromId: sourceId, toId: repositoryId });
}

interface Link {
  /** Has the commits of the range. */
  readonly folder: GitRepository;
  readonly range: PointerRange;
  readonly fromId: number;
  readonly toId: number;
}

/** Links the objects of one repository that commits name to another one. */
async function linkRange(context: Context, { folder, range, fromId, toId }: Link): Promise<void> {
  const { db, git, settings } = context;
  const any = await db.selectFrom('lfs_links').select('object_id').where('repository_id', '=', fromId).limit(1).executeTakeFirst();
  if (!any) return;
  const oids = new Set<string>();
  for await (const { oid } of lfsPointers(folder, git.pool, range, { timeoutMs: settings.git.maintenanceTimeout })) oids.add(oid);
  const all = [...oids];
  for (let at = 0; at < all.length; at += BATCH) {
    const linked = await findLinked(db, fromId, all.slice(at, at + BATCH));
    await linkObjects(
      context,
      toId,
      [...linked.values()].map(({ id }) => id),
    );
  }
}
