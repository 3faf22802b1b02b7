import type { Db } from '../../database/database.ts';
import { prepared, preparedIn, preparedRows } from '../../database/prepared.ts';
import type { PackagePropertyRow } from '../../database/tables/packages.ts';

/** What has properties. */
export type Subject = 'package' | 'version' | 'file';

/** Properties to set; several values of one name as a list. */
export type Properties = Readonly<Record<string, string | readonly string[]>>;

const COLUMNS = { package: 'package_id', version: 'version_id', file: 'file_id' } as const;

const LISTS = { package: listBy('package_id'), version: listBy('version_id'), file: listBy('file_id') };

function listBy(column: (typeof COLUMNS)[Subject]) {
  return preparedIn((db, ids) => db.selectFrom('package_properties').selectAll().where(column, 'in', ids).orderBy('id'));
}

type PropertyValues = readonly [packageId: number | null, versionId: number | null, fileId: number | null, name: string, value: string];
const addRows = preparedRows((db, rows: readonly PropertyValues[]) =>
  db.insertInto('package_properties').values(
    rows.map(([packageId, versionId, fileId, name, value]) => ({
      package_id: packageId,
      version_id: versionId,
      file_id: fileId,
      name,
      value,
    })),
  ),
);

/** Adds properties to those that there are. */
export async function addProperties(db: Db, subject: Subject, id: number, properties: Properties): Promise<void> {
  await addPropertiesOf(db, subject, [[id, properties]]);
}

/** {@link addProperties} for several subjects at once. */
export async function addPropertiesOf(
  db: Db,
  subject: Subject,
  all: readonly (readonly [id: number, properties: Properties])[],
): Promise<void> {
  const rowOf = (id: number, name: string, value: string): PropertyValues => [
    subject === 'package' ? id : null,
    subject === 'version' ? id : null,
    subject === 'file' ? id : null,
    name,
    value,
  ];
  const rows = all.flatMap(([id, properties]) =>
    Object.entries(properties).flatMap(([name, values]) => [values].flat().map((value) => rowOf(id, name, value))),
  );
  await addRows(db, rows);
}

/** Sets properties, in place of those of the same names. In a transaction, others see both or none. */
export async function setProperties(db: Db, subject: Subject, id: number, properties: Properties): Promise<void> {
  await removeProperties(db, subject, id, Object.keys(properties));
  await addProperties(db, subject, id, properties);
}

const REMOVALS = { package: removeFrom('package_id'), version: removeFrom('version_id'), file: removeFrom('file_id') };

function removeFrom(column: (typeof COLUMNS)[Subject]) {
  return prepared((db, id: number, name: string) => db.deleteFrom('package_properties').where(column, '=', id).where('name', '=', name));
}

/** Removes the properties of these names. */
export async function removeProperties(db: Db, subject: Subject, id: number, names: readonly string[]): Promise<void> {
  for (const name of names) await REMOVALS[subject](db, id, name);
}

/** The properties of these, by the id of their subject; in the order in which they were set. */
export async function listProperties(db: Db, subject: Subject, ids: readonly number[]): Promise<Map<number, PackagePropertyRow[]>> {
  const column = COLUMNS[subject];
  const rows = await LISTS[subject](db, ids);
  return Map.groupBy(rows, (row) => row[column] ?? 0);
}

/** The first value of a name among properties. */
export function propertyOf(properties: readonly PackagePropertyRow[] | undefined, name: string): string | undefined {
  return properties?.find((property) => property.name === name)?.value;
}
