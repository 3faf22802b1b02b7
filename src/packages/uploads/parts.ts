import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Selectable } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageBlobRow, PackageUploadPartsTable, PackageUploadRow } from '../../database/tables/packages.ts';
import type { Digests } from '../blobs/digests.ts';
import { type ExpectedContent, putDigested, storeBlob, storeCopy } from '../blobs/store.ts';
import { PackageError } from '../errors.ts';

type Part = Pick<Selectable<PackageUploadPartsTable>, 'size' | 'digests'>;

/** The prefix of the storage keys of parts. */
export const UPLOADS_PREFIX = 'package-uploads/';

/** Parts of one upload. */
const MAX_PARTS = 10_000;
/** Uploads that somebody has begun and not ended; those that nobody goes on with are removed by the cleanup. */
const MAX_UPLOADS = 1000;

/** The storage key of a part. */
export function uploadPartKey({ blob }: { readonly blob: string }): string {
  return `${UPLOADS_PREFIX}${blob.slice(0, 2)}/${blob}`;
}

/**
 * Begins an upload in parts.
 * @param purpose what it is for, such as the type and the name of the package; `findUpload` needs the same
 * @throws PackageError 429
 */
export async function beginUpload({ db }: Context, owner: User, actor: User, purpose: string): Promise<PackageUploadRow> {
  const open = await db.selectFrom('package_uploads').select('id').where('actor_id', '=', actor.id).limit(MAX_UPLOADS).execute();
  if (open.length === MAX_UPLOADS) throw new PackageError('invalid', { status: 429, message: `${MAX_UPLOADS} uploads are not ended` });
  return await db
    .insertInto('package_uploads')
    .values({ id: randomUUID(), owner_id: owner.id, actor_id: actor.id, purpose, touched_at: now() })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** An upload of this owner and purpose; undefined if there is none. */
export async function findUpload({ db }: Context, owner: User, purpose: string, id: string): Promise<PackageUploadRow | undefined> {
  return await db
    .selectFrom('package_uploads')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', owner.id)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
}

/**
 * Adds a part at the end, while it arrives.
 * @param maxSize bytes of the whole upload
 * @throws PackageError 409 if another part was added meanwhile, `missing` if the upload has ended, `total-size`; BlobTooLargeError
 */
export async function appendPart(
  context: Context,
  upload: PackageUploadRow,
  content: Readable,
  maxSize: number,
): Promise<PackageUploadRow> {
  const blob = randomBytes(32).toString('hex');
  // The row is first, so that bytes which are left by a crash are found.
  const { id: number } = await reserve(context, upload, blob);
  try {
    const room = Math.min(maxSize - upload.size, await roomOf(context, upload));
    return await addPart(context, upload, number, await putPart(context, upload, blob, content, Math.max(0, room)));
  } catch (error) {
    await context.storage.delete(uploadPartKey({ blob }));
    await context.db.deleteFrom('package_upload_parts').where('id', '=', number).execute();
    throw error;
  }
}

/** The first part has digests, since it mostly is the only one: then its bytes are not read again. */
async function putPart({ storage }: Context, upload: PackageUploadRow, blob: string, content: Readable, maxSize: number): Promise<Part> {
  const key = uploadPartKey({ blob });
  if (upload.size > 0) return { ...(await storage.put(key, content, { maxSize })), digests: null };
  const { size, ...digests } = await putDigested({ storage }, key, content, maxSize);
  return { size, digests: JSON.stringify(digests) };
}

async function addPart(context: Context, upload: PackageUploadRow, number: number, part: Part): Promise<PackageUploadRow> {
  return await inTransaction(context, async ({ db }) => {
    const grown = await db
      .updateTable('package_uploads')
      .set((row) => ({ size: row('size', '+', part.size), touched_at: now() }))
      .where('id', '=', upload.id)
      .where('size', '=', upload.size)
      .returningAll()
      .executeTakeFirst();
    if (!grown) throw new PackageError('invalid', { status: 409, message: 'the upload has gone on, or ended, in another request' });
    await db.updateTable('package_upload_parts').set(part).where('id', '=', number).execute();
    return grown;
  });
}

/** The bytes of all parts as one stream. */
export function readUpload(context: Context, upload: PackageUploadRow): Readable {
  return Readable.from(bytesOf(context, upload), { objectMode: false });
}

/**
 * Makes one content of the parts, and ends the upload. A single part, as most clients send, is copied within the storage, and not read.
 * @throws PackageError `wrong-digest`; then the upload stays
 */
export async function finishUpload(context: Context, upload: PackageUploadRow, expected: ExpectedContent): Promise<PackageBlobRow> {
  const [only, ...others] = await partsOf(context, upload);
  const digests = others.length === 0 && only?.digests ? (JSON.parse(only.digests) as Digests) : undefined;
  const blob =
    only && digests
      ? await storeCopy(context, uploadPartKey(only), { size: only.size, ...digests }, expected)
      : await storeBlob(context, readUpload(context, upload), expected);
  await cancelUpload(context, upload);
  return blob;
}

/** Ends an upload. Its parts are removed at once, or by the next `cleanup_packages` after a crash. */
export async function cancelUpload({ db, storage }: Context, upload: PackageUploadRow): Promise<void> {
  await db.deleteFrom('package_uploads').where('id', '=', upload.id).execute();
  const parts = await db.selectFrom('package_upload_parts').select(['id', 'blob']).where('upload_id', '=', upload.id).execute();
  for (const part of parts) await storage.delete(uploadPartKey(part));
  await db.deleteFrom('package_upload_parts').where('upload_id', '=', upload.id).execute();
}

/**
 * Bytes that the uploads of an owner may still get: where there is a limit for the owner, they may not have more than it together.
 * @throws PackageError `total-size`
 */
async function roomOf({ db, actor, settings }: Context, { owner_id }: PackageUploadRow): Promise<number> {
  const limit = settings.packages.limitTotalOwnerSize;
  if (limit < 0 || actor?.is_admin) return Number.MAX_SAFE_INTEGER;
  const { size } = await db
    .selectFrom('package_uploads')
    .select(({ fn }) => fn.sum<number | null>('size').as('size'))
    .where('owner_id', '=', owner_id)
    .executeTakeFirstOrThrow();
  const room = limit - Number(size ?? 0);
  if (room <= 0) throw new PackageError('total-size');
  return room;
}

async function reserve(context: Context, { id }: PackageUploadRow, blob: string): Promise<{ id: number }> {
  return await inTransaction(context, async ({ db }) => {
    const there = await db
      .updateTable('package_uploads')
      .set({ touched_at: now() })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!there) throw new PackageError('missing');
    const last = await db
      .selectFrom('package_upload_parts')
      .select(({ fn }) => fn.max('number').as('number'))
      .where('upload_id', '=', id)
      .executeTakeFirst();
    const number = Number(last?.number ?? 0) + 1;
    if (number > MAX_PARTS) throw new PackageError('invalid', { message: `an upload has at most ${MAX_PARTS} parts` });
    return await db
      .insertInto('package_upload_parts')
      .values({ upload_id: id, number, size: 0, blob })
      .returning('id')
      .executeTakeFirstOrThrow();
  });
}

async function partsOf({ db }: Context, { id }: PackageUploadRow): Promise<(Part & { blob: string })[]> {
  return await db
    .selectFrom('package_upload_parts')
    .select(['blob', 'size', 'digests'])
    .where('upload_id', '=', id)
    // A part of size 0 is empty, or has not arrived as a whole.
    .where('size', '>', 0)
    .orderBy('number')
    .execute();
}

async function* bytesOf(context: Context, upload: PackageUploadRow): AsyncGenerator<Buffer> {
  for (const part of await partsOf(context, upload)) {
    const found = await context.storage.get(uploadPartKey(part));
    if (!found) throw new Error('a part of an upload is lost');
    yield* found.stream as AsyncIterable<Buffer>;
  }
}
