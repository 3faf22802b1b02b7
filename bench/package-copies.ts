import type { Db } from '../src/database/database.ts';
import type { BenchFormat } from './package-formats.ts';

const CHUNK = 500;

/** Copies the only version, with what belongs to it, until there are so many: publishing all of them would take long. */
export async function copyVersions(db: Db, ownerId: number, lists: BenchFormat['lists'], count: number): Promise<void> {
  const named = (number: number) => (text: string) => text.replaceAll('first', `first${number}`);
  const packages = await db.selectFrom('packages').selectAll().where('owner_id', '=', ownerId).where('is_internal', '=', false).execute();
  const [source] = packages;
  if (!source) throw new Error('no package');
  const version = await db.selectFrom('package_versions').selectAll().where('package_id', '=', source.id).executeTakeFirstOrThrow();
  const file = await db.selectFrom('package_files').selectAll().where('version_id', '=', version.id).executeTakeFirstOrThrow();
  const properties = await db
    .selectFrom('package_properties')
    .selectAll()
    .where((where) => where.or([where('package_id', '=', source.id), where('version_id', '=', version.id), where('file_id', '=', file.id)]))
    .execute();
  for (let at = 1; at < count; at += CHUNK) {
    const numbers = Array.from({ length: Math.min(CHUNK, count - at) }, (_, index) => at + index);
    let packageIds = numbers.map(() => source.id);
    if (lists === 'packages') {
      const { id: _, ...columns } = source;
      const rows = numbers.map((number) => ({
        ...columns,
        name: named(number)(source.name),
        lower_name: named(number)(source.lower_name),
      }));
      packageIds = (await db.insertInto('packages').values(rows).returning('id').execute()).map(({ id }) => id);
    }
    const text = (number: number) => (lists === 'packages' ? version.version : version.version.replace('1.0.0', `0.${number}.0`));
    const { id: _, ...columns } = version;
    const rename = (number: number) =>
      lists === 'packages' ? named(number) : (value: string) => value.replaceAll('1.0.0', `0.${number}.0`);
    const versions = await db
      .insertInto('package_versions')
      .values(
        numbers.map((number, index) => ({
          ...columns,
          package_id: packageIds[index] ?? 0,
          version: text(number),
          lower_version: text(number),
          metadata: rename(number)(version.metadata),
        })),
      )
      .returning('id')
      .execute();
    const { id: __, ...fileColumns } = file;
    const files = await db
      .insertInto('package_files')
      .values(
        numbers.map((number, index) => ({
          ...fileColumns,
          version_id: versions[index]?.id ?? 0,
          name: rename(number)(file.name),
          lower_name: rename(number)(file.lower_name),
        })),
      )
      .returning('id')
      .execute();
    const rows = numbers.flatMap((number, index) =>
      properties.flatMap(({ id: _, ...row }) => {
        if (row.package_id !== null && lists === 'versions') return [];
        return {
          ...row,
          value: rename(number)(row.value),
          package_id: row.package_id && (packageIds[index] ?? null),
          version_id: row.version_id && (versions[index]?.id ?? null),
          file_id: row.file_id && (files[index]?.id ?? null),
        };
      }),
    );
    if (rows.length > 0) await db.insertInto('package_properties').values(rows).execute();
  }
}
