import { createHash } from 'node:crypto';
import { now } from '../clock.ts';
import type { Logger } from '../log.ts';
import type { Db } from './database.ts';
import type { NoticeKind } from './tables/platform.ts';

/** Number of notices to keep; the oldest are deleted first. */
const MAX_NOTICES = 10_000;
const MAX_SUBJECT = 300;
const MAX_TEXT = 2000;

/** Something that went wrong in the background. */
export interface NewNotice {
  readonly kind: NoticeKind;
  /** What it happened to, such as the name of a task or a repository. */
  readonly subject: string;
  readonly text: string;
}

/**
 * Records a failure in the background for administrators. A repeated failure is counted. The caller continues even if this cannot be
 * written.
 */
export async function recordNotice({ db, log }: { db: Db; log: Logger }, notice: NewNotice): Promise<void> {
  try {
    await keepNotice(db, notice, now());
  } catch (error) {
    log.warn({ kind: notice.kind, err: error }, 'a notice could not be kept');
  }
}

/** Writes a notice, or counts it where it exists already. */
export async function keepNotice(db: Db, notice: NewNotice, time: number): Promise<void> {
  const [subject, text] = [clean(notice.subject, MAX_SUBJECT), clean(notice.text, MAX_TEXT)];
  const digest = createHash('sha256')
    .update(JSON.stringify([notice.kind, subject, text]))
    .digest('base64url');
  const { id } = await db
    .insertInto('notices')
    .values({ kind: notice.kind, subject, text, digest, created_at: time, updated_at: time })
    .onConflict((conflict) => conflict.column('digest').doUpdateSet((rows) => ({ count: rows('notices.count', '+', 1), updated_at: time })))
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .deleteFrom('notices')
    .where('id', '<=', id - MAX_NOTICES)
    .execute();
}

/** PostgreSQL cannot store NUL. */
function clean(text: string, length: number): string {
  return text.replaceAll('\0', '').slice(0, length).toWellFormed();
}
