import type { Context } from '../../context.ts';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import { notFoundBecause } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { nameKey, REGISTRY_ITSELF } from './names.ts';

/** A package of which something is cached. */
export interface CachedPackageCount {
  readonly name: string;
  readonly files: number;
  readonly size: number;
  readonly used_at: number;
}

/** The packages that are cached of an upstream, by name. */
export async function listCachedPackages(
  { db }: Context,
  { id }: PackageUpstreamRow,
  page: Pick<Page, 'limit' | 'offset'>,
): Promise<CachedPackageCount[]> {
  const names = await db
    .selectFrom('package_names')
    .select(['id', 'name'])
    .where('upstream_id', '=', id)
    .where('name', '!=', REGISTRY_ITSELF)
    .orderBy('name')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom('package_upstream_files')
    .select(({ fn }) => [
      'name_id',
      fn.count<number | string>('blob_id').as('files'),
      fn.sum<number | string>('size').as('size'),
      fn.max('used_at').as('used_at'),
    ])
    .where(
      'name_id',
      'in',
      names.map(({ id }) => id),
    )
    .groupBy('name_id')
    .execute();
  const counts = new Map(rows.map((row) => [row.name_id, row]));
  return names.map(({ id, name }) => {
    const found = counts.get(id);
    return { name, files: Number(found?.files ?? 0), size: Number(found?.size ?? 0), used_at: Number(found?.used_at ?? 0) };
  });
}

/** How many there are. */
export async function countCachedPackages({ db }: Context, { id }: PackageUpstreamRow): Promise<number> {
  const { count } = await db
    .selectFrom('package_names')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('upstream_id', '=', id)
    .where('name', '!=', REGISTRY_ITSELF)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Removes all that is cached of a package, so that it is fetched again, or may be published here.
 * @throws HttpError 404
 */
export async function purgeCachedPackage({ db }: Context, { id, type }: PackageUpstreamRow, name: string): Promise<void> {
  const removed = await db
    .deleteFrom('package_names')
    .where('upstream_id', '=', id)
    .where('name', '=', nameKey(type, name))
    .returning('id')
    .executeTakeFirst();
  if (!removed) throw notFoundBecause('nothing is cached of such a package');
}
