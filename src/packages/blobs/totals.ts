import type { Db } from '../../database/database.ts';
import { isUnused } from './unused.ts';

/** How many rows one query adds up, so that none takes long. */
const SLICE = 5_000;

/** The size of all package contents in bytes. */
export interface BlobTotals {
  /** Used by packages or upstreams. */
  readonly used: number;
  /** Deleted by the next cleanup. */
  readonly unused: number;
}

/** Adds up all contents of packages. */
export async function blobTotals(db: Db): Promise<BlobTotals> {
  let [used, unused] = [0, 0];
  for (let after = 0; ; ) {
    const slice = await db
      .selectFrom((from) =>
        from
          .selectFrom('package_blobs')
          .select(['id', 'size', (where) => isUnused(where).as('is_unused')])
          .where('id', '>', after)
          .orderBy('id')
          .limit(SLICE)
          .as('slice'),
      )
      .select(({ fn, ref, case: when }) => [
        fn.sum<number | string | null>('size').as('all'),
        fn.sum<number | string | null>(when().when('is_unused', '=', true).then(ref('size')).else(0).end()).as('unused'),
        fn.max<number | null>('id').as('last'),
      ])
      .executeTakeFirstOrThrow();
    if (slice.last === null) return { used, unused };
    unused += Number(slice.unused);
    used += Number(slice.all) - Number(slice.unused);
    after = slice.last;
  }
}
