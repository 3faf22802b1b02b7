import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import type { Finding } from '../../repositories/doctor/finding.ts';

/** What an owner's packages have. */
export interface PackageTotals {
  /** Bytes of all files, also of those that the registry makes. */
  readonly size: number;
  /** How many versions are shown. */
  readonly versions: number;
}

const totals = prepared((db, ownerId: number) =>
  db
    .selectFrom('package_totals')
    .select(({ fn }) => [fn.sum<number | string | null>('size').as('size'), fn.sum<number | string | null>('versions').as('versions')])
    .where('owner_id', '=', ownerId),
);

/** The stored totals of an owner, which triggers maintain. */
export async function totalsOf(db: Db, ownerId: number): Promise<PackageTotals> {
  const [row] = await totals(db, ownerId);
  return { size: Number(row?.size ?? 0), versions: Number(row?.versions ?? 0) };
}

/** How many versions of all owners are shown. */
export async function countAllVersions(db: Db): Promise<number> {
  const all = db.selectFrom('package_totals').select(({ fn }) => fn.sum<number | string | null>('versions').as('versions'));
  return Number((await all.executeTakeFirst())?.versions ?? 0);
}

/** What each owner has, minus what is stored, where that is wrong. */
const MISSING = sql`select owner_id, sum(size) as size, sum(versions) as versions from (
    select owner_id, 0 as size, case when is_internal then 0 else 1 end as versions from package_versions
    union all
    select package_versions.owner_id, package_blobs.size, 0 from package_files
      join package_versions on package_versions.id = package_files.version_id
      join package_blobs on package_blobs.id = package_files.blob_id
    union all select owner_id, -size, -versions from package_totals
  ) as parts group by owner_id having sum(size) <> 0 or sum(versions) <> 0`;

/** Finds owners whose stored totals are wrong. */
export async function* totalsFindings(context: Context): AsyncGenerator<Finding> {
  const { db } = context;
  const { rows } = await sql<{ owner_id: number; size: number | string; versions: number | string }>`${MISSING} order by owner_id`.execute(
    db,
  );
  for (const { owner_id: ownerId, ...missing } of rows) {
    const { size, versions } = await totalsOf(db, ownerId);
    const real = { size: size + Number(missing.size), versions: versions + Number(missing.versions) };
    yield {
      text: `users ${ownerId}: the packages have ${real.size} bytes and ${real.versions} versions, not ${size} and ${versions}`,
      fix: () => addMissing(context, ownerId),
    };
  }
}

/** One statement, so that it is right beside publications. */
async function addMissing({ db, database }: Context, ownerId: number): Promise<void> {
  const add = sql`insert into package_totals (owner_id, size, versions) select * from (${MISSING}) as missing where owner_id = ${ownerId}`;
  const toRow = sql`on conflict (owner_id) do update set
    size = package_totals.size + excluded.size, versions = package_totals.versions + excluded.versions`;
  await (database.dialect === 'sqlite' ? sql`${add} ${toRow}` : add).execute(db);
}
