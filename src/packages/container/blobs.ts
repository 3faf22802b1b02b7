import type { ExpressionBuilder } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared, preparedIn } from '../../database/prepared.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import type { Tables } from '../../database/tables.ts';
import { type Content, isWhole } from '../blobs/content.ts';
import { checkOwner, lockOwner } from '../registry/limits.ts';
import { ensurePackage } from '../registry/publish.ts';
import { putFile } from '../registry/put-file.ts';
import { type ContentDigest, readDigest, UPLOADS } from './names.ts';

const ALGORITHMS = ['sha256', 'sha512'] as const;

const imageByName = prepared(imageNamed);
const IMAGE_BLOBS = { sha256: imageBlobs('sha256'), sha512: imageBlobs('sha512') };

const uploadsOf = prepared((db, imageId: number) =>
  db.selectFrom('package_versions').select('id').where('package_id', '=', imageId).where('lower_version', '=', UPLOADS),
);
const removeNamed = preparedIn((db, names: readonly string[], versionId: number) =>
  db.deleteFrom('package_files').where('version_id', '=', versionId).where('lower_name', 'in', names),
);
const OWNED_BY = { sha256: oneOwnedBy('sha256'), sha512: oneOwnedBy('sha512') };

const IN_IMAGE = { sha256: oneInImage('sha256'), sha512: oneInImage('sha512') };

function oneInImage(algorithm: ContentDigest['algorithm']) {
  return prepared((db, ownerId: number, image: string, hex: string) =>
    contentsIn(db, algorithm, [hex], (versions) => versions.where('package_versions.package_id', 'in', imageNamed(db, ownerId, image))),
  );
}

function oneOwnedBy(algorithm: ContentDigest['algorithm']) {
  return prepared((db, ownerId: number, hex: string) =>
    contentsIn(db, algorithm, [hex], (versions) =>
      versions.where('package_versions.owner_id', '=', ownerId).where('package_versions.type', '=', 'container'),
    ),
  );
}

function imageNamed(db: Db, ownerId: number, image: string) {
  return db
    .selectFrom('packages')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('type', '=', 'container')
    .where('lower_name', '=', image)
    .where('is_internal', '=', false);
}

/** The id of an image; undefined if there is none. */
export async function findImageId(db: Db, owner: User, image: string): Promise<number | undefined> {
  return (await imageByName(db, owner.id, image))[0]?.id;
}

/** The contents of an image among these digests. A content of other images does not belong to this one, for any caller. */
export async function findImageBlobs(db: Db, imageId: number, digests: readonly string[]): Promise<Map<string, PackageBlobRow>> {
  const wanted = Map.groupBy(new Set(digests), (digest) => readDigest(digest)?.algorithm);
  const found = new Map<string, PackageBlobRow>();
  for (const algorithm of ALGORITHMS) {
    const hexes = (wanted.get(algorithm) ?? []).map((digest) => digest.slice(algorithm.length + 1));
    for (const row of await IMAGE_BLOBS[algorithm](db, hexes, imageId)) found.set(`${algorithm}:${row[algorithm]}`, row);
  }
  return found;
}

function imageBlobs(algorithm: ContentDigest['algorithm']) {
  return preparedIn((db, hexes: readonly string[], imageId: number) =>
    contentsIn(db, algorithm, hexes, (versions) => versions.where('package_versions.package_id', '=', imageId)),
  );
}

/** Contents that a version has which `among` leaves. */
function contentsIn(
  db: Db,
  algorithm: ContentDigest['algorithm'],
  hexes: readonly string[],
  among: (versions: ReturnType<typeof filesOfContent>) => ReturnType<typeof filesOfContent>,
) {
  return db
    .selectFrom('package_blobs')
    .selectAll()
    .where(algorithm, 'in', hexes)
    .where((where) => where.exists(among(filesOfContent(where))));
}

function filesOfContent(where: ExpressionBuilder<Tables, 'package_blobs'>) {
  return where
    .selectFrom('package_files')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .select('package_files.id')
    .whereRef('package_files.blob_id', '=', 'package_blobs.id');
}

/** A content of an image; its bytes may be missing. */
export async function findImageBlob(db: Db, owner: User, image: string, digest: string): Promise<PackageBlobRow | undefined> {
  const read = readDigest(digest);
  return read && (await IN_IMAGE[read.algorithm](db, owner.id, image, read.hex))[0];
}

/** A content of an image whose bytes exist; undefined otherwise, so that clients upload missing bytes again. */
export async function findWholeBlob(context: Context, owner: User, image: string, digest: string): Promise<PackageBlobRow | undefined> {
  const blob = await findImageBlob(context.db, owner, image, digest);
  return blob && (await isWhole(context, blob)) ? blob : undefined;
}

/** A content of any image of an owner, if its bytes exist. */
export async function findOwnedBlob(context: Context, owner: User, { algorithm, hex }: ContentDigest): Promise<PackageBlobRow | undefined> {
  const [blob] = await OWNED_BY[algorithm](context.db, owner.id, hex);
  return blob && (await isWhole(context, blob)) ? blob : undefined;
}

/**
 * Makes a content one of the image's, before there is a manifest with it. It expires as abandoned uploads do.
 * @throws PackageError for a limit of the owner
 */
export async function keepBlob(context: Context, owner: User, image: string, blob: Content): Promise<void> {
  await inTransaction(context, async (context) => {
    await lockOwner(context, owner);
    const { id } = await ensurePackage(context, { owner, type: 'container', name: image });
    const versionId = await ensureUploads(context.db, owner, id);
    const file = await putFile(context, versionId, { name: nameOf(blob), blob, existing: 'replace' });
    // An existing one expires as late as a new one.
    if (file.created_at < now())
      await context.db.updateTable('package_files').set({ created_at: now() }).where('id', '=', file.id).execute();
    await checkOwner(context, owner);
  });
}

/** Removes a content from the image, also from manifests that have it; those stay. */
export async function removeBlob(context: Context, owner: User, image: string, digest: string): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    const imageId = await findImageId(db, owner, image);
    const blob = imageId === undefined ? undefined : (await findImageBlobs(db, imageId, [digest])).get(digest);
    if (imageId === undefined || !blob) return;
    await db.updateTable('package_blobs').set({ touched_at: now() }).where('id', '=', blob.id).execute();
    await db
      .deleteFrom('package_files')
      .where('blob_id', '=', blob.id)
      .where('lower_name', '=', nameOf(blob))
      .where('version_id', 'in', db.selectFrom('package_versions').select('id').where('package_id', '=', imageId))
      .execute();
  });
}

/** Removes contents from those that wait for a manifest, once one has them. */
export async function releaseBlobs(db: Db, imageId: number, blobs: readonly PackageBlobRow[]): Promise<void> {
  const [uploads] = await uploadsOf(db, imageId);
  // By their names: many versions have files of one content.
  if (uploads) await removeNamed(db, blobs.map(nameOf), uploads.id);
}

/** The name of a content's file in an image. */
function nameOf({ sha256 }: Content): string {
  return `sha256_${sha256}`;
}

async function ensureUploads(db: Db, owner: User, imageId: number): Promise<number> {
  // The package is locked: nobody else adds the version, and the cleanup does not remove it.
  const [found] = await uploadsOf(db, imageId);
  if (found) return found.id;
  const made = await db
    .insertInto('package_versions')
    .values({
      package_id: imageId,
      owner_id: owner.id,
      type: 'container',
      creator_id: null,
      version: UPLOADS,
      lower_version: UPLOADS,
      is_internal: true,
      created_at: now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return made.id;
}
