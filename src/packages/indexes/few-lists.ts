import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import { invalid } from '../errors.ts';
import type { IndexName } from './block-store.ts';

/** Lists of one index, such as those of architectures. Packages for all architectures can be in each, and each is rewritten with it. */
const MAX_LISTS = 100;

const blockOf = prepared((db, ownerId: number, type: PackageType, key: string, document: string) =>
  db
    .selectFrom('package_blocks')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('type', '=', type)
    .where('key', '=', key)
    .where('document', '=', document)
    .limit(1),
);

/**
 * Checks that an index has room for a list.
 * @param listed the names of all lists that it has, which takes long to find out
 * @throws PackageError 400
 */
export async function requireFewLists(
  { db }: Context,
  { ownerId, type, key }: IndexName,
  list: string,
  listed: () => Promise<readonly string[]>,
): Promise<void> {
  const [block] = await blockOf(db, ownerId, type, key, list);
  if (block) return;
  const names = new Set(await listed());
  if (names.size >= MAX_LISTS && !names.has(list)) throw invalid(`the repository has ${MAX_LISTS} lists of packages already`);
}
