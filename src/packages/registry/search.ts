import { type SqlBool, sql } from 'kysely';
import { cachePerServer } from '../../caches/recently-used.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { PackageFileRow, VersionRow } from '../../database/tables/packages.ts';
import { totalsOf } from '../indexes/list-state.ts';
import { hasProperties, VERSION_COLUMNS, type Wanted } from './find.ts';

/** Which versions are searched for; what is left out does not matter. */
export interface VersionSearch {
  readonly ownerId: number;
  readonly type?: PackageType | undefined;
  /** The whole name, ignoring case. */
  readonly name?: string | undefined;
  /** A part of the name, ignoring case. */
  readonly nameContains?: string | undefined;
  readonly repositoryId?: number | undefined;
  /** Properties of the version. */
  readonly properties?: Wanted | undefined;
  /** It has a file of this name. */
  readonly fileName?: string | undefined;
  /** The newest of each package alone. */
  readonly latest?: boolean | undefined;
}

/** A part of a list. */
export interface SearchPage {
  readonly limit: number;
  readonly offset?: number;
  /** In the order of the names of packages, instead of newest first. */
  readonly byName?: boolean;
}

/** Which files are searched for; what is left out does not matter. */
export interface FileSearch {
  readonly ownerId: number;
  readonly type: PackageType;
  readonly name?: string;
  readonly compositeKey?: string;
  /** Properties of the file. */
  readonly properties?: Wanted;
}

/** Versions of packages of an owner, newest first; without a page all of them, as indexes need them. */
export async function searchVersions(db: Db, search: VersionSearch, page?: SearchPage): Promise<VersionRow[]> {
  if (page?.byName && isOfNames(search)) return await searchByName(db, search, page);
  const matched = matching(db, search).select(VERSION_COLUMNS);
  const found = (page?.byName ? matched.orderBy('packages.lower_name') : matched)
    .orderBy('package_versions.created_at', 'desc')
    .orderBy('package_versions.id', 'desc');
  return await (page ? found.limit(page.limit).offset(page.offset ?? 0) : found).execute();
}

/** A search for the newest version of each package of one type, by nothing but its name. */
type NameSearch = Pick<VersionSearch, 'ownerId' | 'nameContains'> & { readonly type: PackageType };

function isOfNames({ type, latest, name, repositoryId, properties, fileName }: VersionSearch): boolean {
  const others = [name, repositoryId, properties, fileName];
  return type !== undefined && latest === true && others.every((other) => other === undefined);
}

/** Finds the packages first: an index has them in their order, so that only those of the page are read. */
async function searchByName(db: Db, search: VersionSearch, { limit, offset = 0 }: SearchPage): Promise<VersionRow[]> {
  const { ownerId, type, nameContains } = search as NameSearch;
  let packages = db
    .selectFrom('packages')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('type', '=', type)
    .where('is_internal', '=', false)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('package_versions')
          .select('id')
          .whereRef('package_id', '=', 'packages.id')
          .where('package_versions.is_internal', '=', false),
      ),
    );
  if (nameContains) packages = packages.where(sql<SqlBool>`lower_name like ${contains(nameContains)} escape '!'`);
  const ids = (await packages.orderBy('lower_name').limit(limit).offset(offset).execute()).map(({ id }) => id);
  if (ids.length === 0) return [];
  const found = await db
    .selectFrom('package_versions')
    .select(VERSION_COLUMNS)
    .where('package_id', 'in', ids)
    .where('is_internal', '=', false)
    .where(isLatest)
    .execute();
  const byPackage = new Map(found.map((row) => [row.package_id, row]));
  return ids.flatMap((id) => byPackage.get(id) ?? []);
}

/** Size limit of the counts that a process remembers, in bytes, and what one has beside its name. */
const [MAX_BYTES, COUNT_BYTES] = [512 * 1024, 150];

/** How many versions a search finds, and the versions of the owner at that time. */
const countsIn = cachePerServer<{ readonly totals: string; readonly count: number }>(MAX_BYTES);

/** How many {@link searchVersions} finds in all. Names never change: those of one type are counted again only when versions have come or gone. */
export async function countVersions(context: Pick<Context, 'db' | 'caches'>, search: VersionSearch): Promise<number> {
  const { ownerId, type, properties, repositoryId, fileName, ...named } = search;
  if (type === undefined || properties || repositoryId !== undefined || fileName !== undefined) return await count(context.db, search);
  const name = JSON.stringify([ownerId, type, named]);
  const totals = await totalsOf(context.db, { ownerId, type });
  const known = countsIn(context).get(name);
  if (known?.totals === totals) return known.count;
  const found = await count(context.db, search);
  if (!context.db.isTransaction) countsIn(context).set(name, { totals, count: found }, COUNT_BYTES + 2 * name.length);
  return found;
}

async function count(db: Db, search: VersionSearch): Promise<number> {
  const { count } = await matching(db, search)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Files of packages of an owner, in the order of their ids, after the one with the id `after`. */
export async function searchFiles(
  db: Db,
  { ownerId, type, name, compositeKey, properties = {} }: FileSearch,
  { limit, after = 0 }: { limit: number; after?: number },
): Promise<PackageFileRow[]> {
  let found = db
    .selectFrom('package_files')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .selectAll('package_files')
    .where('package_versions.owner_id', '=', ownerId)
    .where('package_versions.type', '=', type)
    .where('package_versions.is_internal', '=', false)
    .where('package_files.id', '>', after)
    .where(hasProperties('file', properties));
  if (name !== undefined) found = found.where('package_files.lower_name', '=', name.toLowerCase());
  if (compositeKey !== undefined) found = found.where('package_files.composite_key', '=', compositeKey);
  return await found.orderBy('package_files.id').limit(limit).execute();
}

/** The different values that files of an owner's packages have for a property, in order. */
export async function listFilePropertyValues(
  db: Db,
  ownerId: number,
  type: PackageType,
  property: string,
  of: Wanted = {},
): Promise<string[]> {
  const rows = await db
    .selectFrom('package_properties')
    .innerJoin('package_files', 'package_files.id', 'package_properties.file_id')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .select('package_properties.value')
    .distinct()
    .where('package_versions.owner_id', '=', ownerId)
    .where('package_versions.type', '=', type)
    .where('package_versions.is_internal', '=', false)
    .where('package_properties.name', '=', property)
    .where(hasProperties('file', of))
    .orderBy('package_properties.value')
    .execute();
  return rows.map(({ value }) => value);
}

/** The condition under which a row of `package_versions` is the newest version of its package. */
export const isLatest = sql<SqlBool>`not exists (select 1 from package_versions newer where newer.package_id = package_versions.package_id and newer.is_internal = false and newer.id > package_versions.id)`;

function matching(db: Db, search: VersionSearch) {
  const { ownerId, type, name, nameContains, repositoryId, properties = {}, fileName, latest } = search;
  let found = db
    .selectFrom('package_versions')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .where('package_versions.owner_id', '=', ownerId)
    .where('package_versions.is_internal', '=', false)
    .where(hasProperties('version', properties));
  if (type !== undefined) found = found.where('package_versions.type', '=', type);
  if (name !== undefined) found = found.where('packages.lower_name', '=', name.toLowerCase());
  if (nameContains) found = found.where(sql<SqlBool>`packages.lower_name like ${contains(nameContains)} escape '!'`);
  if (repositoryId !== undefined) found = found.where('packages.repository_id', '=', repositoryId);
  if (fileName !== undefined) {
    found = found.where(
      sql<SqlBool>`exists (select 1 from package_files where version_id = package_versions.id and lower_name = ${fileName.toLowerCase()})`,
    );
  }
  if (latest) found = found.where(isLatest);
  return found;
}

/** The pattern of texts that have this one in them. */
export function contains(text: string): string {
  return `%${text.toLowerCase().replace(/[!%_]/g, '!$&')}%`;
}
