import type { Repository } from '../access/find-repository.ts';
import type { RepositoryAccess } from '../access/repository-access.ts';
import { refuseArchived } from '../access/requirements.ts';
import { GHOST_ID } from '../accounts/users/ghost.ts';
import { now } from '../clock.ts';
import { keepTagDate } from '../code/tags/dates.ts';
import { type Context, inTransaction } from '../context.ts';
import { isUniqueViolation } from '../database/database.ts';
import type { ReleaseRow } from '../database/tables/releases.ts';
import type { ReleaseEvent } from '../events/events.ts';
import { conflict, notFound, unprocessable } from '../http/errors.ts';
import { removeAttachments } from '../issues/attachments/remove.ts';
import { lockIssues } from '../issues/find.ts';
import { excerpt } from '../markup/excerpt.ts';
import { countReleases } from './counts.ts';
import { findReleaseById, findReleaseOfTag } from './find.ts';
import { presentRelease } from './present.ts';
import { hasTag, makeReleaseTag, requireTagName, tagTime } from './tag.ts';

/** Maximum width of a title, in columns; the rest is cut off. */
export const MAX_TITLE = 255;

/** A release that is wanted. */
export interface WantedRelease {
  tag: string;
  /** The target of the tag if it has to be created; by default the default branch. */
  target?: string | undefined;
  /** Makes the tag an annotated one. */
  tagMessage?: string | undefined;
  title?: string | undefined;
  note?: string | undefined;
  isDraft?: boolean | undefined;
  isPrerelease?: boolean | undefined;
}

/** Changes of a release; undefined fields stay, and so do an empty tag and target. */
export type ReleaseChanges = Partial<Omit<WantedRelease, 'tagMessage'>>;

/**
 * Creates a release, and its tag if that is not there; a draft's tag is made when it is published.
 * @throws HttpError 404 when there is no such target, 409 when the tag has a release, 422, 423 in an archived repository
 */
export async function createRelease(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  wanted: WantedRelease,
): Promise<ReleaseRow> {
  const { tag, isDraft = false, isPrerelease = false } = wanted;
  if (repository.is_empty) throw unprocessable('repo is empty');
  if (await findReleaseOfTag(context.db, repository.id, tag)) throw conflict('Release is has no Tag');
  refuseArchived(repository);
  requireTagName(tag);
  const isTagged = hasTag(context, repository, tag);
  const target = wanted.target || (isTagged ? '' : repository.default_branch);
  if (!isTagged && !isDraft) await makeReleaseTag(context, repository, access, { name: tag, target, message: wanted.tagMessage });
  const createdAt = isTagged && !isDraft ? await tagTime(context, repository, tag) : undefined;
  const actorId = context.actor?.id ?? repository.owner_id;
  return withReleaseErrors(
    () => conflict('Release is has no Tag'),
    () =>
      inTransaction(context, async (context) => {
        await lockIssues(context, [repository.id]);
        const release = await context.db
          .insertInto('releases')
          .values({
            repository_id: repository.id,
            tag_name: tag,
            lower_tag_name: tag.toLowerCase(),
            target,
            title: excerpt(wanted.title ?? '', MAX_TITLE),
            note: wanted.note ?? '',
            is_draft: isDraft,
            is_prerelease: isPrerelease,
            publisher_id: actorId,
            created_at: createdAt ?? now(),
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await countReleases(context, repository.id);
        if (!isDraft) await context.events.emit(context, 'release.published', releaseEvent(context, release));
        return release;
      }),
  );
}

/**
 * Changes a release. Unless it is a draft then, its tag is made if that is not there.
 * @throws HttpError 404, 409 when the new tag has another release, 422, 423 in an archived repository
 */
export async function editRelease(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  release: ReleaseRow,
  changes: ReleaseChanges,
): Promise<ReleaseRow> {
  refuseArchived(repository);
  const tag = changes.tag || release.tag_name;
  const target = changes.target || release.target;
  const isDraft = changes.isDraft ?? release.is_draft;
  const taken = () => conflict(`release tag already exist [tag_name: ${tag}]`);
  const other = await findReleaseOfTag(context.db, repository.id, tag);
  if (other && other.id !== release.id) throw taken();
  if (tag !== release.tag_name) requireTagName(tag);
  const makesTag = !isDraft && !hasTag(context, repository, tag);
  if (makesTag) await makeReleaseTag(context, repository, access, { name: tag, target });
  return withReleaseErrors(taken, () =>
    inTransaction(context, async (context) => {
      await lockIssues(context, [repository.id]);
      const changed = await context.db
        .updateTable('releases')
        .set({
          tag_name: tag,
          lower_tag_name: tag.toLowerCase(),
          target,
          ...(changes.title !== undefined && { title: excerpt(changes.title, MAX_TITLE) }),
          ...(changes.note !== undefined && { note: changes.note }),
          is_draft: isDraft,
          ...(changes.isPrerelease !== undefined && { is_prerelease: changes.isPrerelease }),
          publisher_id: release.publisher_id,
          ...((isDraft || makesTag) && { created_at: now() }),
        })
        .where('id', '=', release.id)
        .returningAll()
        .executeTakeFirst();
      if (!changed) throw notFound();
      await countReleases(context, repository.id);
      const eventType = makesTag ? 'release.published' : 'release.updated';
      if (!isDraft) await context.events.emit(context, eventType, releaseEvent(context, changed));
      return changed;
    }),
  );
}

/** Deletes a release with its files. Its tag stays, as old as the release was. */
export async function deleteRelease(context: Context, repository: Repository, { id }: ReleaseRow): Promise<void> {
  await inTransaction(context, async (context) => {
    await lockIssues(context, [repository.id]);
    const release = await findReleaseById(context.db, id);
    if (!release) throw notFound();
    await removeAttachments(context, { release_id: id });
    const presented = release.is_draft ? undefined : await presentRelease(context, repository, release);
    await context.db.deleteFrom('releases').where('id', '=', id).execute();
    if (hasTag(context, repository, release.tag_name)) await keepTagDate(context.db, repository.id, release.tag_name, release.created_at);
    await countReleases(context, repository.id);
    if (presented) await context.events.emit(context, 'release.deleted', { ...releaseEvent(context, release), release: presented });
  });
}

/** Two concurrent requests for a release of one tag both find none: the database lets one of them through. */
async function withReleaseErrors<R>(taken: () => Error, change: () => Promise<R>): Promise<R> {
  try {
    return await change();
  } catch (error) {
    throw isUniqueViolation(error) ? taken() : error;
  }
}

function releaseEvent({ actor }: Context, { id, repository_id: repositoryId }: ReleaseRow): ReleaseEvent {
  return { repositoryId, releaseId: id, actorId: actor?.id ?? GHOST_ID };
}
