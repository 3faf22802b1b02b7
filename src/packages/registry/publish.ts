import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { PackageFileRow, PackageRow, PackageVersionRow } from '../../database/tables/packages.ts';
import { PackageError } from '../errors.ts';
import { markIndexes } from '../indexes/mark.ts';
import { claimName } from '../upstreams/origins.ts';
import { refuseOtherJobs, repositoryOfJob } from './job-packages.ts';
import { checkMetadata, checkNames, checkOwner, lockOwner, maxFileSize } from './limits.ts';
import { lockPackage } from './lock.ts';
import { addProperties, type Properties } from './properties.ts';
import { addFiles, type NewFile, putFile, putFiles } from './put-file.ts';
import { reviseVersion } from './revise.ts';

/** What to publish. */
export interface Publication {
  readonly owner: User;
  readonly type: PackageType;
  readonly name: string;
  readonly version: string;
  /** The format's metadata of the version, as JSON. */
  readonly metadata?: unknown;
  /** For a new package. */
  readonly semverCompatible?: boolean;
  readonly packageProperties?: Properties;
  /** For a new version. */
  readonly versionProperties?: Properties;
  readonly files: readonly NewFile[];
  /**
   * What to do if the version exists: `refuse` (the default), `append`, which does not change the version itself, or `replace`,
   * which keeps only its download count.
   */
  readonly existing?: 'refuse' | 'append' | 'replace';
  /** Keys of the format's indexes that list the version and have to be rebuilt. */
  readonly indexes?: readonly string[];
}

/** What was published. */
export interface Published {
  readonly package: PackageRow;
  readonly version: PackageVersionRow;
  readonly files: readonly PackageFileRow[];
  /** Whether the version is new. */
  readonly isNew: boolean;
}

/** The lock is that of `lockPackage`; it also keeps the cleanup from removing a package that has no version yet. */
const lockNamed = prepared((db, ownerId: number, type: PackageType, lowerName: string, isInternal: boolean) =>
  db
    .selectFrom('packages')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('type', '=', type)
    .where('lower_name', '=', lowerName)
    .where('is_internal', '=', isInternal)
    .forNoKeyUpdate(),
);
const versionOfPackage = prepared((db, packageId: number, lowerVersion: string) =>
  db.selectFrom('package_versions').selectAll().where('package_id', '=', packageId).where('lower_version', '=', lowerVersion),
);

const addVersion = prepared(
  (
    db,
    packageId: number,
    ownerId: number,
    type: PackageType,
    creatorId: number | null,
    version: string,
    lowerVersion: string,
    isInternal: boolean,
    metadata: string,
    downloads: number,
    at: number,
  ) =>
    db
      .insertInto('package_versions')
      .values({
        package_id: packageId,
        owner_id: ownerId,
        type,
        creator_id: creatorId,
        version,
        lower_version: lowerVersion,
        is_internal: isInternal,
        metadata,
        download_count: downloads,
        created_at: at,
      })
      .onConflict((conflict) => conflict.columns(['package_id', 'lower_version']).doNothing())
      .returningAll(),
);

/**
 * Publishes a version with its files, or adds files to one, in one transaction. The caller has write access to the owner's packages.
 * @throws PackageError `version-exists`, `file-exists`, a limit, or 400 for names that are too long
 */
export async function publish(context: Context, publication: Publication): Promise<Published> {
  const { owner, type, files, indexes = [] } = publication;
  checkNames(publication.name, publication.version, ...files.map(({ name }) => name));
  for (const { blob } of files) if (blob.size > maxFileSize(context, type)) throw new PackageError('type-size');
  return await inTransaction(context, async (context) => {
    await lockOwner(context, owner);
    const row = await ensurePackage(context, publication);
    const version = await ensureVersion(context, row, publication);
    const added = version.isNew ? await addFiles(context, version.row.id, files) : await putFiles(context, version.row.id, files);
    if (!version.isNew) await reviseVersion(context.db, version.row.id);
    await checkOwner(context, owner);
    await markIndexes(context, owner.id, type, indexes);
    if (version.isNew) {
      const actorId = context.actor?.id ?? 0;
      const subject = { ownerId: owner.id, type, packageId: row.id, versionId: version.row.id, actorId };
      await context.events.emit(context, 'package.published', subject);
    }
    return { package: row, version: version.row, files: added, isNew: version.isNew };
  });
}

/**
 * Adds a file to a version, as part of the context's transaction if there is one; without a check of the owner's limits.
 * @throws PackageError `file-exists`; `no-package` for a deleted version
 */
export async function addFile(context: Context, versionId: number, file: NewFile): Promise<PackageFileRow> {
  checkNames(file.name);
  return await inTransaction(context, async (context) => {
    const { db } = context;
    const version = await db.selectFrom('package_versions').select('package_id').where('id', '=', versionId).executeTakeFirst();
    if (version) await lockPackage(db, version.package_id);
    const there = version && (await db.selectFrom('package_versions').select('id').where('id', '=', versionId).executeTakeFirst());
    if (!there) throw new PackageError('no-package');
    await reviseVersion(db, versionId);
    return await putFile(context, versionId, file);
  });
}

/**
 * Changes the format's metadata of a version.
 * @throws PackageError 400 for too much
 */
export async function setMetadata(db: Db, versionId: number, metadata: unknown): Promise<void> {
  await db
    .updateTable('package_versions')
    .set({ metadata: metadataJson(metadata) })
    .where('id', '=', versionId)
    .execute();
  await reviseVersion(db, versionId);
}

/**
 * The package of this name, created if missing; it is locked until the end of the transaction.
 * @throws PackageError 409 for a new name that is one of an upstream, 403 for a job that publishes what is not its repository's
 */
export async function ensurePackage(
  context: Context,
  given: Pick<Publication, 'owner' | 'type' | 'name' | 'semverCompatible' | 'packageProperties'> & { isInternal?: boolean },
): Promise<PackageRow> {
  const { db, settings } = context;
  const { owner, type, name, semverCompatible = false, packageProperties = {}, isInternal = false } = given;
  const repositoryId = isInternal ? null : repositoryOfJob(context);
  const values = { owner_id: owner.id, type, name, lower_name: name.toLowerCase(), is_internal: isInternal };
  for (;;) {
    const [found] = await lockNamed(db, owner.id, type, values.lower_name, isInternal);
    if (found) {
      refuseOtherJobs(context, found);
      return found;
    }
    const made = await db
      .insertInto('packages')
      .values({ ...values, repository_id: repositoryId, semver_compatible: semverCompatible, created_at: now() })
      .onConflict((conflict) => conflict.columns(['owner_id', 'type', 'lower_name', 'is_internal']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!made) continue;
    if (!isInternal) await claimName({ db, settings }, made);
    await addProperties(db, 'package', made.id, packageProperties);
    return made;
  }
}

async function ensureVersion(
  { db, actor, signIn }: Context,
  row: PackageRow,
  { version, metadata, versionProperties = {}, existing = 'refuse' }: Publication,
): Promise<{ row: PackageVersionRow; isNew: boolean }> {
  const [found] = existing === 'refuse' ? [] : await versionOfPackage(db, row.id, version.toLowerCase());
  if (found && existing === 'append') return { row: found, isNew: false };
  if (found) await removeVersion(db, found.id);
  // Jobs have none: the account of automation has no row.
  const creatorId = signIn.job ? null : (actor?.id ?? null);
  const content = metadataJson(metadata ?? null);
  const downloads = found?.download_count ?? 0;
  const { id, owner_id, type, is_internal } = row;
  const [made] = await addVersion(
    db,
    id,
    owner_id,
    type,
    creatorId,
    version,
    version.toLowerCase(),
    is_internal,
    content,
    downloads,
    now(),
  );
  if (!made) throw new PackageError('version-exists');
  await addProperties(db, 'version', made.id, versionProperties);
  return { row: made, isNew: true };
}

function metadataJson(metadata: unknown): string {
  const json = JSON.stringify(metadata);
  checkMetadata(json);
  return json;
}

async function removeVersion(db: Db, versionId: number): Promise<void> {
  const contents = db.selectFrom('package_files').select('blob_id').where('version_id', '=', versionId);
  await db.updateTable('package_blobs').set({ touched_at: now() }).where('id', 'in', contents).execute();
  await db.deleteFrom('package_versions').where('id', '=', versionId).execute();
}
