import { now } from '../../clock.ts';
import { afterCommit, type Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared, preparedIn, preparedRows } from '../../database/prepared.ts';
import type { PackageFileRow } from '../../database/tables/packages.ts';
import type { Content } from '../blobs/content.ts';
import { noteListed } from '../blobs/new-contents.ts';
import { addContent, findBlob, hasRow } from '../blobs/store.ts';
import { PackageError } from '../errors.ts';
import { checkKey } from './limits.ts';
import { addPropertiesOf, type Properties } from './properties.ts';

/** A file to add to a version. */
export interface NewFile {
  readonly name: string;
  /** Distinguishes it from others of its name in the version. */
  readonly compositeKey?: string;
  /** Its content, as `storeBlob` or `receivePackage` returned it. */
  readonly blob: Content;
  /** Whether its downloads count as downloads of the version. */
  readonly isLead?: boolean;
  readonly properties?: Properties;
  /** What to do if there is one of this name: `refuse` (the default), or `replace`. */
  readonly existing?: 'refuse' | 'replace';
}

/** One whose content is locked. */
type LockedFile = NewFile & { readonly blobId: number };

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
 * Adds a file to a version, as part of a transaction that has locked its package.
 * @throws PackageError `file-exists`, 503 for a content that has expired
 */
export async function putFile(context: Context, versionId: number, file: NewFile): Promise<PackageFileRow> {
  const { db } = context;
  const { name, compositeKey = '', existing = 'refuse' } = file;
  checkKey(compositeKey);
  const [locked] = await lockContents(context, [file]);
  if (!locked) throw new Error('a content was not locked');
  if (existing === 'replace') {
    const replaced = await removeNamed(db, versionId, name, compositeKey, locked.blobId);
    if (replaced) return replaced;
  }
  const [added] = await insertFiles(db, versionId, [locked]);
  if (!added) throw new PackageError('file-exists');
  return added;
}

/** {@link putFile} for several, one after the other. */
export async function putFiles(context: Context, versionId: number, files: readonly NewFile[]): Promise<PackageFileRow[]> {
  const put: PackageFileRow[] = [];
  for (const file of files) put.push(await putFile(context, versionId, file));
  return put;
}

/**
 * Adds new files to a version, as part of a transaction that has locked its package.
 * @returns their rows in the same order
 * @throws PackageError `file-exists`, 503 for a content that has expired
 */
export async function addFiles(context: Context, versionId: number, files: readonly NewFile[]): Promise<PackageFileRow[]> {
  for (const { compositeKey = '' } of files) checkKey(compositeKey);
  return await insertFiles(context.db, versionId, await lockContents(context, files));
}

async function insertFiles(db: Db, versionId: number, files: readonly LockedFile[]): Promise<PackageFileRow[]> {
  const at = now();
  const values = files.map(
    ({ name, compositeKey = '', blobId, isLead = false }): FileValues => [
      versionId,
      blobId,
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

/** Locks contents first, so that they are not collected before the files have them. New ones get their rows. */
async function lockContents(context: Context, files: readonly NewFile[]): Promise<LockedFile[]> {
  const ids = new Set(files.flatMap(({ blob }) => (hasRow(blob) ? [blob.id] : [])));
  if ((await touchBlobs(context.db, ids, now())).length < ids.size) {
    throw new PackageError('invalid', { status: 503, message: 'the content has expired: send it again' });
  }
  const locked: LockedFile[] = [];
  for (const file of files) locked.push({ ...file, blobId: hasRow(file.blob) ? file.blob.id : await addNew(context, file.blob) });
  return locked;
}

/** The id of the row of a new content; if somebody else has stored it meanwhile, the id of that row. */
async function addNew(context: Context, content: Content): Promise<number> {
  const added = await addContent(context.db, content);
  if (added) {
    afterCommit(context, () => noteListed(content));
    return added.id;
  }
  const known = await findBlob(context.db, content.sha256, content);
  return known ? known.id : await addNew(context, content);
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
