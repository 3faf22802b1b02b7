import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { AttachmentRow } from '../../database/tables/issues.ts';
import type { ReleaseRow } from '../../database/tables/releases.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import { pathId } from '../../http/path-id.ts';
import { attachmentKey, type StoredFile } from '../../issues/attachments/store.ts';
import { lockIssues } from '../../issues/find.ts';

/** Files of one release. */
const MAX_FILES = 1000;

/** Files that one query reads: many more at once would hold the thread. */
const MAX_READ = 2000;

/** The files of releases by name, by release. */
export async function filesOfReleases({ db }: Pick<Context, 'db'>, releaseIds: readonly number[]): Promise<Map<number, AttachmentRow[]>> {
  const files = new Map<number, AttachmentRow[]>();
  let left = releaseIds.toSorted((a, b) => a - b);
  while (left.length > 0) {
    const rows = await readFiles(db, left).limit(MAX_READ).execute();
    for (const [id, found] of Map.groupBy(rows, (row) => row.release_id ?? 0)) files.set(id, found);
    if (rows.length < MAX_READ) break;
    const last = rows.at(-1)?.release_id ?? 0;
    // This one may have more of them.
    files.set(last, await readFiles(db, [last]).execute());
    left = left.filter((id) => id > last);
  }
  return files;
}

function readFiles(db: Db, releaseIds: readonly number[]) {
  const rows = db.selectFrom('attachments').selectAll().where('release_id', 'in', releaseIds);
  return rows.orderBy('release_id').orderBy('name').orderBy('id');
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
