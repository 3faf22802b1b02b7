import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import { PackageError } from '../errors.ts';
import type { FileName, FoundFile } from '../registry/find.ts';
import { buildIndexes, findIndexFile, type IndexBuilder } from './build.ts';
import { markIndexes } from './mark.ts';

/**
 * The current file of an index: built first if it was marked since, so that the cost of publishing does not depend on the document's size.
 * @param named with what the document depends on besides the packages, such as the URLs in it, as the composite key: a missing file
 *   is built once
 * @throws PackageError 404
 */
export async function currentIndexFile(
  context: Context,
  builder: IndexBuilder,
  { owner, type }: { owner: User; type: PackageType },
  key: string,
  named: FileName,
): Promise<FoundFile> {
  await buildIndexes(context, builder, { owner, type }, [key]);
  try {
    return await findIndexFile(context.db, owner.id, type, key, named);
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
  }
  await markIndexes(context, owner.id, type, [key]);
  await buildIndexes(context, builder, { owner, type }, [key]);
  return await findIndexFile(context.db, owner.id, type, key, named);
}
