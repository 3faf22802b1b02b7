import type { Context } from '../../context.ts';
import type { LfsObjectRow } from '../../database/tables/lfs.ts';
import type { Page } from '../../http/paging.ts';

/** The large files of a repository, those first that it has had for the shortest time. */
export async function listObjects(
  { db }: Pick<Context, 'db'>,
  repositoryId: number,
  page: Page,
): Promise<{ objects: (Pick<LfsObjectRow, 'oid' | 'size'> & { created_at: number })[]; total: number }> {
  const links = db.selectFrom('lfs_links').where('repository_id', '=', repositoryId);
  const { total } = await links.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const objects = await links
    .innerJoin('lfs_objects', 'lfs_objects.id', 'lfs_links.object_id')
    .select(['lfs_objects.oid', 'lfs_objects.size', 'lfs_links.created_at'])
    .orderBy('lfs_links.object_id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { objects, total: Number(total) };
}
