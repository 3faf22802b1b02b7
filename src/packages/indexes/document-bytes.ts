import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { cacheContent, cachedContent, isCacheable } from '../blobs/content-cache.ts';
import { readParts } from './block-store.ts';
import { type DocumentPlan, readPlan } from './composed.ts';

/**
 * All bytes of a document, from the cache; undefined for one that is too long for it.
 * @throws PartRemovedError
 */
export async function wholeDocument({ caches, database }: Context, plan: DocumentPlan): Promise<Buffer | undefined> {
  if (!isCacheable(plan)) return undefined;
  const cached = cachedContent({ caches }, plan.etag, plan.size);
  if (cached) return cached;
  // A replica may not have the newest part yet.
  const bytes = Buffer.concat(await Array.fromAsync(readPlan(database.db, plan)));
  cacheContent({ caches }, plan.etag, bytes);
  return bytes;
}

/**
 * Puts a document together that was read before its last change: most of its bytes are in the cache, and only the parts that are new are read.
 */
export async function renewDocument({ caches, database }: Context, before: DocumentPlan, plan: DocumentPlan): Promise<void> {
  const old = before.etag === plan.etag ? undefined : cachedContent({ caches }, before.etag, before.size);
  if (!old || !isCacheable(plan)) return;
  const contents = contentsOf(before, old);
  const missing = plan.pieces.flatMap((piece) => (piece instanceof Uint8Array ? [] : piece)).filter(({ id }) => !contents.has(id));
  await addParts(database.db, contents, missing);
  const pieces = plan.pieces.flatMap((piece) => (piece instanceof Uint8Array ? [piece] : piece.map(({ id }) => contents.get(id))));
  const found = pieces.filter((piece) => piece !== undefined);
  if (found.length === pieces.length) cacheContent({ caches }, plan.etag, Buffer.concat(found));
}

/** The bytes of the parts of a document, by their ids. */
function contentsOf({ pieces }: DocumentPlan, bytes: Buffer): Map<number, Uint8Array> {
  const contents = new Map<number, Uint8Array>();
  let at = 0;
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) at += piece.length;
    else
      for (const { id, size } of piece) {
        contents.set(id, bytes.subarray(at, at + size));
        at += size;
      }
  }
  return contents;
}

async function addParts(db: Db, contents: Map<number, Uint8Array>, parts: readonly { readonly id: number }[]): Promise<void> {
  const rows = await readParts(
    db,
    parts.map(({ id }) => id),
  );
  for (const { id, content } of rows) contents.set(id, content);
}
