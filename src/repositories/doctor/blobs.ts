import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Finding } from './finding.ts';

const BATCH = 500;
/** A blob may be there some time before its row is. */
const YOUNG_SECONDS = 24 * 60 * 60;

/** The rows of one table that own the blobs of one prefix. */
export interface BlobOwners {
  /** What a blob is, for the terminal: `attachment`. */
  readonly what: string;
  /** With a slash at its end. */
  readonly prefix: string;
  /** Rows after an id, in the order of their ids, with the keys of their blobs. */
  readonly rows: (context: Context, after: number, limit: number) => Promise<readonly { id: number; key: string }[]>;
  /** Those of the keys that a row has. */
  readonly owned: (context: Context, keys: readonly string[]) => Promise<readonly string[]>;
}

/** Finds rows whose blobs are lost, and blobs that no row has. */
export async function* blobFindings(context: Context, owners: BlobOwners): AsyncGenerator<Finding> {
  yield* lostBlobs(context, owners);
  let keys: string[] = [];
  for await (const { key, modified } of context.storage.list(owners.prefix)) {
    if (modified > now() - YOUNG_SECONDS) continue;
    keys.push(key);
    if (keys.length < BATCH) continue;
    yield* strayBlobs(context, owners, keys);
    keys = [];
  }
  if (keys.length > 0) yield* strayBlobs(context, owners, keys);
}

async function* lostBlobs(context: Context, { what, rows }: BlobOwners): AsyncGenerator<Finding> {
  for (let after = 0; ; ) {
    const batch = await rows(context, after, BATCH);
    for (const { id, key } of batch) {
      if (!(await context.storage.info(key))) yield { text: `the bytes of the ${what} ${id} are lost: ${key}` };
    }
    after = batch.at(-1)?.id ?? after;
    if (batch.length < BATCH) return;
  }
}

async function* strayBlobs(context: Context, { what, owned }: BlobOwners, keys: readonly string[]): AsyncGenerator<Finding> {
  const used = new Set(await owned(context, keys));
  for (const key of keys) {
    if (used.has(key)) continue;
    yield { text: `${key} in the storage is no ${what}`, fix: () => context.storage.delete(key), removes: true };
  }
}
