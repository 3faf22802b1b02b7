import { now } from '../../clock.ts';
import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import type { PackageBlobRow, PackageFileRow } from '../../database/tables/packages.ts';
import { PackageError } from '../errors.ts';
import { checkKey } from './limits.ts';
import { addProperties, type Properties } from './properties.ts';

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

const touchBlob = prepared((db, id: number, at: number) =>
  db.updateTable('package_blobs').set({ touched_at: at }).where('id', '=', id).returning('id'),
);
const addRow = prepared(
  (db, versionId: number, blobId: number, name: string, lowerName: string, compositeKey: string, isLead: boolean, at: number) =>
    db
      .insertInto('package_files')
      .values({
        version_id: versionId,
        blob_id: blobId,
        name,
        lower_name: lowerName,
        composite_key: compositeKey,
        is_lead: isLead,
        created_at: at,
      })
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
  const { name, compositeKey = '', blob, isLead = false, properties = {}, existing = 'refuse' } = file;
  checkKey(compositeKey);
  // Locks the content first, so that it is not collected before the file has it.
  const [kept] = await touchBlob(db, blob.id, now());
  if (!kept) throw new PackageError('invalid', { status: 503, message: 'the content has expired: send it again' });
  if (existing === 'replace') {
    const replaced = await removeNamed(db, versionId, name, compositeKey, blob.id);
    if (replaced) return replaced;
  }
  const [made] = await addRow(db, versionId, blob.id, name, name.toLowerCase(), compositeKey, isLead, now());
  if (!made) throw new PackageError('file-exists');
  await addProperties(db, 'file', made.id, properties);
  return made;
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
