import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import { type DescribedVersion, describeVersions } from '../registry/describe.ts';
import { compareVersions, type LooseVersion, parseLooseVersion, parseVersion } from '../versions/loose.ts';
import type { ListedVersion } from './blocks.ts';
import { type LongList, readLongList } from './long-lists.ts';

/** A version before all of it is read. */
export interface NamedVersion extends ListedVersion {
  readonly package_id: number;
  /** The package. */
  readonly name: string;
  readonly lower_name: string;
  /** The same as `groupedByPackage` made it: blocks of the same objects are known. */
  grouped?: GroupedVersion | undefined;
}

/** A query for the versions of an owner's packages of a type, as documents list them, to be refined. */
export function listedVersions(db: Db, ownerId: number, type: PackageType) {
  return db
    .selectFrom('package_versions')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .select(['package_versions.id', 'package_versions.revision', 'package_versions.created_at', 'package_versions.package_id'])
    .select(['packages.name', 'packages.lower_name'])
    .where('package_versions.owner_id', '=', ownerId)
    .where('package_versions.type', '=', type)
    .where('package_versions.is_internal', '=', false);
}

/** The versions of an owner's packages of a type in an order, as documents list them. */
export async function listAllVersions(
  context: Context,
  ownerId: number,
  type: PackageType,
  order: (a: NamedVersion, b: NamedVersion) => number,
): Promise<readonly NamedVersion[]> {
  const read: LongList<NamedVersion>['read'] = async (isRead) => {
    const rows = await listedVersions(context.db, ownerId, type).where(isRead).execute();
    return rows.map((row) => ({ ...row, grouped: undefined }));
  };
  return await readLongList(context, { of: { ownerId, type }, name: 'versions', order, read });
}

/** Those of them that have a file of this composite key. */
export function versionsAt(db: Db, ownerId: number, type: PackageType, place: string) {
  return listedVersions(db, ownerId, type).where((where) =>
    where.exists(
      where
        .selectFrom('package_files')
        .select('package_files.id')
        .whereRef('package_files.version_id', '=', 'package_versions.id')
        .where('package_files.composite_key', '=', place),
    ),
  );
}

/** A version of a package before all of it is read. */
export interface VersionOfPackage extends ListedVersion {
  readonly version: string;
  readonly lower_version: string;
}

/** Whether an owner has packages of a type: otherwise nothing is stored. */
export async function hasVersions(db: Db, ownerId: number, type: PackageType): Promise<boolean> {
  return (await listedVersions(db, ownerId, type).limit(1).executeTakeFirst()) !== undefined;
}

/** Orders of the versions of a package. */
const ORDERS = {
  name: (a: VersionOfPackage, b: VersionOfPackage) => (a.lower_version < b.lower_version ? -1 : 1),
  text: (a: VersionOfPackage, b: VersionOfPackage) => (a.version < b.version ? -1 : 1),
  newest: (a: VersionOfPackage, b: VersionOfPackage) => b.created_at - a.created_at || b.id - a.id,
  oldest: (a: VersionOfPackage, b: VersionOfPackage) => a.created_at - b.created_at || a.id - b.id,
  /** As semantic versions, each of which is read once: comparing texts would read them for every pair. */
  semantic: (a: VersionOfPackage, b: VersionOfPackage) => compareRead(strictly(a), strictly(b)) || ORDERS.name(a, b),
  /** The same, with what is not written quite as such. */
  loose: (a: VersionOfPackage, b: VersionOfPackage) => compareRead(loosely(a), loosely(b)) || ORDERS.name(a, b),
} as const;
const [strictly, loosely] = [onceForEach(parseVersion), onceForEach(parseLooseVersion)];

function onceForEach(parse: typeof parseVersion): (row: VersionOfPackage) => LooseVersion | undefined {
  const read = new WeakMap<VersionOfPackage, { parsed: LooseVersion | undefined }>();
  return (row) => {
    const known = read.get(row) ?? { parsed: parse(row.version) };
    read.set(row, known);
    return known.parsed;
  };
}

/** What is not a version comes first. */
function compareRead(a: LooseVersion | undefined, b: LooseVersion | undefined): number {
  return a && b ? compareVersions(a, b) : Number(a !== undefined) - Number(b !== undefined);
}

/** All versions of a package in the order of semantic versions, the lowest first; without what is none. */
export async function listInOrder(context: Context, packageId: number): Promise<readonly VersionOfPackage[]> {
  const rows = await listVersions(context, packageId, 'semantic');
  const first = rows.findIndex((row) => strictly(row));
  return first === 0 ? rows : first < 0 ? [] : rows.slice(first);
}

/** The versions of a package in an order, as its documents list them. */
export async function listVersions(context: Context, packageId: number, order: keyof typeof ORDERS): Promise<readonly VersionOfPackage[]> {
  return await readLongList(context, {
    of: { packageId },
    name: order,
    order: ORDERS[order],
    read: (isRead) => versionsOfPackage(context.db, packageId).where(isRead).execute(),
  });
}

/** A query for the versions of a package, as its documents list them, to be refined. */
export function versionsOfPackage(db: Db, packageId: number) {
  return db
    .selectFrom('package_versions')
    .select(['id', 'revision', 'created_at', 'version', 'lower_version'])
    .where('package_id', '=', packageId)
    .where('is_internal', '=', false);
}

/** The versions with the state whether they are the first of their package, for documents that group by package. */
export function groupedByPackage(versions: readonly NamedVersion[]): GroupedVersion[] {
  return versions.map((version, index) => {
    const isFirstOfPackage = versions[index - 1]?.package_id !== version.package_id;
    if (version.grouped?.isFirstOfPackage === isFirstOfPackage) return version.grouped;
    const { grouped: _, ...rest } = version;
    version.grouped = { ...rest, isFirstOfPackage, state: isFirstOfPackage ? 'first' : '' };
    return version.grouped;
  });
}

/** A version, and whether it is the first of its package. */
export type GroupedVersion = NamedVersion & { readonly isFirstOfPackage: boolean };

/** All that documents show of some versions, in their order; those that were deleted meanwhile are left out. */
export async function describeListed<Metadata>(db: Db, versions: readonly ListedVersion[]): Promise<DescribedVersion<Metadata>[]> {
  return await describeVersions<Metadata>(db, versions);
}

/** The rows of some versions, in their order; those that were deleted meanwhile are left out. */
export async function readListed<Version extends ListedVersion>(db: Db, versions: readonly Version[]) {
  return inOrder(versions, await rowsOf(db, versions));
}

/** Rows in the order of versions, several of one version in the order that they have. */
export function inOrder<Row extends { readonly id: number }>(versions: readonly ListedVersion[], rows: readonly Row[]): Row[] {
  const byId = Map.groupBy(rows, ({ id }) => id);
  return versions.flatMap(({ id }) => byId.get(id) ?? []);
}

/** The files of some versions with their contents, in the order of the files: a query that each document continues. */
export function filesOfVersions(db: Db, versions: readonly ListedVersion[]) {
  return db
    .selectFrom('package_versions')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .innerJoin('package_files', 'package_files.version_id', 'package_versions.id')
    .innerJoin('package_blobs', 'package_blobs.id', 'package_files.blob_id')
    .select(['package_versions.id', 'packages.name'])
    .where('package_versions.id', 'in', idsOf(versions))
    .orderBy('package_files.id');
}

function idsOf(versions: readonly ListedVersion[]): number[] {
  return versions.map(({ id }) => id);
}

async function rowsOf(db: Db, versions: readonly ListedVersion[]) {
  return await db.selectFrom('package_versions').selectAll().where('id', 'in', idsOf(versions)).execute();
}
