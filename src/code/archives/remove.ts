import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { ArchivesTable } from '../../database/tables/archives.ts';

/** What removing an archive has to know of it. */
export type RemovableArchive = Pick<Selectable<ArchivesTable>, 'id' | 'blob'>;

/**
 * Removes archives: first from where readers look, then the bytes, at last the row, which names the bytes until they are gone. What is
 * being read on disk is read to its end.
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
