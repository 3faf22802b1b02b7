import type { Db } from '../../database/database.ts';
import type { PackageVersionRow } from '../../database/tables/packages.ts';
import { type DescribedVersion, describeVersions } from './describe.ts';

/** A version, and its part of a document. */
export interface Fragment extends Pick<PackageVersionRow, 'id' | 'version' | 'created_at'> {
  readonly content: string;
}

/** What a document shows of a version. */
export interface FragmentMaker<Metadata> {
  /** Which of a version's fragments, with all that it depends on beside the version, such as the URL in its links. */
  readonly variant: string;
  readonly make: (version: DescribedVersion<Metadata>) => string;
}

/** Versions that are read at once. */
const BATCH = 500;

/**
 * The fragments of all versions of a package in the order of their letters, in batches. Each is made once and kept until its version
 * changes, so that a document of many versions costs little more than its bytes when one is published.
 */
export async function* eachFragment<Metadata>(
  db: Db,
  packageId: number,
  maker: FragmentMaker<Metadata>,
): AsyncGenerator<readonly Fragment[]> {
  for (let last = ''; ; ) {
    const rows = await listBatch(db, packageId, maker.variant, last);
    const missing = rows.filter(({ content }) => content === null).map(({ id }) => id);
    const made = await makeMissing(db, missing, maker);
    if (rows.length > 0) yield rows.map((row) => ({ ...row, content: row.content ?? made.get(row.id) ?? '' }));
    if (rows.length < BATCH) return;
    last = rows.at(-1)?.lower_version ?? '';
  }
}

/** Notes that a version is shown in another way from now on, as part of the transaction that changes it. */
export async function reviseVersion(db: Db, versionId: number): Promise<void> {
  await db
    .updateTable('package_versions')
    .set((row) => ({ revision: row('revision', '+', 1) }))
    .where('id', '=', versionId)
    .execute();
}

async function listBatch(db: Db, packageId: number, variant: string, last: string) {
  return await db
    .selectFrom('package_versions')
    .leftJoin('package_fragments', (join) =>
      join
        .onRef('package_fragments.version_id', '=', 'package_versions.id')
        .onRef('package_fragments.revision', '=', 'package_versions.revision')
        .on('package_fragments.variant', '=', variant),
    )
    .select(['package_versions.id', 'version', 'lower_version', 'created_at', 'package_fragments.content'])
    .where('package_id', '=', packageId)
    .where('is_internal', '=', false)
    .where('lower_version', '>', last)
    .orderBy('lower_version')
    .limit(BATCH)
    .execute();
}

async function makeMissing<Metadata>(
  db: Db,
  ids: readonly number[],
  { variant, make }: FragmentMaker<Metadata>,
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  // The revision is read with the version: what changes after that has a higher one, and is made again.
  const versions = await db
    .selectFrom('package_versions')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute();
  const rows = (await describeVersions<Metadata>(db, versions)).map((described) => ({
    version_id: described.version.id,
    variant,
    revision: described.version.revision,
    content: make(described),
  }));
  try {
    await keep(db, rows);
  } catch (error) {
    // A version that was deleted meanwhile cannot have one; its document is built again anyway.
    const { count } = await db
      .selectFrom('package_versions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('id', 'in', [...ids])
      .executeTakeFirstOrThrow();
    if (Number(count) === rows.length) throw error;
  }
  return new Map(rows.map(({ version_id, content }) => [version_id, content]));
}

async function keep(db: Db, rows: readonly { version_id: number; variant: string; revision: number; content: string }[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('package_fragments')
    .columns(['version_id', 'variant', 'revision', 'content'])
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .columns(['version_id', 'variant'])
        .doUpdateSet((row) => ({ revision: row.ref('excluded.revision'), content: row.ref('excluded.content') })),
    )
    .execute();
}
