import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { AttachmentRow } from '../../database/tables/issues.ts';
import type { ReleaseRow } from '../../database/tables/releases.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import { pathId } from '../../http/path-id.ts';
import { attachmentKey, type StoredFile } from '../../issues/attachments/store.ts';
import { lockIssues } from '../../issues/find.ts';

/** Files of one release. */
const MAX_FILES = 1000;

/** The files of releases by name, by release. */
export async function filesOfReleases({ db }: Pick<Context, 'db'>, releaseIds: readonly number[]): Promise<Map<number, AttachmentRow[]>> {
  if (releaseIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('attachments')
    .selectAll()
    .where('release_id', 'in', [...releaseIds])
    .orderBy('name')
    .orderBy('id')
    .execute();
  return Map.groupBy(rows, (row) => row.release_id ?? 0);
}

/**
 * The file that a path names by its id, if it belongs to the release.
 * @throws HttpError 404
 */
export async function fileOf({ db }: Pick<Context, 'db'>, release: ReleaseRow, id: string): Promise<AttachmentRow> {
  const row = await db
    .selectFrom('attachments')
    .selectAll()
    .where('id', '=', pathId(id))
    .where('release_id', '=', release.id)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** The file of this name; of several with it, the one that came first. */
export async function findFileByName({ db }: Pick<Context, 'db'>, release: ReleaseRow, name: string): Promise<AttachmentRow | undefined> {
  return db
    .selectFrom('attachments')
    .selectAll()
    .where('release_id', '=', release.id)
    .where('name', '=', name)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Adds a stored file to a release.
 * @throws HttpError 404 when the release went in the meantime, 422 when it has too many files
 */
export async function addFile(context: Context, release: ReleaseRow, file: StoredFile): Promise<AttachmentRow> {
  try {
    return await inTransaction(context, async (context) => {
      await lockIssues(context, [release.repository_id]);
      await requireRoom(context, release);
      return await context.db
        .insertInto('attachments')
        .values({
          ...file,
          repository_id: release.repository_id,
          uploader_id: signedInActor(context).id,
          release_id: release.id,
          created_at: now(),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  } catch (error) {
    await context.storage.delete(attachmentKey(file.uuid));
    throw error;
  }
}

async function requireRoom({ db }: Context, { id }: ReleaseRow): Promise<void> {
  if (!(await db.selectFrom('releases').select('id').where('id', '=', id).executeTakeFirst())) throw notFound();
  const { count } = await db
    .selectFrom('attachments')
    .select((select) => select.fn.countAll().as('count'))
    .where('release_id', '=', id)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_FILES) throw unprocessable(`a release has at most ${MAX_FILES} files`);
}
