import { now } from '../../clock.ts';
import type { Db } from '../../database/database.ts';
import { prepared, preparedIn, preparedRows } from '../../database/prepared.ts';
import type { PackageBlobRow, PackageFileRow } from '../../database/tables/packages.ts';
import { PackageError } from '../errors.ts';
import { checkKey } from './limits.ts';
import { addPropertiesOf, type Properties } from './properties.ts';

/** A file to add to a version. */
export interface NewFile {
  readonly name: string;
  /** Tells it from others of its name in the version. */
  readonly compositeKey?: string;
  /** Its content, as `storeBlob` or `receivePackage` returned it. */
  readonly blob: PackageBlobRow;
  /** Whether its downloads count as downloads of the version. */
  readonly isLead?: boolean;
  readonly properties?: Properties;
  /** What is done when there is one of this name: `refuse` (the default), or `replace`. */
  readonly existing?: 'refuse' | 'replace';
}

const touchBlobs = preparedIn((db, ids, at: number) =>
  db.updateTable('package_blobs').set({ touched_at: at }).where('id', 'in', ids).returning('id'),
);

type FileValues = readonly [
  versionId: number,
  blobId: number,
  name: string,
  lowerName: string,
  compositeKey: string,
  isLead: boolean,
  at: number,
];
const addRows = preparedRows((db, rows: readonly FileValues[]) =>
  db
    .insertInto('package_files')
    .values(
      rows.map(([versionId, blobId, name, lowerName, compositeKey, isLead, at]) => ({
        version_id: versionId,
        blob_id: blobId,
        name,
        lower_name: lowerName,
        composite_key: compositeKey,
        is_lead: isLead,
        created_at: at,
      })),
    )
    .onConflict((conflict) => conflict.columns(['version_id', 'lower_name', 'composite_key']).doNothing())
    .returningAll(),
);
const fileNamed = prepared((db, versionId: number, lowerName: string, compositeKey: string) =>
  db
    .selectFrom('package_files')
    .selectAll()
    .where('version_id', '=', versionId)
    .where('lower_name', '=', lowerName)
    .where('composite_key', '=', compositeKey),
);

/**
 * Gives a version a file, as part of a transaction that has locked its package.
 * @throws PackageError `file-exists`, 503 for a content that has expired
 */
export async function putFile(db: Db, versionId: number, file: NewFile): Promise<PackageFileRow> {
  const { name, compositeKey = '', blob, existing = 'refuse' } = file;
  checkKey(compositeKey);
  await lockContents(db, [file]);
  if (existing === 'replace') {
    const replaced = await removeNamed(db, versionId, name, compositeKey, blob.id);
    if (replaced) return replaced;
  }
  const [added] = await insertFiles(db, versionId, [file]);
  if (!added) throw new PackageError('file-exists');
  return added;
}

/** {@link putFile} for several, one after the other. */
export async function putFiles(db: Db, versionId: number, files: readonly NewFile[]): Promise<PackageFileRow[]> {
  const put: PackageFileRow[] = [];
  for (const file of files) put.push(await putFile(db, versionId, file));
  return put;
}

/**
 * Gives a version files that it does not have yet, as part of a transaction that has locked its package.
 * @returns their rows in the same order
 * @throws PackageError `file-exists`, 503 for a content that has expired
 */
export async function addFiles(db: Db, versionId: number, files: readonly NewFile[]): Promise<PackageFileRow[]> {
  for (const { compositeKey = '' } of files) checkKey(compositeKey);
  await lockContents(db, files);
  return await insertFiles(db, versionId, files);
}

async function insertFiles(db: Db, versionId: number, files: readonly NewFile[]): Promise<PackageFileRow[]> {
  const at = now();
  const values = files.map(
    ({ name, compositeKey = '', blob, isLead = false }): FileValues => [
      versionId,
      blob.id,
      name,
      name.toLowerCase(),
      compositeKey,
      isLead,
      at,
    ],
  );
  const keyOf = (lowerName: string, compositeKey: string) => JSON.stringify([lowerName, compositeKey]);
  const made = new Map((await addRows(db, values)).map((row) => [keyOf(row.lower_name, row.composite_key), row]));
  if (made.size < files.length) throw new PackageError('file-exists');
  const added = files.flatMap(({ name, compositeKey = '' }) => made.get(keyOf(name.toLowerCase(), compositeKey)) ?? []);
  await addPropertiesOf(
    db,
    'file',
    added.map(({ id }, index) => [id, files[index]?.properties ?? {}]),
  );
  return added;
}

/** Locks contents first, so that they are not collected before the files have them. */
async function lockContents(db: Db, files: readonly NewFile[]): Promise<void> {
  const ids = new Set(files.map(({ blob }) => blob.id));
  if ((await touchBlobs(db, ids, now())).length < ids.size) {
    throw new PackageError('invalid', { status: 503, message: 'the content has expired: send it again' });
  }
}

/** Removes the file of this name; returns it instead if it has the same content already. */
async function removeNamed(
  db: Db,
  versionId: number,
  name: string,
  compositeKey: string,
  blobId: number,
): Promise<PackageFileRow | undefined> {
  const [found] = await fileNamed(db, versionId, name.toLowerCase(), compositeKey);
  if (!found) return undefined;
  if (found.blob_id === blobId) return found;
  await db.updateTable('package_blobs').set({ touched_at: now() }).where('id', '=', found.blob_id).execute();
  await db.deleteFrom('package_files').where('id', '=', found.id).execute();
  return undefined;
}
