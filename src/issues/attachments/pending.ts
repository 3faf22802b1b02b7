import type { Repository } from '../../access/find-repository.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { AttachmentRow } from '../../database/tables/issues.ts';
import { unprocessable } from '../../http/errors.ts';
import { type AttachmentTarget, roomFor } from './attachments.ts';
import { removeAttachments } from './remove.ts';
import { attachmentKey, type StoredFile } from './store.ts';

/** Maximum number of one user's files without a text. */
const MAX_PENDING = 100;
/** Seconds after which a file without a text is deleted. */
const LIFETIME = 24 * 3600;
/** Maximum number of files that one text names. */
const MAX_NAMED = 100;

const ADDRESS = /\/attachments\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/g;

/**
 * Stores a file for a text that is still being written; until then only its uploader can read it.
 * @throws HttpError 422 for a user who has too many already
 */
export async function addPending(context: Context, repository: Repository, file: StoredFile): Promise<AttachmentRow> {
  try {
    const { count } = await pendingOf(context)
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_PENDING) throw unprocessable(`more than ${MAX_PENDING} files that belong to no text`);
    return await inTransaction(context, async (context) => {
      const row = await context.db
        .insertInto('attachments')
        .values({ ...file, repository_id: repository.id, uploader_id: signedInActor(context).id, created_at: now() })
        .returningAll()
        .executeTakeFirstOrThrow();
      await context.jobs.add(context, 'attachments.expire', { id: row.id }, { delay: LIFETIME });
      return row;
    });
  } catch (error) {
    await context.storage.delete(attachmentKey(file.uuid));
    throw error;
  }
}

function pendingOf({ db, actor }: Context) {
  return db
    .selectFrom('attachments')
    .where('uploader_id', '=', actor?.id ?? 0)
    .where('issue_id', 'is', null)
    .where('release_id', 'is', null);
}

/** Attaches the caller's pending files that a text links to. Part of the change that writes the text. */
export async function claimNamed(context: Context, { issue, comment }: AttachmentTarget, text: string): Promise<void> {
  const uuids = [...new Set([...text.matchAll(ADDRESS)].slice(0, MAX_NAMED).map(([, uuid = '']) => uuid))];
  const room = uuids.length === 0 ? 0 : await roomFor(context, { issue, comment });
  if (room === 0) return;
  await context.db
    .updateTable('attachments')
    .set({ issue_id: issue.id, comment_id: comment?.id ?? null })
    .where('uuid', 'in', uuids.slice(0, room))
    .where('repository_id', '=', issue.repository_id)
    .where('uploader_id', '=', context.actor?.id ?? 0)
    .where('issue_id', 'is', null)
    .where('release_id', 'is', null)
    .execute();
}

/** The job that deletes a file which has been pending for a day. */
export async function expirePending({ id }: { id: number }, context: Context): Promise<void> {
  const file = await context.db
    .selectFrom('attachments')
    .select('id')
    .where('id', '=', id)
    .where('issue_id', 'is', null)
    .where('release_id', 'is', null)
    .executeTakeFirst();
  if (file) await removeAttachments(context, { id });
}
