import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { ArchivesTable } from '../../database/tables/archives.ts';

/** The columns needed to delete an archive. */
export type RemovableArchive = Pick<Selectable<ArchivesTable>, 'id' | 'blob'>;

/**
 * Deletes archives: first from where readers look, then the bytes, finally the row, which names the bytes until they are deleted. Reads in
 * progress on disk are completed.
 */
export async function removeArchives({ db, storage }: Pick<Context, 'db' | 'storage'>, rows: readonly RemovableArchive[]): Promise<void> {
  for (const { id, blob } of rows) {
    await db
      .updateTable('archives')
      .set({ key: `removed ${blob}`, size: 0, process_id: null })
      .where('id', '=', id)
      .execute();
    await storage.delete(blob);
    await db.deleteFrom('archives').where('id', '=', id).execute();
  }
}
