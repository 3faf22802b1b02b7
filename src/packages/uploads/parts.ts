import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Selectable } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageUploadPartsTable, PackageUploadRow } from '../../database/tables/packages.ts';
import { blobKey, type Content } from '../blobs/content.ts';
import type { Digests } from '../blobs/digests.ts';
import { putDigested } from '../blobs/store.ts';
import { PackageError } from '../errors.ts';

type Part = Pick<Selectable<PackageUploadPartsTable>, 'size' | 'digests'>;

/** A part that has arrived. */
export type StoredPart = Part & Pick<Selectable<PackageUploadPartsTable>, 'blob'>;

/** The prefix of the storage keys of parts, other than those that are stored as contents are. */
export const UPLOADS_PREFIX = 'package-uploads/';
/** What the keys of first parts begin with: those of contents that arrive as a whole, and of other parts, are hexadecimal digits. */
const AS_CONTENT = 'p';

/** Parts of one upload. */
const MAX_PARTS = 10_000;
/** Maximum number of unfinished uploads of a user; the cleanup deletes abandoned ones. */
const MAX_UPLOADS = 1000;

const openOf = prepared((db, actorId: number) =>
  db.selectFrom('package_uploads').select('id').where('actor_id', '=', actorId).limit(MAX_UPLOADS),
);
const addUpload = prepared((db, id: string, ownerId: number, actorId: number, purpose: string, at: number) =>
  db.insertInto('package_uploads').values({ id, owner_id: ownerId, actor_id: actorId, purpose, touched_at: at }).returningAll(),
);
const uploadById = prepared((db, id: string, ownerId: number, purpose: string) =>
  db.selectFrom('package_uploads').selectAll().where('id', '=', id).where('owner_id', '=', ownerId).where('purpose', '=', purpose),
);
const grow = prepared((db, id: string, size: number, added: number, at: number) =>
  db
    .updateTable('package_uploads')
    .set((row) => ({ size: row('size', '+', added), touched_at: at }))
    .where('id', '=', id)
    .where('size', '=', size)
    .returningAll(),
);
const touch = prepared((db, id: string, at: number) =>
  db.updateTable('package_uploads').set({ touched_at: at }).where('id', '=', id).returning('id'),
);
/** Returns the row if there was one: of concurrent ends of an upload, only one gets it. */
export const removeUpload = prepared((db, id: string) => db.deleteFrom('package_uploads').where('id', '=', id).returning('id'));
const lastNumber = prepared((db, id: string) =>
  db
    .selectFrom('package_upload_parts')
    .select(({ fn }) => fn.max('number').as('number'))
    .where('upload_id', '=', id),
);
const addNumber = prepared((db, id: string, number: number, blob: string) =>
  db.insertInto('package_upload_parts').values({ upload_id: id, number, size: 0, blob }).returning('id'),
);
const fillPart = prepared((db, id: number, size: number, digests: string | null) =>
  db.updateTable('package_upload_parts').set({ size, digests }).where('id', '=', id),
);
const partsInOrder = prepared((db, id: string) =>
  db.selectFrom('package_upload_parts').select(['blob', 'size', 'digests']).where('upload_id', '=', id).orderBy('number'),
);
const removeParts = prepared((db, id: string) => db.deleteFrom('package_upload_parts').where('upload_id', '=', id));

/** The storage key of a part. The first one is where contents are: if it stays the only one, it becomes a content without being copied. */
export function uploadPartKey({ blob }: { readonly blob: string }): string {
  return blob.startsWith(AS_CONTENT) ? blobKey({ blob }) : `${UPLOADS_PREFIX}${blob.slice(0, 2)}/${blob}`;
}

/**
 * Begins an upload in parts.
 * @param purpose such as the type and the name of the package; `findUpload` needs the same
 * @throws PackageError 429
 */
export async function beginUpload({ db }: Context, owner: User, actor: User, purpose: string): Promise<PackageUploadRow> {
  const open = await openOf(db, actor.id);
  if (open.length === MAX_UPLOADS) throw new PackageError('invalid', { status: 429, message: `${MAX_UPLOADS} uploads are not ended` });
  const [begun] = await addUpload(db, randomUUID(), owner.id, actor.id, purpose, now());
  if (!begun) throw new Error('an upload was not begun');
  return begun;
}

/** An upload of this owner and purpose; undefined if there is none. */
export async function findUpload({ db }: Context, owner: User, purpose: string, id: string): Promise<PackageUploadRow | undefined> {
  return (await uploadById(db, id, owner.id, purpose))[0];
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
  const blob = (upload.size > 0 ? '' : AS_CONTENT) + randomBytes(32).toString('hex');
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
    const [grown] = await grow(db, upload.id, upload.size, part.size, now());
    if (!grown) throw new PackageError('invalid', { status: 409, message: 'the upload has gone on, or ended, in another request' });
    await fillPart(db, number, part.size, part.digests);
    return grown;
  });
}

/** The bytes of all parts as one stream. */
export function readUpload(context: Context, upload: PackageUploadRow): Readable {
  return Readable.from(bytesOf(context, upload), { objectMode: false });
}

/** Ends an upload. Its parts are removed at once, or by the next `cleanup_packages` after a crash. */
export async function cancelUpload(context: Context, upload: PackageUploadRow): Promise<void> {
  await removeUpload(context.db, upload.id);
  await forgetParts(context, upload);
}

/** Deletes the parts of an upload that has ended. Bytes first: a part whose row remains is found again. */
export async function forgetParts({ db, storage }: Context, { id }: PackageUploadRow): Promise<void> {
  const parts = await partsInOrder(db, id);
  for (const part of parts) await storage.delete(uploadPartKey(part));
  if (parts.length > 0) await removeParts(db, id);
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
    const [there] = await touch(db, id, now());
    if (!there) throw new PackageError('missing');
    const [last] = await lastNumber(db, id);
    const number = Number(last?.number ?? 0) + 1;
    if (number > MAX_PARTS) throw new PackageError('invalid', { message: `an upload has at most ${MAX_PARTS} parts` });
    const [added] = await addNumber(db, id, number, blob);
    if (!added) throw new Error('a part was not added');
    return added;
  });
}

/** Those that have arrived: a part of size 0 is empty, or has not arrived as a whole. */
export async function partsOf({ db }: Pick<Context, 'db'>, { id }: PackageUploadRow): Promise<StoredPart[]> {
  return (await partsInOrder(db, id)).filter(({ size }) => size > 0);
}

/** The content that a part can become in place; undefined for one that was stored elsewhere. */
export function contentOf({ blob, size, digests }: StoredPart): Content | undefined {
  return digests !== null && blob.startsWith(AS_CONTENT) ? { size, blob, ...(JSON.parse(digests) as Digests) } : undefined;
}

async function* bytesOf(context: Context, upload: PackageUploadRow): AsyncGenerator<Buffer> {
  for (const part of await partsOf(context, upload)) {
    const found = await context.storage.get(uploadPartKey(part));
    if (!found) throw new Error('a part of an upload is lost');
    yield* found.stream as AsyncIterable<Buffer>;
  }
}
