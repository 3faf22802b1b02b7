import { sql } from 'kysely';
import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import type { PackageType } from '../../database/tables/package-types.ts';

/** The versions of a list: those of a package, or of an owner's packages of a type. */
export type Scope = { readonly packageId: number } | { readonly ownerId: number; readonly type: PackageType };

/** What tells whether the versions of a list have changed, and where: ids are never reused and revisions only grow. */
export interface ListState {
  /** Of all versions; compared first, since it is found in a third of the time of the parts. */
  readonly totals: string;
  /** The ids and revisions of each 32 versions, by their part. */
  readonly parts: ReadonlyMap<number, string>;
  /** The highest id. */
  readonly last: number;
}

/** A version as far as it tells of changes. */
interface Counted {
  readonly id: number;
  readonly revision: number;
}

/** Squares are of what is left of ids beyond this, so that sums of them stay exact. */
const MODULUS = 65_521;

/** Cached, as several lists of one request have the same versions. */
const CACHED = { isCached: true };
const totalsOfPackage = prepared((db, packageId: number) => totalsIn(db).where('package_id', '=', packageId), CACHED);
const totalsOfOwner = prepared(
  (db, ownerId: number, type: PackageType) => totalsIn(db).where('owner_id', '=', ownerId).where('type', '=', type),
  CACHED,
);
const partsOfPackage = prepared((db, packageId: number) => partsIn(db).where('package_id', '=', packageId));
const partsOfOwner = prepared((db, ownerId: number, type: PackageType) =>
  partsIn(db).where('owner_id', '=', ownerId).where('type', '=', type),
);
const laterOfPackage = prepared((db, after: number, packageId: number) => laterIn(db, after).where('package_id', '=', packageId));
const laterOfOwner = prepared((db, after: number, ownerId: number, type: PackageType) =>
  laterIn(db, after).where('owner_id', '=', ownerId).where('type', '=', type),
);

function totalsIn(db: Db) {
  return db
    .selectFrom('package_versions')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .select(sql<number | string | null>`sum(id)`.as('ids'))
    .select(sql<number | string | null>`sum((id % ${sql.lit(MODULUS)}) * (id % ${sql.lit(MODULUS)}))`.as('squares'))
    .select(sql<number | string | null>`sum(revision)`.as('revisions'))
    .where('is_internal', '=', false);
}

function partsIn(db: Db) {
  return db
    .selectFrom('package_versions')
    .select(sql<number>`id / 32`.as('part'))
    .select(sql<number | string>`sum(cast(1 as bigint) << cast(id & 31 as integer))`.as('ids'))
    .select(sql<number | string>`sum(revision)`.as('revisions'))
    .where('is_internal', '=', false)
    .groupBy(sql`id / 32`);
}

function laterIn(db: Db, after: number) {
  return db
    .selectFrom('package_versions')
    .select(['id', 'revision'])
    .where('is_internal', '=', false)
    .where('id', '>', after)
    .orderBy('id');
}

/** The totals of a list's versions, as {@link ListState} has them. */
export async function totalsOf(db: Db, of: Scope): Promise<string> {
  const [row] = 'packageId' in of ? await totalsOfPackage(db, of.packageId) : await totalsOfOwner(db, of.ownerId, of.type);
  return textOf([row?.count, row?.ids, row?.squares, row?.revisions].map(Number));
}

/** The versions of a list with higher ids. */
export async function versionsAfter(db: Db, of: Scope, after: number): Promise<Counted[]> {
  return 'packageId' in of ? await laterOfPackage(db, after, of.packageId) : await laterOfOwner(db, after, of.ownerId, of.type);
}

/** The state of a list's versions. */
export async function stateOf(db: Db, of: Scope): Promise<ListState> {
  const rows = 'packageId' in of ? await partsOfPackage(db, of.packageId) : await partsOfOwner(db, of.ownerId, of.type);
  let totals: readonly number[] = [0, 0, 0, 0];
  let last = 0;
  const parts = new Map<number, string>();
  for (const { part, ids, revisions } of rows) {
    parts.set(Number(part), `${ids} ${revisions}`);
    totals = sum(totals, [0, 0, 0, Number(revisions)]);
    for (const id of idsIn(Number(part), Number(ids))) {
      totals = sum(totals, totalsOfOne({ id, revision: 0 }));
      last = Math.max(last, id);
    }
  }
  return { totals: textOf(totals), parts, last };
}

/** The state with further versions. */
export function withVersions({ totals, parts, last }: ListState, added: readonly Counted[]): ListState {
  const all = new Map(parts);
  let sums = totals.split(' ').map(Number);
  for (const version of added) {
    const part = Math.floor(version.id / 32);
    const [ids = 0, revisions = 0] = (all.get(part) ?? '0 0').split(' ').map(Number);
    all.set(part, `${ids + 2 ** (version.id % 32)} ${revisions + version.revision}`);
    sums = sum(sums, totalsOfOne(version));
  }
  return { totals: textOf(sums), parts: all, last: Math.max(last, added.at(-1)?.id ?? 0) };
}

function totalsOfOne({ id, revision }: Counted): number[] {
  return [1, id, (id % MODULUS) ** 2, revision];
}

function sum(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, at) => value + (b[at] ?? 0));
}

function textOf(totals: readonly number[]): string {
  return totals.join(' ');
}

function* idsIn(part: number, bits: number): Generator<number> {
  for (let bit = 0, left = bits; left > 0; bit++, left = Math.floor(left / 2)) if (left % 2 === 1) yield part * 32 + bit;
}
