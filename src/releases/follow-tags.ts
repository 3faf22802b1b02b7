import { findRepository, type Repository } from '../access/find-repository.ts';
import { findTagDate } from '../code/tags/dates.ts';
import { beforeCommit, type Context } from '../context.ts';
import type { ReleaseRow } from '../database/tables/releases.ts';
import type { Events } from '../events/events.ts';
import type { RefUpdate } from '../git/refs/ref-update.ts';
import { describeTag } from '../git/refs/tags.ts';
import { conflict } from '../http/errors.ts';
import { excerpt } from '../markup/excerpt.ts';
import { countReleases } from './counts.ts';
import { findReleaseOfTag } from './find.ts';
import { presentRelease } from './present.ts';
import { MAX_TITLE } from './releases.ts';
import { tagTimeAt } from './tag.ts';

const TAGS = 'refs/tags/';
/** Names in one query. */
const BATCH = 500;
/** Number of tags read from git at once. */
const READ_BATCH = 50;

/**
 * Reads the tags of releases that are about to come or move, so that {@link followTags} finds them in memory: git would keep all other
 * writers waiting for its transaction.
 */
export async function prepareTags(context: Context, repository: Repository, updates: readonly RefUpdate[]): Promise<void> {
  const tags = updates.filter((update) => update.ref.startsWith(TAGS) && !isDeletion(update));
  if (tags.length === 0) return;
  const objects = new Map(tags.map(({ ref, newId }) => [ref.slice(TAGS.length), newId]));
  const releases = await releasesOf(context, repository.id, tags);
  for (let at = 0; at < releases.length; at += READ_BATCH) {
    const batch = releases.slice(at, at + READ_BATCH);
    await Promise.all(batch.map(({ tag_name: name }) => tagTimeAt(context, repository, { name, oid: objects.get(name) ?? '' })));
  }
}

/** Comes after the payloads of the push, which have the number of releases before it. */
const AFTER_PAYLOADS = 2;

/**
 * Updates releases after their tags, in the transaction of a push: a tag that is created or moved publishes its release as the pusher's,
 * and a release whose tag is deleted becomes a draft again.
 */
export async function followTags(event: Events['refs.changed'], context: Context): Promise<void> {
  const tags = event.updates.filter(({ ref }) => ref.startsWith(TAGS));
  if (tags.length > 0) await beforeCommit(context, () => changeReleases(event, tags, context), AFTER_PAYLOADS);
}

async function changeReleases(
  { repositoryId, actorId }: Events['refs.changed'],
  tags: readonly RefUpdate[],
  context: Context,
): Promise<void> {
  const gone = await releasesOf(context, repositoryId, tags.filter(isDeletion));
  const there = await releasesOf(
    context,
    repositoryId,
    tags.filter((update) => !isDeletion(update)),
  );
  if (gone.length + there.length === 0) return;
  const repository = await findRepository(context.db, repositoryId);
  if (!repository) return;
  for (const { id } of gone) await context.db.updateTable('releases').set({ is_draft: true }).where('id', '=', id).execute();
  const objects = new Map(tags.map(({ ref, newId }) => [ref.slice(TAGS.length), newId]));
  for (const { id, tag_name: name } of there) {
    // In memory since prepareTags.
    const createdAt = await tagTimeAt(context, repository, { name, oid: objects.get(name) ?? '' });
    await context.db
      .updateTable('releases')
      .set({ is_draft: false, publisher_id: actorId, ...(createdAt !== undefined && { created_at: createdAt }) })
      .where('id', '=', id)
      .execute();
  }
  await countReleases(context, repositoryId);
}

/**
 * Refuses to delete the tag of a release.
 * @throws HttpError 409
 */
export async function keepTagOfRelease({ repositoryId, tag }: Events['tag.deleting'], { db }: Context): Promise<void> {
  if (await findReleaseOfTag(db, repositoryId, tag)) throw conflict('a tag attached to a release cannot be deleted directly');
}

/**
 * Refuses to create a tag that a draft is for.
 * @throws HttpError 409
 */
export async function keepNameOfRelease({ repositoryId, tag }: Events['tag.creating'], { db }: Context): Promise<void> {
  if (await findReleaseOfTag(db, repositoryId, tag)) throw conflict(`tag already exists [name: ${tag}]`);
}

/** Clients see a tag as a release without files, which is deleted with it: with its message if it was pushed, else without a text. */
export async function announceDeletedTag(event: Events['tag.deleted'], context: Context): Promise<void> {
  const { repositoryId, actorId, tag: name, objectId: oid } = event;
  const repository = await findRepository(context.db, repositoryId);
  if (!repository) return;
  const { git } = context;
  // In memory by now.
  const tag = await describeTag(git.locate(repository), git.pool, { name: `${TAGS}${name}`, oid });
  const madeAt = await findTagDate(context.db, repositoryId, name);
  const message = (madeAt === undefined && tag?.annotated?.message.trim()) || '';
  const end = message.indexOf('\n');
  // It is a release for a short time, so that it has an id: receivers identify releases by it.
  const release = await context.db
    .insertInto('releases')
    .values({
      repository_id: repositoryId,
      tag_name: name,
      // With a space, which no tag name can contain: it conflicts with no release.
      lower_tag_name: `${name.toLowerCase()} `,
      target: madeAt === undefined ? '' : (tag?.commit?.oid ?? ''),
      title: excerpt(end < 0 ? message : message.slice(0, end), MAX_TITLE),
      note: end < 0 ? '' : message.slice(end).trim(),
      is_draft: false,
      is_prerelease: false,
      publisher_id: actorId,
      created_at: madeAt ?? (await tagTimeAt(context, repository, { name, oid })) ?? 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await context.db.deleteFrom('releases').where('id', '=', release.id).execute();
  await context.events.emit(context, 'release.deleted', {
    repositoryId,
    releaseId: release.id,
    actorId,
    release: await presentRelease(context, repository, release),
  });
}

function isDeletion({ newId }: RefUpdate): boolean {
  return /^0+$/.test(newId);
}

/** The releases of these tags, by their exact names: git distinguishes `v1` and `V1`. */
async function releasesOf({ db }: Context, repositoryId: number, updates: readonly RefUpdate[]): Promise<ReleaseRow[]> {
  const names = new Set(updates.map(({ ref }) => ref.slice(TAGS.length)));
  const lower = [...new Set([...names].map((name) => name.toLowerCase()))];
  const found: ReleaseRow[] = [];
  for (let at = 0; at < lower.length; at += BATCH) {
    const rows = await db
      .selectFrom('releases')
      .selectAll()
      .where('repository_id', '=', repositoryId)
      .where('lower_tag_name', 'in', lower.slice(at, at + BATCH))
      .execute();
    found.push(...rows.filter((row) => names.has(row.tag_name)));
  }
  return found;
}
