import { Readable } from 'node:stream';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import { withMutex } from '../../git/mutex.ts';
import { DIGESTS, type Digests } from '../blobs/digests.ts';
import { storeBlob } from '../blobs/store.ts';
import { PackageError } from '../errors.ts';
import { isLongDocument } from '../protocol/encoded.ts';
import { type FileName, type FoundFile, findFile, listFiles } from '../registry/find.ts';
import type { Properties } from '../registry/properties.ts';
import { addFile, ensurePackage } from '../registry/publish.ts';
import type { NewFile } from '../registry/put-file.ts';
import { documentName, planForms } from './cached-plans.ts';
import { ComposedDocument, type DocumentPlan, gzipName, readPlan } from './composed.ts';
import { markOf } from './mark.ts';
import { noteBuilt } from './pace.ts';

/** A file of an index. */
export interface IndexFile extends FileName {
  /** Its bytes, its stored content, or the texts and blocks that it is composed of. */
  readonly content: Uint8Array | Readable | PackageBlobRow | ComposedDocument;
  readonly properties?: Properties;
  /** Whether clients read all its digests. Of other large documents only the SHA-256 is computed: the four would take half of the time. */
  readonly hasAllDigests?: boolean;
}

/**
 * Builds all files of one index of an owner; files that it leaves out are deleted. It reads the current state, since it may be called
 * again for the same change.
 * @param key which of the format's indexes, such as a distribution: smaller indexes are faster to build
 */
export type IndexBuilder = (context: Context, owner: User, key: string) => Promise<readonly IndexFile[]>;

/** The property of a file with the entity tag of the document, which it already had when it was served from its blocks. */
export const ETAG = 'index.etag';

/** The internal package whose versions are the indexes of a type. */
const INDEX_PACKAGE = '_index';

/**
 * Builds indexes that were marked (`publish`, `deleteVersion`, `deleteFile`), so that clients find what they have just published. Indexes
 * that another request has built since are skipped, and an older state never replaces a newer one.
 */
export async function buildIndexes(
  context: Context,
  builder: IndexBuilder,
  { owner, type }: { owner: User; type: PackageType },
  keys: readonly string[],
): Promise<void> {
  for (const key of new Set(keys)) await building(owner, type, key, () => buildIndex(context, builder, owner, type, key));
}

/**
 * Builds an index as {@link buildIndexes}, soon after it was marked. Of composed documents only the parts are built, of which the next reader
 * gets them: their files take as long to write as they are long.
 * @returns whether all its files are written
 */
export async function prepareIndex(
  context: Context,
  builder: IndexBuilder,
  { owner, type }: { owner: User; type: PackageType },
  key: string,
): Promise<boolean> {
  return await building(owner, type, key, () => buildIndex(context, builder, owner, type, key, { isComposing: false }));
}

async function building<R>(owner: User, type: PackageType, key: string, build: () => Promise<R>): Promise<R> {
  return await withMutex(`package index ${owner.id} ${type} ${key}`, build);
}

/**
 * A file of an index.
 * @throws PackageError 404
 */
export async function findIndexFile(db: Db, ownerId: number, type: PackageType, key: string, named: FileName): Promise<FoundFile> {
  const [version] = await versionOfIndex(db, ownerId, type, key);
  if (!version) throw new PackageError('no-file');
  return await findFile(db, version.id, named);
}

/** A file of an index with this digest; undefined if there is none. */
export async function findIndexFileByDigest(
  db: Db,
  ownerId: number,
  type: PackageType,
  key: string,
  digest: Partial<Digests>,
): Promise<FoundFile | undefined> {
  const [version] = await versionOfIndex(db, ownerId, type, key);
  const found = await listFiles(db, version ? [version.id] : []);
  return found.find(({ blob }) => DIGESTS.every((name) => digest[name] === undefined || digest[name] === blob[name]));
}

/** The version that has the files of an index. */
export const versionOfIndex = prepared((db, ownerId: number, type: PackageType, key: string) =>
  db
    .selectFrom('package_versions')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .select('package_versions.id')
    .where('packages.owner_id', '=', ownerId)
    .where('packages.type', '=', type)
    .where('packages.lower_name', '=', INDEX_PACKAGE)
    .where('packages.is_internal', '=', true)
    .where('package_versions.lower_version', '=', key),
);

async function buildIndex(
  context: Context,
  builder: IndexBuilder,
  owner: User,
  type: PackageType,
  key: string,
  { isComposing = true } = {},
): Promise<boolean> {
  const { db } = context;
  const began = performance.now();
  const [marked] = await markOf(db, owner.id, type, key);
  if (!marked || marked.built >= marked.wanted) return true;
  const built = await builder(context, owner, key);
  if (!isComposing && built.some(isComposed)) {
    const index = { ownerId: owner.id, type, key };
    for (const file of built.filter(isComposed)) {
      await planForms(context, { document: documentName(index, file), wanted: marked.wanted }, file.content, true);
    }
    return false;
  }
  const files: NewFile[] = [];
  for (const file of built) files.push(...(await storeFile(context, file)));
  await inTransaction(context, async (context) => {
    const isNewest = await context.db
      .updateTable('package_indexes')
      .set({ built: marked.wanted })
      .where('owner_id', '=', owner.id)
      .where('type', '=', type)
      .where('key', '=', key)
      .where('built', '<', marked.wanted)
      .returning('key')
      .executeTakeFirst();
    if (isNewest) await replaceFiles(context, await ensureIndexVersion(context, owner, type, key), files);
  });
  for (const { content } of built.filter(isComposed)) await content.removeOthers();
  noteBuilt(context, { ownerId: owner.id, type, key }, performance.now() - began);
  return true;
}

function isComposed(file: IndexFile): file is IndexFile & { readonly content: ComposedDocument } {
  return file.content instanceof ComposedDocument;
}

async function storeFile(context: Context, { content, hasAllDigests = false, ...file }: IndexFile): Promise<NewFile[]> {
  if (!(content instanceof ComposedDocument)) {
    const blob = 'sha256' in content ? content : await storeBlob(context, content, { isSha256Enough: !hasAllDigests });
    return [{ ...file, blob, existing: 'replace' }];
  }
  const plain = await content.plan();
  const files = [await storePlan(context, file, plain)];
  if (!isLongDocument(plain)) return files;
  return [...files, await storePlan(context, { ...file, name: gzipName(file.name) }, await content.plan('gzip'))];
}

async function storePlan(context: Context, file: Omit<IndexFile, 'content'>, plan: DocumentPlan): Promise<NewFile> {
  const blob = await storeBlob(context, Readable.from(readPlan(context.db, plan)), { isSha256Enough: true });
  return { ...file, blob, existing: 'replace', properties: { ...file.properties, [ETAG]: plan.etag } };
}

async function ensureIndexVersion(context: Context, owner: User, type: PackageType, key: string): Promise<number> {
  const { id } = await ensurePackage(context, { owner, type, name: INDEX_PACKAGE, isInternal: true });
  const { db } = context;
  const found = await db
    .selectFrom('package_versions')
    .select('id')
    .where('package_id', '=', id)
    .where('lower_version', '=', key)
    .executeTakeFirst();
  if (found) return found.id;
  const values = { package_id: id, owner_id: owner.id, type, creator_id: null, version: key, lower_version: key };
  const made = await db
    .insertInto('package_versions')
    .values({ ...values, is_internal: true, created_at: now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return made.id;
}

async function replaceFiles(context: Context, versionId: number, files: readonly NewFile[]): Promise<void> {
  const { db } = context;
  const kept = new Set<number>();
  for (const file of files) kept.add((await addFile(context, versionId, file)).id);
  const there = await db.selectFrom('package_files').select(['id', 'blob_id']).where('version_id', '=', versionId).execute();
  const gone = there.filter(({ id }) => !kept.has(id));
  if (gone.length === 0) return;
  const contents = gone.map(({ blob_id }) => blob_id);
  await db.updateTable('package_blobs').set({ touched_at: now() }).where('id', 'in', contents).execute();
  const ids = gone.map(({ id }) => id);
  await db.deleteFrom('package_files').where('id', 'in', ids).execute();
}
