import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import { BlobTooLargeError } from '../../storage/storage.ts';
import { PackageError } from '../errors.ts';
import { blobKey, type Content, isWhole } from './content.ts';
import { DIGESTS, Digester, type DigestName, type Digests, digestsOf } from './digests.ts';
import { takeSmall } from './take-small.ts';

/** Contents up to this size are read into memory before they are stored. */
export const SMALL_BYTES = 128 * 1024;

/** The expected properties of a content. */
export interface ExpectedContent extends Partial<Digests> {
  /** Size limit of it in bytes. */
  readonly maxSize?: number;
  /** Bytes that it must have. */
  readonly size?: number;
}

/** How a content is stored. */
export interface StoreOptions extends ExpectedContent {
  /** Skips the other digests of a large content that nobody needs: they are empty, until somebody stores the same content with them. */
  readonly isSha256Enough?: boolean;
  /**
   * The digests of a small content that its format shows beside the SHA-256; all when left out. Others are empty until the API shows them
   * (`completeDigests`), or somebody stores the same content with them.
   */
  readonly shown?: readonly DigestName[];
}

/** The properties of stored bytes. */
export interface StoredContent extends Digests {
  readonly size: number;
}

/** Unsynced: no response mentions a content before a file has it. */
const addRow = prepared(
  (db, size: number, md5: string, sha1: string, sha256: string, sha512: string, blob: string, at: number) =>
    db
      .insertInto('package_blobs')
      .values({ size, md5, sha1, sha256, sha512, blob, touched_at: at })
      .onConflict((conflict) => conflict.column('sha256').doNothing())
      .returningAll(),
  { isUnsynced: true },
);
const touch = prepared((db, sha256: string, at: number) =>
  db.updateTable('package_blobs').set({ touched_at: at }).where('sha256', '=', sha256).returningAll(),
);
const bySha256 = prepared((db, sha256: string) => db.selectFrom('package_blobs').selectAll().where('sha256', '=', sha256));

/**
 * Stores a content while it arrives, with all its digests. A content is stored once: if it exists already, only its
 * row is returned. `publish` links the row to a file of a package; contents without a file expire.
 * @throws BlobTooLargeError, PackageError `wrong-digest` for an unexpected content, and the error of `content`; then
 *   nothing is stored
 */
export async function storeBlob(context: Context, content: Readable | Uint8Array, options: StoreOptions = {}): Promise<PackageBlobRow> {
  const { bytes: _, ...stored } = await storeContent(context, content, options);
  return hasRow(stored) ? stored : await keepOnce(context, stored);
}

/**
 * {@link storeBlob} without the row of a new content: `publish` inserts it together with the file.
 */
export async function storeContent(context: Context, content: Readable | Uint8Array, options: StoreOptions = {}): Promise<Content> {
  const { isSha256Enough = false, shown = DIGESTS, ...expected } = options;
  const bytes = content instanceof Uint8Array ? content : await takeSmall(content, SMALL_BYTES);
  if (bytes) return await storeBytes(context, bytes, expected, shown);
  const blob = randomBytes(32).toString('hex');
  const names = isSha256Enough ? (['sha256'] as const) : DIGESTS;
  const stored = await putStream(context, blobKey({ blob }), content as Readable, expected.maxSize, names);
  try {
    requireExpected(stored, expected);
  } catch (error) {
    await context.storage.delete(blobKey({ blob }));
    throw error;
  }
  return { ...stored, blob };
}

/** Whether a content has a row already, which is this value then. */
export function hasRow(content: Content): content is PackageBlobRow {
  return 'id' in content;
}

/** Stores bytes, unless they exist already: clients often send the same small files. */
async function storeBytes(context: Context, bytes: Uint8Array, expected: ExpectedContent, shown: readonly DigestName[]): Promise<Content> {
  const { maxSize = Number.POSITIVE_INFINITY } = expected;
  if (bytes.length > maxSize) throw new BlobTooLargeError(`more than ${maxSize} bytes`);
  const names = DIGESTS.filter((name) => name === 'sha256' || shown.includes(name) || expected[name] !== undefined);
  const stored = { size: bytes.length, ...digestsOf(bytes, names) };
  requireExpected(stored, expected);
  const known = await findFresh(context, stored.sha256, names);
  if (known && (await isWhole(context, known))) return { ...known, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) };
  const blob = randomBytes(32).toString('hex');
  await context.storage.put(blobKey({ blob }), bytes, { isUnknown: true });
  return { ...stored, blob, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) };
}

/**
 * Puts a content into the storage while it arrives, with all its digests.
 * @throws BlobTooLargeError, and the error of `content`; then nothing is stored
 */
export async function putDigested(
  { storage }: Pick<Context, 'storage'>,
  key: string,
  content: Readable,
  maxSize?: number,
): Promise<StoredContent> {
  const small = await takeSmall(content, SMALL_BYTES);
  if (!small) return await putStream({ storage }, key, content, maxSize);
  await storage.put(key, small, maxSize === undefined ? {} : { maxSize });
  return { size: small.length, ...digestsOf(small) };
}

async function putStream(
  { storage }: Pick<Context, 'storage'>,
  key: string,
  content: Readable,
  maxSize: number | undefined,
  names: readonly DigestName[] = DIGESTS,
): Promise<StoredContent> {
  const digester = new Digester(names);
  const onBytes = (chunk: Uint8Array) => digester.add(chunk);
  const { size } = await storage.put(key, content, maxSize === undefined ? { onBytes } : { onBytes, maxSize });
  return { size, ...digester.end() };
}

/** @throws PackageError `wrong-digest` */
export function requireExpected(stored: StoredContent, expected: ExpectedContent): void {
  const wrong = (['size', ...DIGESTS] as const).find((part) => expected[part] !== undefined && expected[part] !== stored[part]);
  if (wrong) throw new PackageError('wrong-digest', { message: `the content does not have the ${wrong} that was declared` });
}

/**
 * Inserts the row of a content whose bytes are stored.
 * @param lost the row of the same content whose bytes are missing: it gets these
 * @returns undefined if somebody else has done so
 */
export async function addContent(db: Db, content: Content, lost?: PackageBlobRow): Promise<PackageBlobRow | undefined> {
  const { size, md5, sha1, sha256, sha512, blob } = content;
  if (!lost) return (await addRow(db, size, md5, sha1, sha256, sha512, blob, now()))[0];
  return await db
    .updateTable('package_blobs')
    .set({ blob })
    .where('id', '=', lost.id)
    .where('blob', '=', lost.blob)
    .returningAll()
    .executeTakeFirst();
}

/**
 * The row of a content that is stored, with its expiry postponed; undefined if there is none. Without an access check.
 * @param digests digests of the content, for a row in which they are empty
 */
export async function findBlob(db: Db, sha256: string, digests?: Digests): Promise<PackageBlobRow | undefined> {
  const [found] = await touch(db, sha256, now());
  const missing = DIGESTS.filter((name) => found?.[name] === '' && digests?.[name]);
  if (!found || !digests || missing.length === 0) return found;
  const values = Object.fromEntries(missing.map((name) => [name, digests[name]]));
  return await db.updateTable('package_blobs').set(values).where('id', '=', found.id).returningAll().executeTakeFirst();
}

/** Whether all digests are known: see {@link StoreOptions}. */
export function hasAllDigests(digests: Digests): boolean {
  return DIGESTS.every((name) => digests[name] !== '');
}

/** The row of a content with these digests, if it does not expire soon: then a file can use it unchanged. */
async function findFresh({ db, settings }: Context, sha256: string, names: readonly DigestName[]): Promise<PackageBlobRow | undefined> {
  const [found] = await bySha256(db, sha256);
  const isComplete = found && names.every((name) => found[name] !== '');
  return isComplete && found.touched_at > now() - settings.packages.unlinkedExpiry / 2000 ? found : undefined;
}

/** Inserts the row of a content; if somebody else has stored the same meanwhile, one of the two stays. */
export async function keepOnce(context: Context, stored: Content): Promise<PackageBlobRow> {
  const { db, storage } = context;
  const added = await addContent(db, stored);
  if (added) return added;
  const known = await findBlob(db, stored.sha256, stored);
  if (!known) return await keepOnce(context, stored);
  if (await isWhole(context, known)) {
    if (known.blob !== stored.blob) await storage.delete(blobKey(stored));
    return known;
  }
  // An upload restores missing bytes.
  return (await addContent(db, stored, known)) ?? (await keepOnce(context, stored));
}

/** Deletes the bytes of a content that no file got, unless those of the same content are missing: then its row gets these. */
export async function dropContent(context: Context, stored: Content): Promise<void> {
  const { db, storage } = context;
  const known = await findBlob(db, stored.sha256, stored);
  // The commit of a transaction can succeed although the connection broke.
  if (known?.blob === stored.blob) return;
  if (known && !(await isWhole(context, known)) && (await addContent(db, stored, known))) return;
  await storage.delete(blobKey(stored));
}
