import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Finding } from './finding.ts';

const BATCH = 500;
/** A blob may be stored some time before its row. */
const YOUNG_SECONDS = 24 * 60 * 60;

/** The rows of one table that own the blobs of one prefix. */
export interface BlobOwners {
  /** The kind of blob, for the terminal: `attachment`. */
  readonly what: string;
  /** With a slash at its end. */
  readonly prefix: string;
  /** Rows after an id, in the order of their ids, with the keys of their blobs. */
  readonly rows: (context: Context, after: number, limit: number) => Promise<readonly { id: number; key: string }[]>;
  /** Those of the keys that a row has. */
  readonly owned: (context: Context, keys: readonly string[]) => Promise<readonly string[]>;
}

/** Finds rows whose blobs are missing, and blobs without a row. */
export async function* blobFindings(context: Context, owners: BlobOwners): AsyncGenerator<Finding> {
  const { what, prefix, owned } = owners;
  yield* lostBlobs(context, owners);
  yield* strayBlobs(context, { prefix, owned, describe: (key) => `${key} in the storage belongs to no ${what}` });
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

/** Finds blobs of a prefix without a row. Those of the last day may get one. */
export async function* strayBlobs(
  context: Context,
  { prefix, owned, describe }: Pick<BlobOwners, 'prefix' | 'owned'> & { readonly describe: (key: string) => string },
): AsyncGenerator<Finding> {
  let keys: string[] = [];
  for await (const { key, modified } of context.storage.list(prefix)) {
    if (modified > now() - YOUNG_SECONDS) continue;
    keys.push(key);
    if (keys.length < BATCH) continue;
    yield* strayAmong(keys);
    keys = [];
  }
  if (keys.length > 0) yield* strayAmong(keys);

  async function* strayAmong(stored: readonly string[]): AsyncGenerator<Finding> {
    const used = new Set(await owned(context, stored));
    for (const key of stored) if (!used.has(key)) yield { text: describe(key), fix: () => context.storage.delete(key), removes: true };
  }
}
