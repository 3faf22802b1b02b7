import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { BackupResult } from './backup.ts';

/** Number of rows of earlier backups to retain. */
const KEPT = 100;

/** Records that a backup was made and is whole, for monitoring. */
export async function recordBackup(context: Context, { manifest, transferred }: BackupResult): Promise<void> {
  const moment = Math.floor(Date.parse(manifest.createdAt) / 1000);
  await inTransaction(context, async ({ db }) => {
    const { id } = await db
      .insertInto('made_backups')
      .values({ moment, ended_at: now(), bytes: manifest.counts.bytes, transferred })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .deleteFrom('made_backups')
      .where('id', '<=', id - KEPT)
      .execute();
  });
}
