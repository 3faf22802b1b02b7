import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../database/database.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import { contains } from './search.ts';
import { countAllVersions } from './totals.ts';

/** The orders of the list of the instance's versions, named as Gitea does. */
export const INSTANCE_SORTS = {
  created_desc: ['package_versions.id', 'desc'],
  created_asc: ['package_versions.id', 'asc'],
  name_asc: ['packages.lower_name', 'asc'],
  name_desc: ['packages.lower_name', 'desc'],
  version_asc: ['package_versions.lower_version', 'asc'],
  version_desc: ['package_versions.lower_version', 'desc'],
} as const;
export type InstanceSort = keyof typeof INSTANCE_SORTS;

/** Which versions of the instance are searched for; missing ones mean any. */
export interface InstanceSearch {
  readonly type?: PackageType | undefined;
  /** A part of the name, ignoring case. */
  readonly nameContains?: string | undefined;
}

/** A version of a package of any owner. */
export interface InstanceVersion {
  readonly id: number;
  readonly owner: string;
  readonly type: PackageType;
  readonly name: string;
  readonly version: string;
  readonly created_at: number;
  /** Bytes of its files. */
  readonly size: number;
}

/** A page of the versions of the packages of all owners, and how many there are. For administrators, who see all of them. */
export async function listInstanceVersions(
  db: Db,
  search: InstanceSearch,
  page: { limit: number; offset: number; sort: InstanceSort },
): Promise<{ versions: InstanceVersion[]; total: number }> {
  const found = matching(db, search);
  const isAll = search.type === undefined && !search.nameContains;
  const total = isAll ? await countAllVersions(db) : await countOf(found);
  const [column, direction] = INSTANCE_SORTS[page.sort];
  const rows = await found
    .innerJoin('users', 'users.id', 'package_versions.owner_id')
    .select(['package_versions.id', 'package_versions.version', 'package_versions.type', 'package_versions.created_at'])
    .select(['packages.name', 'users.name as owner'])
    .orderBy(column, direction)
    .orderBy('package_versions.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const sizes = await sizesOf(
    db,
    rows.map(({ id }) => id),
  );
  return { versions: rows.map((row) => ({ ...row, size: sizes.get(row.id) ?? 0 })), total };
}

async function countOf(found: ReturnType<typeof matching>): Promise<number> {
  const { total } = await found.select(({ fn }) => fn.countAll<number | string>().as('total')).executeTakeFirstOrThrow();
  return Number(total);
}

function matching(db: Db, { type, nameContains }: InstanceSearch) {
  return db
    .selectFrom('package_versions')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .where('package_versions.is_internal', '=', false)
    .$if(type !== undefined, (found) => found.where('package_versions.type', '=', type ?? 'generic'))
    .$if(Boolean(nameContains), (found) => found.where(sql<SqlBool>`packages.lower_name like ${contains(nameContains ?? '')} escape '!'`));
}

async function sizesOf(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('package_files')
    .innerJoin('package_blobs', 'package_blobs.id', 'package_files.blob_id')
    .where('package_files.version_id', 'in', ids)
    .groupBy('package_files.version_id')
    .select(['package_files.version_id as id', ({ fn }) => fn.sum<number | string>('package_blobs.size').as('size')])
    .execute();
  return new Map(rows.map(({ id, size }) => [id, Number(size)]));
}
