import { type Context, inTransaction } from '../../context.ts';
import { UPLOADS } from './names.ts';

/** Versions that one query looks at. */
const BATCH = 100;

/** Part of the task `cleanup_packages`: forgets contents that were uploaded before a moment (in seconds) and are in no manifest. */
export async function forgetUploads(context: Context, before: number, signal: AbortSignal): Promise<void> {
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const versions = await context.db
      .selectFrom('package_versions')
      .select(['id', 'package_id'])
      .where('type', '=', 'container')
      .where('is_internal', '=', true)
      .where('lower_version', '=', UPLOADS)
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const version of versions) await forgetUploadsOf(context, version, before);
    const last = versions.at(-1);
    if (!last) return;
    after = last.id;
  }
}

async function forgetUploadsOf(context: Context, { id, package_id }: { id: number; package_id: number }, before: number): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    // Uploads lock the package too.
    await db
      .updateTable('packages')
      .set((row) => ({ created_at: row.ref('created_at') }))
      .where('id', '=', package_id)
      .execute();
    await db.deleteFrom('package_files').where('version_id', '=', id).where('created_at', '<=', before).execute();
    await db
      .deleteFrom('package_versions')
      .where('id', '=', id)
      .where((where) => where.not(where.exists(where.selectFrom('package_files').select('id').where('version_id', '=', id))))
      .execute();
  });
}
